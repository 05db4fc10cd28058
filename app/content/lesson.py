"""Reads one lesson folder: lesson.yaml, quiz.yaml, ko.md, en.md."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.content.markdown.blocks import Rendered
from app.content.markdown.links import Links, similar
from app.content.markdown.render import render, render_inline
from app.content.model import Htmls, Lesson, Question, Texts
from app.content.pairs import both
from app.content.quiz import load_quiz
from app.i18n.locales import LANGS, Lang, known
from grader.contract.marked_yaml import Document, Section, load_marked
from grader.contract.problems import ContentError, Problem
from grader.contract.reading import read_text

KEYS = ("title", "summary", "minutes", "requires", "exercises", "sources")
DIGEST_LENGTH = 12
LONGEST = 30
"""Minutes that a lesson may take to read."""


def digest(text: str) -> str:
    """What a translation carries of the text it was made from: the first 12 hex digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def load_lesson(folder: Path, slug: str, links: Mapping[Lang, Links]) -> tuple[Lesson, list[Problem]]:
    """The lesson, and problems that do not keep it from being shown (a stale translation).

    Raises ContentError with every problem that does.
    """
    document = load_marked(folder / "lesson.yaml")
    top = Section(document)
    top.only(*KEYS)
    title, summary = both(top, "title"), both(top, "summary")
    requires, exercises = top.texts("requires"), top.texts("exercises")
    warnings = _unknown(top, "requires", "lesson", requires, links)
    warnings += _unknown(top, "exercises", "exercise", exercises, links)
    minutes = top.integer("minutes", 5, required=True)
    if not 1 <= minutes <= LONGEST:
        top.problem("minutes", f"{minutes} minutes to read", f"give 1 to {LONGEST}; cut a longer lesson in two")
    own = {lang: _own_links(links[lang], folder, slug) for lang in LANGS}
    questions, names = _questions(folder / "quiz.yaml", own, document)
    own = {lang: replace(own[lang], questions=names) for lang in LANGS}
    sources = {lang: _read(folder / f"{lang}.md", document) for lang in LANGS}
    texts = {lang: render(sources[lang], folder / f"{lang}.md", own[lang]) for lang in LANGS}
    for rendered in texts.values():
        document.problems.extend(rendered.problems)
        warnings += rendered.warnings
    summaries = _inline(summary, document, (*top.path, "summary"), own)
    stale, found = _stale(top, sources)
    document.finish()
    return (
        Lesson(slug, folder, title, summaries, minutes, requires, exercises, questions, texts, sources, stale),
        warnings + found,
    )


def _questions(
    file: Path, links: Mapping[Lang, Links], document: Document
) -> tuple[dict[str, Question], frozenset[str] | None]:
    """The questions and their ids; None for the ids where the file is broken, which is noted."""
    try:
        questions = load_quiz(file, links)
    except ContentError as error:
        document.problems.extend(error.problems)
        return {}, None
    return questions, frozenset(questions)


def _own_links(links: Links, folder: Path, slug: str) -> Links:
    return replace(links, folder=folder, media=f"/media/lessons/{slug}")


def _unknown(top: Section, key: str, kind: str, names: tuple[str, ...], links: Mapping[Lang, Links]) -> list[Problem]:
    """Problems for names that do not exist; the lesson can be shown without them."""
    known_names = links["ko"].targets.get(kind, {})
    line = top.document.line((*top.path, key))
    return [
        Problem(top.document.file, line, f"there is no {kind} {name!r}", similar(name, known_names))
        for name in names
        if name not in known_names
    ]


def _read(file: Path, document: Document) -> str:
    text = read_text(file, document.problems)
    if text is not None and not text.strip():
        document.problems.append(Problem(file, 1, "the file is empty", "write the lesson in this language too"))
    return text or ""


def _inline(texts: Texts, document: Document, path: tuple[str | int, ...], links: Mapping[Lang, Links]) -> Htmls:
    rendered: dict[Lang, Rendered] = {
        lang: render_inline(texts[lang], document.file, links[lang], document.line(path)) for lang in LANGS
    }
    for result in rendered.values():
        document.problems.extend(result.problems)
    return {lang: result.html for lang, result in rendered.items()}


def _stale(top: Section, sources: Texts) -> tuple[frozenset[Lang], list[Problem]]:
    """Languages whose text was translated from an older state of the other one."""
    section = top.section("sources")
    if section is None:
        return frozenset(), []
    section.only(*LANGS)
    stale: set[Lang] = set()
    problems: list[Problem] = []
    for key in section.data:
        lang = known(str(key))
        if lang is None:
            continue
        other: Lang = "en" if lang == "ko" else "ko"
        current = digest(sources[other])
        if section.text(lang) != current:
            stale.add(lang)
            line = top.document.line((*section.path, lang))
            mend = f'bring {lang}.md up to date with {other}.md, then write `{lang}: "{current}"`'
            problems.append(
                Problem(top.document.file, line, f"{other}.md has changed since {lang}.md followed it", mend)
            )
    return frozenset(stale), problems
