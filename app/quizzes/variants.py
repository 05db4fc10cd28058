"""Which drawing of its parameters a question is asked with: named in an address, answered last, or drawn."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app.content.model import Htmls, Lesson, Question, Variant
from app.errors import Refusal
from app.quizzes.models import QuizAnswer

SEPARATOR = "~"
"""Between question and variant in `?ask=strides~4_16_10`."""

_fresh = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as one reader sees it."""

    question: Question
    """With the variant filled in."""
    variant: Variant | None
    attempts: list[QuizAnswer]
    """Those at this variant, in order."""


def filled(question: Question, variant: Variant) -> Question:
    """The question with this variant's numbers in its texts and its answer."""

    def fill(htmls: Htmls) -> Htmls:
        return {lang: _fill(html, variant.words) for lang, html in htmls.items()}

    prompt, right, wrong = fill(question.prompt), fill(question.right), fill(question.wrong)
    return replace(question, answer=variant.answer, prompt=prompt, right=right, wrong=wrong)


def _fill(html: Markup, words: Mapping[str, str]) -> Markup:
    text = str(html)
    for mark, word in words.items():
        text = text.replace(mark, word)
    return Markup(text)  # noqa: S704  (rendered and sanitised content, and numbers)


def named(question: Question, key: str) -> Variant | None:
    """The variant that an answer is for; None for a question without parameters. Raises Refusal 422."""
    if not question.variants and not key:
        return None
    variant = question.variants.get(key)
    if variant is None:
        raise Refusal(422, "invalid", field="variant", reason="variant: not one of this question's")
    return variant


def kept(answer: Any, variant: Variant | None) -> Any:
    """What an answer's row holds: beside the answer, the values it was given for."""
    return {"given": answer, "values": dict(variant.values)} if variant else answer


def given(entry: QuizAnswer) -> Any:
    return entry.answer["given"] if isinstance(entry.answer, dict) else entry.answer


def values(entry: QuizAnswer) -> Mapping[str, Any] | None:
    """The parameters' values when it was answered; None where the question had none."""
    return entry.answer["values"] if isinstance(entry.answer, dict) else None


def asked(question: Question, entries: Sequence[QuizAnswer], key: str, seed: str) -> Asked:
    """entries: the reader's answers to it, in order. key: the variant of the address, "" where it names none."""
    variant = None
    if question.variants:
        variant = question.variants.get(key) or _last(question, entries) or _drawn(question, seed)
    wanted = variant.values if variant else None
    at_this = [entry for entry in entries if values(entry) == wanted]
    return Asked(filled(question, variant) if variant else question, variant, at_this)


def _last(question: Question, entries: Sequence[QuizAnswer]) -> Variant | None:
    """The variant answered last, where the question still has it."""
    held = values(entries[-1]) if entries else None
    return next((variant for variant in question.variants.values() if variant.values == held), None)


def _drawn(question: Question, seed: str) -> Variant:
    """Always the same one for a seed."""
    return random.Random(f"{seed}/variant").choice(list(question.variants.values()))  # noqa: S311  (no secret)


def another(question: Question, variant: Variant) -> Variant:
    """A fresh one, never the same again."""
    return _fresh.choice([other for other in question.variants.values() if other.key != variant.key])


def wanted(lesson: Lesson, asks: Iterable[str]) -> dict[str, str]:
    """Variants that an address asks for, by question. What does not exist (any more) is left out."""
    pairs = (ask.partition(SEPARATOR) for ask in asks)
    known = {name: question.variants for name, question in lesson.questions.items()}
    return {name: key for name, _, key in pairs if key in known.get(name, {})}


def query(pins: Mapping[str, str]) -> str:
    """The part of an address that keeps these variants, with its question mark; "" where there is none."""
    asks = [("ask", f"{name}{SEPARATOR}{key}") for name, key in pins.items()]
    return f"?{urlencode(asks)}" if asks else ""
