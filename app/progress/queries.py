"""Database access for lesson progress."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.progress.models import LessonProgress


async def of_reader(session: AsyncSession, reader_id: int) -> Sequence[LessonProgress]:
    """The lesson visited last comes first."""
    query = select(LessonProgress).where(LessonProgress.reader_id == reader_id)
    return (await session.scalars(query.order_by(LessonProgress.visited_at.desc()))).all()


async def get(session: AsyncSession, reader_id: int, lesson: str) -> LessonProgress | None:
    return await session.get(LessonProgress, (reader_id, lesson))
