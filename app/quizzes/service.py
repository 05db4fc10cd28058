"""Answering questions: checked against the key, kept with every attempt, answered with feedback."""

import random
from dataclasses import dataclass
from typing import Any, TypeVar

from markupsafe import Markup
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.content.model import Htmls, Lesson, Question
from app.errors import NotFound, Refusal
from app.i18n.locales import Lang
from app.quizzes import queries
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


def find(lesson: Lesson, name: str) -> Question:
    """Raises NotFound."""
    question = lesson.questions.get(name)
    if question is None:
        raise NotFound("question", name)
    return question


async def answer(
    session: AsyncSession, reader: Reader, lesson: Lesson, question: Question, given: Any, lang: Lang
) -> AnswerView:
    """Keeps and judges an answer. Raises Refusal 422 where it has not the form of one."""
    try:
        kept, correct = check(question, given)
    except Unanswerable as error:
        raise Refusal(422, "invalid", field="answer", reason=f"answer: {error}") from None
    before = await queries.of_question(session, reader.id, lesson.slug, question.id)
    entry = QuizAnswer(
        reader_id=reader.id,
        lesson=lesson.slug,
        question=question.id,
        attempt=len(before) + 1,
        answer=kept,
        correct=correct,
    )
    session.add(entry)
    await session.flush()
    return _answer_view(question, [*before, entry], lang)


def _answer_view(question: Question, attempts: list[QuizAnswer], lang: Lang) -> AnswerView:
    last = attempts[-1]
    revealed = any(entry.correct for entry in attempts) or len(attempts) >= REVEAL_AFTER
    chosen = last.answer if isinstance(last.answer, list) else [last.answer]
    return AnswerView(
        correct=last.correct,
        feedback=_text(question.right if last.correct else question.wrong, lang),
        choices={c.id: _text(c.feedback, lang) for c in question.choices if c.id in chosen and c.feedback},
        attempts=len(attempts),
        answer=last.answer,
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
    session: AsyncSession, reader: Reader | None, lesson: Lesson, lang: Lang
) -> dict[str, QuestionView]:
    """All questions of a lesson for one reader."""
    attempts: dict[str, list[QuizAnswer]] = {}
    for entry in await queries.of_lesson(session, reader.id, lesson.slug) if reader else []:
        attempts.setdefault(entry.question, []).append(entry)
    seed = reader.id if reader else 0
    return {
        question.id: _question_view(lesson, question, attempts.get(question.id, []), lang, seed)
        for question in lesson.questions.values()
    }


def _question_view(
    lesson: Lesson, question: Question, attempts: list[QuizAnswer], lang: Lang, seed: int
) -> QuestionView:
    # Shuffled, so that the order says nothing of the key; the same at each visit, so that nothing jumps about.
    shuffle = random.Random(f"{seed}/{lesson.slug}/{question.id}")  # noqa: S311  (no secret)
    choices = [OptionView(choice.id, choice.html[lang]) for choice in question.choices]
    items = [OptionView(item.id, item.html[lang]) for item in question.items]
    return QuestionView(
        id=question.id,
        kind=question.kind,
        prompt=question.prompt[lang],
        choices=_shuffled(choices, shuffle),
        items=_disordered(items, question.answer, shuffle),
        rank=len(question.answer) if question.kind == "shape" else 0,
        answered=_answer_view(question, attempts, lang) if attempts else None,
        url=f"/api/lessons/{lesson.slug}/quiz/{question.id}",
    )


def _shuffled(options: list[T], shuffle: random.Random) -> list[T]:
    return shuffle.sample(options, len(options))


def _disordered(items: list[OptionView], answer: Any, shuffle: random.Random) -> list[OptionView]:
    """Shuffled, but never into the right order."""
    shuffled = _shuffled(items, shuffle)
    return shuffled[::-1] if len(items) > 1 and [item.id for item in shuffled] == answer else shuffled
