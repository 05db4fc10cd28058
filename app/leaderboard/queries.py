"""Database access for best times and names."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.leaderboard.models import BestTime, BoardName

Row = tuple[BestTime, str]
"""A best time and the name it stands under."""


async def best(session: AsyncSession, reader_id: int, exercise: str, device: str) -> BestTime | None:
    return await session.get(BestTime, (reader_id, exercise, device), with_for_update=True)


async def name_of(session: AsyncSession, reader_id: int) -> BoardName | None:
    return await session.get(BoardName, reader_id)


async def is_taken(session: AsyncSession, name: str) -> bool:
    return await session.scalar(select(BoardName.name).where(BoardName.name == name)) is not None


async def devices(session: AsyncSession, exercise: str) -> list[str]:
    """Devices with a time on them that may be shown."""
    query = select(BestTime.device).join(BoardName, BoardName.reader_id == BestTime.reader_id)
    query = query.where(BestTime.exercise == exercise, BoardName.hidden.is_(False))
    return list(await session.scalars(query.distinct().order_by(BestTime.device)))


async def board(session: AsyncSession, exercise: str, device: str, limit: int) -> list[Row]:
    """Fastest first; equal times in the order in which they were reached. Without hidden readers."""
    query = (
        select(BestTime, BoardName.name)
        .join(BoardName, BoardName.reader_id == BestTime.reader_id)
        .where(BestTime.exercise == exercise, BestTime.device == device, BoardName.hidden.is_(False))
        .order_by(BestTime.seconds, BestTime.reached_at, BestTime.reader_id)
        .limit(limit)
    )
    return [(time, name) for time, name in await session.execute(query)]


async def faster_than(session: AsyncSession, time: BestTime) -> int:
    """How many shown readers are faster."""
    query = (
        select(func.count())
        .select_from(BestTime)
        .join(BoardName, BoardName.reader_id == BestTime.reader_id)
        .where(
            BestTime.exercise == time.exercise,
            BestTime.device == time.device,
            BestTime.seconds < time.seconds,
            BestTime.reader_id != time.reader_id,
            BoardName.hidden.is_(False),
        )
    )
    return await session.scalar(query) or 0
