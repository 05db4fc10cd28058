"""Looks at what binds lessons and exercises together: order, lists, the two languages, and links into other texts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from app.content.lesson import digest
from app.content.markdown.links import similar
from app.content.model import Content, ExerciseContent, Lesson
from app.i18n.locales import LANGS
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import Problem

FOREIGN = re.compile(r"\]\((?:/?(?:exercises?|glossary|term|reference|api)[:/])[^#)\s]+#[^)\s]*\)")
ANCHOR = re.compile(r"\]\((?:/?lessons?[:/])([a-z0-9-]+)/?#([^)\s]+)\)")
DIRECTIVE = re.compile(r"^:{3,}\s*\{(exercise|quiz|visualiser|run|record|figure)\}\s*(.*?)\s*$")
OF_LANGUAGE = re.compile(r"\.(?:ko|en)(?=\.\w+$)")


def check_lesson(content: Content, lesson: Lesson) -> Iterator[Problem]:
    yield from _requires(content, lesson)
    yield from _exercises(content, lesson)
    yield from _questions(lesson)
    yield from _languages(lesson)
    yield from _sources(lesson)


def _sources(lesson: Lesson) -> Iterator[Problem]:
    data = load_marked(lesson.folder / "lesson.yaml").data
    if not data.get("sources"):
        mend = f'once both texts say the same, write `sources: {{ko: "{digest(lesson.sources["en"])}"}}`'
        yield _problem(lesson, "sources", "`sources:` does not tell which state of one text the other follows", mend)


def _problem(lesson: Lesson, key: str, message: str, mend: str) -> Problem:
    file = lesson.folder / "lesson.yaml"
    return Problem(file, load_marked(file).line((key,)), message, mend)


def _requires(content: Content, lesson: Lesson) -> Iterator[Problem]:
    order = content.order()
    for slug in lesson.requires:
        if slug == lesson.slug:
            yield _problem(lesson, "requires", "the lesson requires itself", f"take {slug!r} out")
        elif slug in order and order.index(slug) > order.index(lesson.slug):
            mend = "move one of the two in course.yaml, or take it out of `requires:`"
            yield _problem(lesson, "requires", f"requires {slug!r}, which comes later in the course", mend)
    for slug, times in Counter(lesson.requires).items():
        if times > 1:
            yield _problem(lesson, "requires", f"{slug!r} is listed twice", "list it once")


def _exercises(content: Content, lesson: Lesson) -> Iterator[Problem]:
    """The list of lesson.yaml, the text and the exercises' own `lesson:` agree."""
    for slug, times in Counter(lesson.exercises).items():
        found = content.exercises.get(slug)
        if times > 1:
            yield _problem(lesson, "exercises", f"{slug!r} is listed twice", "list it once")
        if isinstance(found, ExerciseContent) and found.exercise.lesson != lesson.slug:
            mend = f"write `lesson: {lesson.slug}` in its exercise.yaml, or take it out here"
            yield _problem(lesson, "exercises", f"{slug!r} belongs to {found.exercise.lesson or 'no lesson'!r}", mend)
    for lang in LANGS:
        file = lesson.folder / f"{lang}.md"
        shown = {name: line for line, kind, name in _directives(lesson.sources[lang]) if kind == "exercise"}
        for slug in dict.fromkeys(slug for slug in lesson.exercises if slug not in shown):
            mend = f"write `:::{{exercise}} {slug}` and `:::` where it is to be tried"
            yield Problem(file, 0, f"the exercise {slug!r} of lesson.yaml is not in the text", mend)
        for slug, line in shown.items():
            if slug not in lesson.exercises and slug in content.exercises:
                mend = f"add {slug!r} to `exercises:` in lesson.yaml"
                yield Problem(file, line, f"the exercise {slug!r} is not in lesson.yaml", mend)


def _questions(lesson: Lesson) -> Iterator[Problem]:
    for lang in LANGS:
        file = lesson.folder / f"{lang}.md"
        shown: Counter[str] = Counter()
        for line, kind, names in _directives(lesson.sources[lang]):
            for name in names.replace(",", " ").split() if kind == "quiz" else ():
                again = list(lesson.questions) if name == "all" else [name]
                if twice := next((each for each in again if shown[each]), ""):
                    mend = "take it out of one of the two places"
                    yield Problem(file, line, f"the question {twice!r} is shown twice", mend)
                shown.update(again)
        for name in lesson.questions:
            if not shown[name]:
                mend = f"add {name!r} to a `:::{{quiz}}`, or remove the question"
                yield Problem(file, 0, f"the question {name!r} of quiz.yaml is shown nowhere", mend)


def _languages(lesson: Lesson) -> Iterator[Problem]:
    """Both texts have the same programs, pictures and measurements."""
    found = {
        lang: Counter(
            (kind, OF_LANGUAGE.sub("", name))
            for _, kind, name in _directives(lesson.sources[lang])
            if kind not in ("quiz", "exercise")
        )
        for lang in LANGS
    }
    for lang, other in (("ko", "en"), ("en", "ko")):
        for (kind, name), times in (found[other] - found[lang]).items():  # type: ignore[index]  # both are languages
            more = f"{times} more than this text" if found[lang][kind, name] else "and this text has none"  # type: ignore[index]
            message = f"{other}.md has `:::{{{kind}}} {name}`, {more}"
            yield Problem(lesson.folder / f"{lang}.md", 0, message, "give both languages the same directives")


def _directives(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and argument of the directives that a text has at its left margin."""
    for number, text in enumerate(source.split("\n"), 1):
        if match := DIRECTIVE.match(text):
            yield number, match[1], match[2]


def check_exercise(content: Content, found: ExerciseContent) -> Iterator[Problem]:
    """It belongs to a lesson, and an exercise proper is listed there."""
    exercise = found.exercise
    file = exercise.folder / "exercise.yaml"
    lesson = content.lessons.get(exercise.lesson)
    if not exercise.lesson:
        yield Problem(file, 1, "no lesson explains it", "add `lesson:` with the slug of one")
    elif exercise.kind == "exercise" and isinstance(lesson, Lesson) and exercise.slug not in lesson.exercises:
        line = load_marked(file).line(("lesson",))
        mend = f"add it to `exercises:` in {lesson.folder.name}/lesson.yaml and to its texts"
        yield Problem(file, line, f"the lesson {lesson.slug!r} does not list this exercise", mend)


def check_anchors(content: Content, files: Mapping[Path, str]) -> Iterator[Problem]:
    """Links to a heading of a lesson, `lesson:slug#heading`. files: language by text."""
    headings = {
        (lesson.slug, lang): [heading.id for heading in lesson.texts[lang].headings]
        for lesson in content.good_lessons()
        for lang in LANGS
    }
    for file, lang in files.items():
        for number, text in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            for link in FOREIGN.findall(text):
                yield Problem(file, number, f"only lessons have headings to link to: {link[2:-1]!r}", "leave `#…` out")
            for slug, written in ANCHOR.findall(text):
                anchor = unquote(written)
                known = headings.get((slug, lang))  # type: ignore[arg-type]  # lang is a language
                if known is not None and anchor not in known:
                    mend = f"{similar(anchor, dict.fromkeys(known))} its headings: {', '.join(known)}"
                    message = f"the lesson {slug!r} has no heading {anchor!r} in {lang}.md"
                    yield Problem(file, number, message, mend.replace("check the spelling ", "").strip())
