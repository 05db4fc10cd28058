"""Reads quiz.yaml: questions with their keys and feedback."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from markupsafe import Markup

from app.content import quiz_checks
from app.content.markdown.links import Links
from app.content.markdown.render import render_inline
from app.content.model import KINDS, WITH_CHOICES, WITH_PARAMETERS, Choice, Htmls, Item, Question, QuestionKind
from app.content.parameters import Placeholders, read_parameters, read_variants
from app.i18n.locales import LANGS, Lang
from grader.contract.exercise_types import SLUG
from grader.contract.marked_yaml import Document, Section, load_marked

KEYS = ("id", "kind", "prompt", "choices", "items", "answer", "tolerance", "feedback", "parameters", "where")


def load_quiz(file: Path, links: Mapping[Lang, Links]) -> dict[str, Question]:
    """Questions by id; none where there is no file. Raises ContentError with every problem."""
    if not file.is_file():
        return {}
    document = load_marked(file)
    reader = _Reader(document, links)
    top = Section(document)
    top.only("questions")
    questions: dict[str, Question] = {}
    for entry in top.sections("questions", required=True):
        question = reader.question(entry)
        if question.id in questions:
            entry.problem("id", f"two questions are called {question.id!r}", "give each its own id")
        questions[question.id] = question
    document.finish()
    return questions


class _Reader:
    def __init__(self, document: Document, links: Mapping[Lang, Links]) -> None:
        self.document = document
        self.links = links
        self.slots = Placeholders(Section(document), {})

    def question(self, entry: Section) -> Question:
        entry.only(*KEYS)
        kind = cast(QuestionKind, entry.choice("kind", KINDS, "single", required=True))
        noted = len(self.document.problems)
        parameters = read_parameters(entry)
        if parameters and kind not in WITH_PARAMETERS:
            mend = f"remove them, or use one of: {', '.join(WITH_PARAMETERS)}"
            entry.problem("parameters", f"a {kind} question takes no parameters", mend)
        self.slots = Placeholders(entry, parameters, noted)
        feedback = entry.section("feedback")
        if feedback:
            feedback.only("right", "wrong")
        name = entry.text("id", required=True)
        if name and not SLUG.match(name):
            entry.problem("id", f"{name!r} is no id", "use a-z, 0-9 and hyphens: it stands in addresses")
        question = Question(
            id=name,
            kind=kind,
            prompt=self.html(entry, "prompt"),
            choices=self.choices(entry) if kind in WITH_CHOICES else (),
            items=self.items(entry) if kind == "order" else (),
            answer=entry.data.get("answer"),
            tolerance=entry.number("tolerance", 0.0),
            right=self.html(feedback, "right") if feedback and feedback.has("right") else {},
            wrong=self.html(feedback, "wrong") if feedback and feedback.has("wrong") else {},
        )
        if parameters:
            quiz_checks.check_expressions(entry, question)
            return replace(question, variants=read_variants(entry, self.slots, question.answer, question.tolerance))
        if not entry.has("parameters"):
            quiz_checks.check(entry, question)
        return question

    def html(self, entry: Section, key: str) -> Htmls:
        texts = entry.both_languages(key)
        line = self.document.line((*entry.path, key))
        inside = (*entry.path[len(self.slots.section.path) :], key)
        return {lang: self._render(self.slots.marked(texts[lang], (*inside, lang)), lang, line) for lang in LANGS}

    def _render(self, text: str, lang: Lang, line: int) -> Markup:
        rendered = render_inline(text, self.document.file, self.links[lang], line)
        self.document.problems.extend(rendered.problems)
        return rendered.html

    def choices(self, entry: Section) -> tuple[Choice, ...]:
        found: list[Choice] = []
        for choice in entry.sections("choices", required=True):
            choice.only("id", "text", "correct", "feedback")
            feedback = self.html(choice, "feedback") if choice.has("feedback") else {}
            name = choice.text("id", required=True)
            found.append(Choice(name, self.html(choice, "text"), choice.truth("correct"), feedback))
        return tuple(found)

    def items(self, entry: Section) -> tuple[Item, ...]:
        found: list[Item] = []
        for item in entry.sections("items", required=True):
            item.only("id", "text")
            found.append(Item(item.text("id", required=True), self.html(item, "text")))
        return tuple(found)
