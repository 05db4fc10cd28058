"""Search in memory: a few thousand short texts are read through in milliseconds, and nothing can get out of date."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from app.content.library import Library
from app.content.model import Content
from app.i18n.locales import LANGS, Lang
from app.search.documents import documents, status_names
from app.search.excerpt import excerpt
from app.search.query import Concept, concept, concepts
from app.search.ranking import Entry, Ranking, entry
from app.search.spelling import Vocabulary
from app.search.synonyms import Synonyms, groups
from app.views import Link
from grader.contract.api import Api

LIMIT = 50
SECTIONS = 2
"""Results from one lesson or exercise, so that others are seen as well."""


@dataclass(frozen=True, slots=True)
class Result:
    kind: str
    title: str
    url: str
    excerpt: Markup
    lang: Lang


class SearchIndex:
    def __init__(self, library: Library, api: Api) -> None:
        self._library = library
        self._api = api
        self._version = ""
        self._synonyms = Synonyms(())
        self._rankings: dict[Lang, Ranking] = {}
        self._vocabularies: dict[Lang, Vocabulary] = {}
        self._names: dict[Lang, dict[str, Link]] = {}

    def _refresh(self) -> None:
        content = self._library.current()
        if content.version == self._version:
            return
        self._synonyms = Synonyms([*groups(), *_glossary(content), *status_names(self._api)])
        for lang in LANGS:
            found = documents(content, self._api, lang)
            self._rankings[lang] = Ranking([entry(document) for document in found])
            self._vocabularies[lang] = Vocabulary(chain.from_iterable(e.fields for e in self._rankings[lang].entries))
            self._names[lang] = {_last_part(document.url): Link(document.title, document.url) for document in found}
        self._version = content.version

    def names(self, lang: Lang) -> dict[str, Link]:
        """Slug or name of every page, for suggestions."""
        self._refresh()
        return self._names[lang]

    def search(self, query: str, lang: Lang) -> list[Result]:
        """Best first. In the other language, then by similar spelling, where nothing has a word of the query."""
        self._refresh()
        wanted = concepts(query, self._synonyms)
        if not wanted:
            return []
        other: Lang = "en" if lang == "ko" else "ko"
        unknown = [one for one in wanted if not self._rankings[lang].has(one)]
        if len(unknown) == len(wanted) and any(self._rankings[other].has(one) for one in wanted):
            return _results(self._rankings[other].best(wanted, query), wanted)
        wanted = [self._mended(one, lang) if one in unknown else one for one in wanted]
        return _results(self._rankings[lang].best(wanted, query), wanted)

    def _mended(self, one: Concept, lang: Lang) -> Concept:
        """The word that was probably meant; the same where none is like it."""
        near = next((near for form in one.own if (near := self._vocabularies[lang].nearest(form))), "")
        return concept(near, self._synonyms) if near else one


def _glossary(content: Content) -> list[list[str]]:
    return [[term.name["ko"], term.name["en"], term.id] for term in content.terms.values()]


def _last_part(url: str) -> str:
    return url.rsplit("/", 1)[-1].rsplit("#", 1)[-1]


def _results(found: Sequence[Entry], wanted: Sequence[Concept]) -> list[Result]:
    """At most a few of one lesson: its best sections."""
    seen: Counter[str] = Counter()
    results: list[Result] = []
    for one in found:
        document = one.document
        page = document.url.split("#")[0] if document.kind == "lesson" else document.url
        seen[page] += 1
        if seen[page] <= SECTIONS and len(results) < LIMIT:
            shown = excerpt(document.text, one.text, wanted)
            results.append(Result(document.kind, document.title, document.url, shown, document.lang))
    return results
