"""The queue as it stands in the database."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.submissions import queries
from app.submissions.fairness import fair_order


async def queue_order(session: AsyncSession) -> list[int]:
    """Numbers of the queued submissions, the next one first."""
    waiting = await queries.waiting(session)
    if not waiting:
        return []
    return fair_order(waiting, await queries.served(session, min(entry.since for entry in waiting)))
