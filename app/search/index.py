"""Search in memory: a few thousand short texts are read through in milliseconds, and nothing can get out of date."""

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup, escape

from app.content.library import Library
from app.i18n.locales import LANGS, Lang
from app.search.documents import Document, documents
from app.search.words import grams, normal, words
from app.views import Link
from grader.contract.api import Api

LIMIT = 50
EXCERPT = 80
SIMILAR = 0.6
KIND_WEIGHT = {
    "term": 5,
    "lesson": 4,
    "exercise": 3,
    "clinic": 3,
    "challenge": 3,
    "function": 3,
    "enum": 2,
    "type": 2,
    "value": 1,
}


@dataclass(frozen=True, slots=True)
class Result:
    kind: str
    title: str
    url: str
    excerpt: Markup
    lang: Lang


@dataclass(frozen=True, slots=True)
class _Entry:
    document: Document
    title: str
    names: str
    text: str


class SearchIndex:
    def __init__(self, library: Library, api: Api) -> None:
        self._library = library
        self._api = api
        self._version = ""
        self._entries: dict[Lang, list[_Entry]] = {}
        self._names: dict[Lang, dict[str, Link]] = {}

    def _refresh(self) -> None:
        content = self._library.current()
        if content.version == self._version:
            return
        for lang in LANGS:
            found = documents(content, self._api, lang)
            self._entries[lang] = [_entry(document) for document in found]
            self._names[lang] = {_last_part(document.url): Link(document.title, document.url) for document in found}
        self._version = content.version

    def names(self, lang: Lang) -> dict[str, Link]:
        """Slug or name of every page, for suggestions."""
        self._refresh()
        return self._names[lang]

    def search(self, query: str, lang: Lang) -> list[Result]:
        """Best first. In the other language, then by similar spelling, where nothing else is found."""
        self._refresh()
        wanted = words(query)
        if not wanted:
            return []
        other: Lang = "en" if lang == "ko" else "ko"
        for found in (self._exact(wanted, lang), self._exact(wanted, other), self._alike(wanted, lang)):
            if found:
                return [_result(entry, wanted) for entry in found[:LIMIT]]
        return []

    def _exact(self, wanted: list[tuple[str, ...]], lang: Lang) -> list[_Entry]:
        scored = [(score, entry) for entry in self._entries[lang] if (score := _score(entry, wanted))]
        return [entry for _, entry in sorted(scored, key=lambda pair: (-pair[0], pair[1].document.title))]

    def _alike(self, wanted: list[tuple[str, ...]], lang: Lang) -> list[_Entry]:
        """Titles that share most pairs of letters with the query."""
        query = grams("".join(word[0] for word in wanted))
        scores: Counter[int] = Counter()
        for index, entry in enumerate(self._entries[lang]):
            title = grams(entry.title.replace(" ", ""))
            union = len(query | title)
            if union and len(query & title) / union >= SIMILAR:
                scores[index] = len(query & title)
        return [self._entries[lang][index] for index, _ in scores.most_common(LIMIT)]


def _last_part(url: str) -> str:
    return url.rsplit("/", 1)[-1].rsplit("#", 1)[-1]


def _entry(document: Document) -> _Entry:
    return _Entry(document, normal(document.title), normal(" ".join(document.names)), normal(document.text))


def _score(entry: _Entry, wanted: list[tuple[str, ...]]) -> int:
    """0 where a word is missing. A whole title counts most, then a word in title, other names, text."""
    total = KIND_WEIGHT[entry.document.kind]
    for word_forms in wanted:
        best = 0
        for form in word_forms:
            if form in entry.title:
                best = max(best, 60 if entry.title == form else 40 if entry.title.startswith(form) else 30)
            elif form in entry.names:
                best = max(best, 25)
            elif form in entry.text:
                best = max(best, 10 + min(entry.text.count(form), 5))
        if not best:
            return 0
        total += best
    return total


def _result(entry: _Entry, wanted: list[tuple[str, ...]]) -> Result:
    document = entry.document
    return Result(document.kind, document.title, document.url, _excerpt(entry, wanted), document.lang)


def _excerpt(entry: _Entry, wanted: list[tuple[str, ...]]) -> Markup:
    """The text around the first word found, with the words marked."""
    text = entry.document.text
    found = [(entry.text.find(form), len(form)) for word in wanted for form in word if form in entry.text]
    start = max(0, min(found)[0] - EXCERPT // 2) if found else 0
    end = min(len(text), start + 2 * EXCERPT)
    spans = {(at, at + len(form)) for word in wanted for form in word for at in _all(entry.text, form, start, end)}
    marks = sorted(spans, key=lambda span: (span[0], -span[1]))  # the longest form of a word that begins at a place
    pieces: list[Markup] = [Markup("…") if start else Markup()]
    done = start
    for left, right in marks:
        if left < done:
            continue
        pieces += [escape(text[done:left]), Markup("<mark>{}</mark>").format(text[left:right])]
        done = right
    pieces += [escape(text[done:end]), Markup("…") if end < len(text) else Markup()]
    return Markup().join(pieces)


def _all(text: str, form: str, start: int, end: int) -> list[int]:
    places: list[int] = []
    at = text.find(form, start, end)
    while at >= 0:
        places.append(at)
        at = text.find(form, at + len(form), end)
    return places
