"""Is an answer right? Pure functions, one for each kind of question."""

import unicodedata
from collections.abc import Callable
from typing import Any

from app.content.model import Question, QuestionKind

Checked = tuple[Any, bool]
"""The answer as it is kept, and whether it is right."""


class Unanswerable(ValueError):
    """The answer has not the form that this kind of question takes."""


def check(question: Question, answer: Any) -> Checked:
    """Raises Unanswerable with a reason."""
    return CHECKS[question.kind](question, answer)


def right_answer(question: Question) -> Any:
    """The key, in the form of an answer."""
    right = [choice.id for choice in question.choices if choice.correct]
    match question.kind:
        case "single" | "status":
            return right[0]
        case "several":
            return right
        case "blank":
            return question.answer[0] if isinstance(question.answer, list) else question.answer
        case _:
            return question.answer


def _one(question: Question, answer: Any) -> Checked:
    chosen = {choice.id: choice for choice in question.choices}
    if not isinstance(answer, str) or answer not in chosen:
        raise Unanswerable("choose one of the choices")
    return answer, chosen[answer].correct


def _several(question: Question, answer: Any) -> Checked:
    names = _names(answer, {choice.id for choice in question.choices})
    return names, set(names) == {choice.id for choice in question.choices if choice.correct}


def _order(question: Question, answer: Any) -> Checked:
    names = _names(answer, {item.id for item in question.items})
    if len(names) != len(question.items):
        raise Unanswerable("place every item")
    return names, names == question.answer


def _names(answer: Any, known: set[str]) -> list[str]:
    if not isinstance(answer, list) or not all(isinstance(name, str) and name in known for name in answer):
        raise Unanswerable("give a list of ids")
    if len(set(answer)) != len(answer):
        raise Unanswerable("an id is given twice")
    return answer


def _number(question: Question, answer: Any) -> Checked:
    try:
        value = float(answer.replace(",", "").replace("−", "-")) if isinstance(answer, str) else float(answer)
    except (TypeError, ValueError):
        raise Unanswerable("give a number") from None
    if isinstance(answer, bool) or value != value or abs(value) == float("inf"):
        raise Unanswerable("give a number")
    kept = int(value) if value == int(value) else value
    return kept, abs(value - question.answer) <= question.tolerance


def _blank(question: Question, answer: Any) -> Checked:
    if not isinstance(answer, str) or not answer.strip() or len(answer) > 500:
        raise Unanswerable("write a text")
    accepted = question.answer if isinstance(question.answer, list) else [question.answer]
    return answer, _plain(answer) in {_plain(text) for text in accepted}


def _plain(text: str) -> str:
    """Spacing and Unicode form do not matter; upper and lower case do, as in C."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _shape(question: Question, answer: Any) -> Checked:
    if not isinstance(answer, list) or not answer or not all(type(size) is int for size in answer):
        raise Unanswerable("give a list of integers")
    return answer, answer == question.answer


CHECKS: dict[QuestionKind, Callable[[Question, Any], Checked]] = {
    "single": _one,
    "status": _one,
    "several": _several,
    "order": _order,
    "number": _number,
    "blank": _blank,
    "shape": _shape,
}
