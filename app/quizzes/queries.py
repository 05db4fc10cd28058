"""Database access for quiz answers."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.quizzes.models import QuizAnswer


async def of_lesson(session: AsyncSession, reader_id: int, lesson: str) -> Sequence[QuizAnswer]:
    """Every attempt, in order."""
    query = select(QuizAnswer).where(QuizAnswer.reader_id == reader_id, QuizAnswer.lesson == lesson)
    return (await session.scalars(query.order_by(QuizAnswer.id))).all()


async def of_question(session: AsyncSession, reader_id: int, lesson: str, question: str) -> Sequence[QuizAnswer]:
    query = select(QuizAnswer).where(
        QuizAnswer.reader_id == reader_id, QuizAnswer.lesson == lesson, QuizAnswer.question == question
    )
    return (await session.scalars(query.order_by(QuizAnswer.id))).all()


async def right(session: AsyncSession, reader_id: int) -> list[tuple[str, str]]:
    """(lesson, question) answered rightly at least once."""
    query = select(QuizAnswer.lesson, QuizAnswer.question).where(QuizAnswer.reader_id == reader_id, QuizAnswer.correct)
    return [(lesson, question) for lesson, question in (await session.execute(query.distinct()))]
