"""What can be found: lesson sections, exercises, terms, functions, enums and their values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from app.content.markdown.blocks import HtmlBlock
from app.content.model import Content, Lesson
from app.content.targets import api_targets
from app.i18n.locales import Lang
from grader.contract.api import Api

HEADING = re.compile(r'<h[23] id="([^"]*)">(.*?)</h[23]>', re.DOTALL)
ANCHOR = re.compile(r'<a class="anchor".*?</a>', re.DOTALL)
MATH = re.compile(r"<math.*?</math>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """names: other names it is known by (slug, title in the other language)."""

    kind: str
    title: str
    url: str
    text: str
    names: tuple[str, ...]
    lang: Lang


def documents(content: Content, api: Api, lang: Lang) -> list[Document]:
    return [
        *_lessons(content, lang),
        *_exercises(content, lang),
        *_terms(content, lang),
        *_api(api, lang),
    ]


def _other(lang: Lang) -> Lang:
    return "en" if lang == "ko" else "ko"


def _plain(html: str) -> str:
    return Markup(MATH.sub(" ", html)).striptags()  # noqa: S704  (tags are taken off, nothing is shown as HTML)


def _lessons(content: Content, lang: Lang) -> Iterator[Document]:
    for lesson in content.good_lessons():
        url = f"/{lang}/lessons/{lesson.slug}"
        names = (lesson.slug, lesson.title[_other(lang)])
        html = "\n".join(block.html for block in lesson.texts[lang].blocks if isinstance(block, HtmlBlock))
        parts = HEADING.split(ANCHOR.sub("", html))
        intro = f"{lesson.summary[lang].striptags()} {_plain(parts[0])}"
        yield Document("lesson", lesson.title[lang], url, intro, names, lang)
        yield from _sections(lesson, lang, url, parts)


def _sections(lesson: Lesson, lang: Lang, url: str, parts: list[str]) -> Iterator[Document]:
    for name, heading, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        title = f"{lesson.title[lang]} – {_plain(heading)}"
        yield Document("lesson", title, f"{url}#{name}", _plain(body), (), lang)


def _exercises(content: Content, lang: Lang) -> Iterator[Document]:
    for found in content.good_exercises():
        names = (found.slug, found.exercise.title[_other(lang)])
        url = f"/{lang}/exercises/{found.slug}"
        text = f"{found.symptoms.get(lang, '')} {found.prompts[lang].html}"
        yield Document(found.exercise.kind, found.exercise.title[lang], url, _plain(text), names, lang)


def _terms(content: Content, lang: Lang) -> Iterator[Document]:
    for term in content.terms.values():
        text = _plain(content.definitions[term.id][lang])
        names = (term.id, term.name[_other(lang)])
        yield Document("term", term.name[lang], f"/{lang}/glossary#{term.id}", text, names, lang)


def _api(api: Api, lang: Lang) -> Iterator[Document]:
    for name, target in api_targets(api, lang).items():
        value = name in api.enumerators or name in api.macros
        kind = "function" if name in api.functions else "value" if value else "enum" if name in api.enums else "type"
        yield Document(kind, name, target.url, target.hint, (), lang)
