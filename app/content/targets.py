"""Everything that a text can link to, gathered before any text is rendered."""

from collections.abc import Mapping
from pathlib import Path

from app.content.markdown.links import Links, Target
from app.content.markdown.render import render_inline
from app.content.model import Htmls, Term, Texts
from app.i18n.locales import LANGS, Lang
from grader.contract.api import Api
from grader.contract.api_types import Text
from grader.contract.problems import Problem


def build(
    api: Api, terms: Mapping[str, Term], lessons: Mapping[str, Texts], exercises: Mapping[str, Texts]
) -> dict[Lang, Links]:
    """Links of each language. lessons, exercises: titles by slug."""
    return {
        lang: Links(
            lang,
            {
                "api": api_targets(api, lang),
                "term": {term.id: _term(term, lang) for term in terms.values()},
                "lesson": _titled(lessons, "lessons", lang),
                "exercise": _titled(exercises, "exercises", lang),
            },
        )
        for lang in LANGS
    }


def _titled(titles: Mapping[str, Texts], place: str, lang: Lang) -> dict[str, Target]:
    return {slug: Target(f"/{lang}/{place}/{slug}", title.get(lang, slug)) for slug, title in titles.items()}


def _term(term: Term, lang: Lang) -> Target:
    plain = term.source[lang].replace("`", "").replace("*", "")
    return Target(f"/{lang}/glossary#{term.id}", term.name[lang], plain)


def api_targets(api: Api, lang: Lang) -> dict[str, Target]:
    """Reference pages by name: functions, enums, enumerators, structs, opaque types and macros."""
    docs: dict[str, Text] = {name: entry.doc for name, entry in api.functions.items()}
    docs |= {name: entry.doc for name, entry in api.enums.items()}
    docs |= {name: entry.doc for name, (_, entry) in api.enumerators.items()}
    docs |= {name: entry.doc for name, entry in api.structs.items()}
    docs |= {name: entry.doc for name, entry in api.opaques.items()}
    docs |= {name: entry.doc for name, entry in api.macros.items()}
    return {name: Target(f"/{lang}/reference/{name}", name, doc.get(lang, "")) for name, doc in docs.items()}


def render_definitions(
    terms: Mapping[str, Term], file: Path, links: Mapping[Lang, Links], problems: list[Problem]
) -> dict[str, Htmls]:
    found: dict[str, Htmls] = {}
    for term in terms.values():
        rendered = {lang: render_inline(term.source[lang], file, links[lang], term.line) for lang in LANGS}
        for result in rendered.values():
            problems.extend(result.problems)
        found[term.id] = {lang: result.html for lang, result in rendered.items()}
    return found
