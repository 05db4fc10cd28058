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
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
FURTHER = ("더 읽을거리", "Further reading")
POINTERS = 0.5
STATUS = "CUDNN_STATUS_"
MATH = re.compile(r"<math.*?</math>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """names: other names it is known by (slug, title in the other language). lead: what it is about, said in front.

    weight: below 1 for what points elsewhere rather than answers.
    """

    kind: str
    title: str
    url: str
    text: str
    names: tuple[str, ...]
    lang: Lang
    lead: str = ""
    weight: float = 1.0


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
        lead = lesson.summary[lang].striptags()
        yield Document("lesson", lesson.title[lang], url, f"{lead} {_plain(' '.join(parts[::3]))}", names, lang, lead)
        yield from _sections(lesson, lang, url, parts)


def _sections(lesson: Lesson, lang: Lang, url: str, parts: list[str]) -> Iterator[Document]:
    for name, heading, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        title = f"{lesson.title[lang]} – {_plain(heading)}"
        weight = POINTERS if _plain(heading) in FURTHER else 1.0
        yield Document("lesson", title, f"{url}#{name}", _plain(body), (), lang, weight=weight)


def _exercises(content: Content, lang: Lang) -> Iterator[Document]:
    for found in content.good_exercises():
        names = (found.slug, found.exercise.title[_other(lang)])
        url = f"/{lang}/exercises/{found.slug}"
        lead = _plain(found.symptoms.get(lang, ""))
        text = f"{lead} {_plain(found.prompts[lang].html)}"
        yield Document(found.exercise.kind, found.exercise.title[lang], url, text, names, lang, lead)


def _terms(content: Content, lang: Lang) -> Iterator[Document]:
    for term in content.terms.values():
        text = _plain(content.definitions[term.id][lang])
        names = (term.id, term.name[_other(lang)])
        yield Document("term", term.name[lang], f"/{lang}/glossary#{term.id}", text, names, lang, text)


def _api(api: Api, lang: Lang) -> Iterator[Document]:
    for name, target in api_targets(api, lang).items():
        value = name in api.enumerators or name in api.macros
        kind = "function" if name in api.functions else "value" if value else "enum" if name in api.enums else "type"
        yield Document(kind, name, target.url, target.hint, _other_names(name), lang)


def _other_names(name: str) -> tuple[str, ...]:
    """`cudnnConvolutionForward` in words and without its prefix; `BAD_PARAM` for `CUDNN_STATUS_BAD_PARAM`."""
    short = name.removeprefix("cudnn").removeprefix(STATUS)
    return CAMEL.sub(" ", name), short


def status_names(api: Api) -> list[tuple[str, str]]:
    """Every status, whole and short: each is one thing to look for, also where it is typed as several words."""
    return [(name, name.removeprefix(STATUS)) for name in api.enumerators if name.startswith(STATUS)]
