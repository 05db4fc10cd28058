"""Answering questions: checked against the key, kept with every attempt, answered with feedback."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from markupsafe import Markup
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.content.model import Htmls, Lesson, Question
from app.errors import NotFound, Refusal
from app.i18n.locales import Lang
from app.quizzes import queries, variants
from app.quizzes.checking import Unanswerable, check, right_answer
from app.quizzes.models import QuizAnswer

REVEAL_AFTER = 3
"""Attempts after which the right answer is shown even though it was not found."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnswerView:
    correct: bool
    feedback: Markup
    choices: dict[str, Markup]
    attempts: int
    answer: Any
    correct_answer: Any = None
    """None as long as it is not to be known."""


@dataclass(frozen=True, slots=True)
class OptionView:
    id: str
    html: Markup


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What a browser may know of a question: nothing of its key."""

    id: str
    kind: str
    prompt: Markup
    choices: list[OptionView]
    items: list[OptionView]
    rank: int
    answered: AnswerView | None
    url: str
    action: str
    """Where the form goes without JavaScript. Its query keeps the variants that a reload has to show again."""
    variant: str = ""
    """Key of the drawing shown; empty for a question without parameters."""
    another: str = ""
    """Address of the page with a fresh drawing."""


def find(lesson: Lesson, name: str) -> Question:
    """Raises NotFound."""
    question = lesson.questions.get(name)
    if question is None:
        raise NotFound("question", name)
    return question


async def answer(
    session: AsyncSession, reader: Reader, lesson: Lesson, question: Question, given: Any, key: str, lang: Lang
) -> AnswerView:
    """Keeps and judges an answer to the variant `key`. Raises Refusal 422 where it has not the form of one."""
    variant = variants.named(question, key)
    asked = variants.filled(question, variant) if variant else question
    try:
        kept, correct = check(asked, given)
    except Unanswerable as error:
        raise Refusal(422, "invalid", field="answer", reason=f"answer: {error}") from None
    before = await queries.of_question(session, reader.id, lesson.slug, question.id)
    entry = QuizAnswer(
        reader_id=reader.id,
        lesson=lesson.slug,
        question=question.id,
        attempt=len(before) + 1,
        answer=variants.kept(kept, variant),
        correct=correct,
    )
    session.add(entry)
    await session.flush()
    at_this = [old for old in before if variants.values(old) == (variant.values if variant else None)]
    return _answer_view(asked, [*at_this, entry], lang)


def _answer_view(question: Question, attempts: list[QuizAnswer], lang: Lang) -> AnswerView:
    last = attempts[-1]
    revealed = any(entry.correct for entry in attempts) or len(attempts) >= REVEAL_AFTER
    given = variants.given(last)
    chosen = given if isinstance(given, list) else [given]
    return AnswerView(
        correct=last.correct,
        feedback=_text(question.right if last.correct else question.wrong, lang),
        choices={c.id: _text(c.feedback, lang) for c in question.choices if c.id in chosen and c.feedback},
        attempts=len(attempts),
        answer=given,
        correct_answer=right_answer(question) if revealed else None,
    )


def _text(texts: Htmls, lang: Lang) -> Markup:
    return texts.get(lang, Markup())


async def right_by_lesson(session: AsyncSession, reader: Reader) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for lesson, question in await queries.right(session, reader.id):
        found.setdefault(lesson, set()).add(question)
    return {lesson: frozenset(questions) for lesson, questions in found.items()}


async def question_views(
    session: AsyncSession, reader: Reader | None, lesson: Lesson, lang: Lang, asks: Mapping[str, str]
) -> dict[str, QuestionView]:
    """All questions of a lesson for one reader. asks: variants that the address names, by question."""
    attempts: dict[str, list[QuizAnswer]] = {}
    for entry in await queries.of_lesson(session, reader.id, lesson.slug) if reader else []:
        attempts.setdefault(entry.question, []).append(entry)
    seed = f"{reader.id if reader else 0}/{lesson.slug}"
    shown = {
        name: variants.asked(question, attempts.get(name, []), asks.get(name, ""), f"{seed}/{name}")
        for name, question in lesson.questions.items()
    }
    # What is drawn hangs on the reader, and a guest becomes one with the first answer: their address keeps everything.
    drawn = {name: asked.variant.key for name, asked in shown.items() if asked.variant}
    pins = dict(asks) if reader else drawn
    return {name: _question_view(lesson, asked, lang, f"{seed}/{name}", pins) for name, asked in shown.items()}


def _question_view(
    lesson: Lesson, asked: variants.Asked, lang: Lang, seed: str, pins: Mapping[str, str]
) -> QuestionView:
    # Shuffled, so that the order says nothing of the key; the same at each visit, so that nothing jumps about.
    shuffle = random.Random(seed)  # noqa: S311  (no secret)
    question, variant = asked.question, asked.variant
    page, path = f"/{lang}/lessons/{lesson.slug}", f"/lessons/{lesson.slug}/quiz/{question.id}"
    fresh = {**pins, question.id: variants.another(question, variant).key} if variant else {}
    return QuestionView(
        id=question.id,
        kind=question.kind,
        prompt=question.prompt[lang],
        choices=_shuffled([OptionView(choice.id, choice.html[lang]) for choice in question.choices], shuffle),
        items=_disordered([OptionView(item.id, item.html[lang]) for item in question.items], question.answer, shuffle),
        rank=len(question.answer) if question.kind == "shape" else 0,
        answered=_answer_view(question, asked.attempts, lang) if asked.attempts else None,
        url=f"/api{path}",
        action=f"/{lang}{path}{variants.query(pins)}",
        variant=variant.key if variant else "",
        another=f"{page}{variants.query(fresh)}#question-{question.id}" if variant else "",
    )


def _shuffled(options: list[T], shuffle: random.Random) -> list[T]:
    return shuffle.sample(options, len(options))


def _disordered(items: list[OptionView], answer: Any, shuffle: random.Random) -> list[OptionView]:
    """Shuffled, but never into the right order."""
    shuffled = _shuffled(items, shuffle)
    return shuffled[::-1] if len(items) > 1 and [item.id for item in shuffled] == answer else shuffled
