"""Database access for drafts and help."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.exercises.models import Draft, Help


async def drafts(session: AsyncSession, reader_id: int, exercise: str) -> Sequence[Draft]:
    query = select(Draft).where(Draft.reader_id == reader_id, Draft.exercise == exercise)
    return (await session.scalars(query.order_by(Draft.saved_at))).all()


async def draft(session: AsyncSession, reader_id: int, exercise: str, language: str) -> Draft | None:
    return await session.get(Draft, (reader_id, exercise, language))


async def last_written(session: AsyncSession, reader_id: int) -> tuple[str, datetime] | None:
    """Exercise of the draft that was saved last, and when; one that was reset is none. Every page asks: no sources."""
    query = select(Draft.exercise, Draft.saved_at).where(Draft.reader_id == reader_id, Draft.source.is_not(None))
    found = (await session.execute(query.order_by(Draft.saved_at.desc()).limit(1))).first()
    return (found.exercise, found.saved_at) if found else None


async def help_of(session: AsyncSession, reader_id: int, exercise: str) -> Help | None:
    return await session.get(Help, (reader_id, exercise))
