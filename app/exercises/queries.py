"""Database access for drafts and help."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.exercises.models import Draft, Help


async def drafts(session: AsyncSession, reader_id: int, exercise: str) -> Sequence[Draft]:
    query = select(Draft).where(Draft.reader_id == reader_id, Draft.exercise == exercise)
    return (await session.scalars(query.order_by(Draft.saved_at))).all()


async def draft(session: AsyncSession, reader_id: int, exercise: str, language: str) -> Draft | None:
    return await session.get(Draft, (reader_id, exercise, language))


async def help_of(session: AsyncSession, reader_id: int, exercise: str) -> Help | None:
    return await session.get(Help, (reader_id, exercise))
