"""What can be wrong with a question of quiz.yaml once it has been read. Problems are noted in its document.

`check` and `check_expressions` find what keeps a question from being asked; `check_quiz` what it is asked in spite of.
"""

import math
from collections.abc import Iterator
from typing import Any

from app.content.model import KINDS, WITH_CHOICES, Lesson, Question, QuestionKind
from app.i18n.locales import LANGS
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import Problem

NAMES = {"ko": "Korean", "en": "English"}
ONLY_OF = {"choices": WITH_CHOICES, "items": ("order",), "tolerance": ("number",)}
"""Keys that only questions of these kinds have."""


def check_quiz(lesson: Lesson) -> Iterator[Problem]:
    file = lesson.folder / "quiz.yaml"
    if not file.is_file():
        return
    document = load_marked(file)
    for entry in Section(document).sections("questions"):
        if question := lesson.questions.get(entry.text("id")):
            _check_keys(entry, question)
            _check_options(entry, question)
            if not question.variants and question.kind == "number":
                _check_tolerance(entry, question)
            elif question.kind == "blank" and isinstance(question.answer, list):
                _check_texts(entry, question.answer)
    yield from document.problems


def _check_keys(entry: Section, question: Question) -> None:
    """Keys of another kind, and feedback."""
    for key, kinds in ONLY_OF.items():
        if entry.has(key) and question.kind in KINDS and question.kind not in kinds:
            mend = f"remove it, or write `kind: {kinds[0]}`"
            entry.problem(key, f"a {question.kind} question takes no `{key}`", mend)
    if question.kind in WITH_CHOICES:
        for number, choice in enumerate(question.choices):
            if not choice.correct and not choice.feedback:
                place = Section(entry.document, (*entry.path, "choices", number))
                message = f"the wrong choice {choice.id!r} has no feedback"
                place.problem(None, message, "add `feedback: {ko: …, en: …}`: why one might think so")
    elif question.kind in KINDS:
        for key, texts in (("right", question.right), ("wrong", question.wrong)):
            if not texts:
                mend = f"add `feedback:` with `{key}: {{ko: …, en: …}}`"
                entry.problem("feedback", f"question {question.id!r} says nothing to a {key} answer", mend)


def check_expressions(entry: Section, question: Question) -> None:
    """The answer of a question with parameters: one expression, or one for each dimension of a shape."""
    sizes = question.answer if question.kind == "shape" else [question.answer]
    if not isinstance(sizes, list) or not sizes or not all(type(size) in (int, float, str) for size in sizes):
        wanted = "a list of expressions" if question.kind == "shape" else "an expression in the parameters"
        key = "answer" if entry.has("answer") else None
        entry.problem(key, f"question {question.id!r} has no answer to work out", f"write `answer:` with {wanted}")


def check(entry: Section, question: Question) -> None:
    """Of a question without parameters: its options and its answer."""
    options = question.choices or question.items
    names = [option.id for option in options]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        entry.problem(_options(entry), f"two options have the id {twice!r}", "give each option its own id")
    if question.kind in WITH_CHOICES:
        _check_choices(entry, question)
    elif question.kind in KINDS:
        _check_answer(entry, question, names)


def _check_options(entry: Section, question: Question) -> None:
    options = question.choices or question.items
    for lang in LANGS:
        if len({option.html[lang] for option in options}) < len(options):
            message = f"two options of question {question.id!r} read alike in {NAMES[lang]}"
            entry.problem(_options(entry), message, "word one of them differently")
            break
    if question.kind in (*WITH_CHOICES, "order") and len(options) == 1:
        entry.problem(_options(entry), f"question {question.id!r} has one option only", "add the others")
    if question.kind == "several" and all(choice.correct for choice in question.choices):
        entry.problem("choices", "every choice is correct", "add a wrong one: whoever ticks all would be right")


def _options(entry: Section) -> str:
    return "items" if entry.has("items") else "choices"


def _check_choices(entry: Section, question: Question) -> None:
    right = sum(choice.correct for choice in question.choices)
    if question.kind == "several" and not right:
        entry.problem("choices", "no choice is correct", "write `correct: true` on the right ones")
    if question.kind != "several" and right != 1:
        mend = "write `correct: true` on exactly one, or `kind: several`"
        entry.problem("choices", f"{right} choices are correct", mend)
    if entry.has("answer"):
        entry.problem("answer", f"a {question.kind} question takes no `answer`", "write `correct: true` on the choice")


def _check_answer(entry: Section, question: Question, names: list[str]) -> None:
    good, wanted = _good_answer(question.kind, question.answer, names)
    if not entry.has("answer"):
        entry.problem(None, f"question {question.id!r} has no answer", f"add `answer:` with {wanted}")
    elif not good:
        entry.problem("answer", f"the answer {question.answer!r} does not fit {question.kind}", f"write {wanted}")


def _check_tolerance(entry: Section, question: Question) -> None:
    tolerance, answer = question.tolerance, question.answer
    if tolerance < 0 or not math.isfinite(tolerance):
        entry.problem("tolerance", f"a tolerance of {tolerance:g}", "give a number of at least 0, or leave it out")
    elif answer and tolerance >= abs(answer):
        mend = "give less: it is the distance from the answer, not a percentage"
        entry.problem("tolerance", f"a tolerance of {tolerance:g} about {answer:g} takes 0 for right", mend)
    elif not tolerance and answer != int(answer):
        mend = "add `tolerance:`, the distance from it that is still right"
        entry.problem("answer", f"{answer:g} is no integer and has no tolerance", mend)


def _good_answer(kind: QuestionKind, answer: Any, names: list[str]) -> tuple[bool, str]:
    match kind:
        case "number":
            good = isinstance(answer, int | float) and not isinstance(answer, bool) and math.isfinite(answer)
            return good, "a number"
        case "blank":
            texts = answer if isinstance(answer, list) else [answer]
            good = bool(texts) and all(isinstance(text, str) and text.strip() for text in texts)
            return good, "a list of accepted texts"
        case "shape":
            good = isinstance(answer, list) and bool(answer) and all(type(size) is int and size > 0 for size in answer)
            return good, "a list of integers of at least 1"
        case _:
            good = isinstance(answer, list) and sorted(map(str, answer)) == sorted(names)
            return good, f"the ids of all items in order: {', '.join(names)}"


def _check_texts(entry: Section, texts: list[str]) -> None:
    plain = [" ".join(text.split()) for text in texts]
    for number, text in enumerate(plain):
        if text in plain[:number]:
            mend = "keep one of them: spacing does not count"
            entry.problem("answer", f"{texts[number]!r} is accepted already", mend)
