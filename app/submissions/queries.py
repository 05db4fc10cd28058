"""Database access for submissions and their events."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.submissions.fairness import Served, Waiting
from app.submissions.models import Submission, SubmissionEvent

UNFINISHED = ("queued", "running")


async def get(session: AsyncSession, submission_id: str, *, lock: bool = False) -> Submission | None:
    query = select(Submission).where(Submission.id == submission_id)
    return await session.scalar(query.with_for_update() if lock else query)


async def get_numbered(session: AsyncSession, number: int) -> Submission | None:
    return await session.scalar(select(Submission).where(Submission.number == number).with_for_update())


async def unfinished_of(session: AsyncSession, reader_id: int, exercise: str) -> Submission | None:
    query = select(Submission).where(
        Submission.reader_id == reader_id, Submission.exercise == exercise, Submission.status.in_(UNFINISHED)
    )
    return await session.scalar(query)


async def waiting(session: AsyncSession) -> list[Waiting]:
    query = select(Submission.number, Submission.reader_id, Submission.created_at).where(Submission.status == "queued")
    return [Waiting(number, reader_id, since) for number, reader_id, since in await session.execute(query)]


async def served(session: AsyncSession, since: datetime) -> list[Served]:
    """Submissions that run, and those begun since then."""
    query = select(Submission.reader_id, Submission.started_at, Submission.status).where(
        or_(Submission.status == "running", Submission.started_at >= since)
    )
    return [Served(reader_id, at, status == "running") for reader_id, at, status in await session.execute(query) if at]


async def running(session: AsyncSession) -> Sequence[Submission]:
    query = select(Submission).where(Submission.status == "running").order_by(Submission.number).with_for_update()
    return (await session.scalars(query)).all()


async def cancelled_running(session: AsyncSession) -> list[str]:
    query = select(Submission.id).where(Submission.status == "running", Submission.cancelled)
    return list(await session.scalars(query))


async def queue_length(session: AsyncSession) -> int:
    query = select(func.count()).select_from(Submission).where(Submission.status == "queued")
    return await session.scalar(query) or 0


async def history(session: AsyncSession, reader_id: int, exercise: str, limit: int) -> Sequence[Submission]:
    query = select(Submission).where(Submission.reader_id == reader_id, Submission.exercise == exercise)
    return (await session.scalars(query.order_by(Submission.number.desc()).limit(limit))).all()


async def codes_by_exercise(session: AsyncSession, reader_id: int) -> list[tuple[str, str, int]]:
    """(exercise, code, count) of the reader's graded submissions; code is "" for unfinished ones."""
    query = (
        select(Submission.exercise, Submission.code, func.count())
        .where(Submission.reader_id == reader_id, Submission.purpose == "grade")
        .group_by(Submission.exercise, Submission.code)
    )
    return [(exercise, code, count) for exercise, code, count in (await session.execute(query))]


async def sequence_numbers(session: AsyncSession, number: int, attempt: int) -> set[int]:
    """Of the grader's events of an attempt that are stored."""
    query = select(SubmissionEvent.seq).where(
        SubmissionEvent.submission == number, SubmissionEvent.attempt == attempt, SubmissionEvent.seq.is_not(None)
    )
    return {seq for seq in await session.scalars(query) if seq is not None}


async def events_after(session: AsyncSession, number: int, last: int) -> Sequence[SubmissionEvent]:
    query = select(SubmissionEvent).where(SubmissionEvent.submission == number, SubmissionEvent.number > last)
    return (await session.scalars(query.order_by(SubmissionEvent.number))).all()


async def verdict(session: AsyncSession, number: int) -> dict[str, Any] | None:
    query = select(SubmissionEvent.data).where(SubmissionEvent.submission == number, SubmissionEvent.type == "verdict")
    return await session.scalar(query)
