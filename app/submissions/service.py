"""Accepting, showing and cancelling submissions."""

import secrets
from dataclasses import dataclass, field

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.errors import NotFound, Refusal, TooMany
from app.services import Services
from app.submissions import journal, queries
from app.submissions.models import Submission
from app.submissions.queue import queue_order
from app.text import storable
from grader.contract.codes import Code
from grader.contract.job import MAX_SOURCE_BYTES, Language, Purpose

HISTORY = 50
NOT_COUNTED = {Code.GRADER_FAULT, Code.CANCELLED, ""}


@dataclass(slots=True)
class Record:
    """What a reader's submissions to one exercise came to. Grader faults and cancelled ones are not counted."""

    attempts: int = 0
    wrong: int = 0
    solved: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A wish to have code graded (or, for `run`, only run)."""

    reader: Reader
    language: Language
    source: str
    exercise: str = ""
    purpose: Purpose = field(default="grade")


def check_source(source: str) -> None:
    """Raises Refusal: 422 not_utf8 or empty, 413 too_large."""
    if not storable(source):
        raise Refusal(422, "not_utf8", field="source")
    if not source.strip():
        raise Refusal(422, "empty", field="source")
    size = len(source.encode())
    if size > MAX_SOURCE_BYTES:
        raise Refusal(413, "too_large", field="source", limit=MAX_SOURCE_BYTES, size=size)


async def submit(session: AsyncSession, services: Services, order: Order) -> Submission:
    """Queues the code. Raises Refusal: what `check_source` raises, 409 already_running, 429, 503 queue_full."""
    check_source(order.source)
    running = await queries.unfinished_of(session, order.reader.id, order.exercise)
    if running is not None:
        raise Refusal(409, "already_running", submission=running.id)
    limit = services.settings.max_queue
    if await queries.queue_length(session) >= limit:
        raise Refusal(503, "queue_full", headers={"Retry-After": "60"}, limit=limit)
    if wait := services.submission_limit.wait_s(str(order.reader.id)):
        raise TooMany(wait)
    return await _queue(session, order)


async def _queue(session: AsyncSession, order: Order) -> Submission:
    submission = Submission(
        id=secrets.token_urlsafe(15),
        reader_id=order.reader.id,
        purpose=order.purpose,
        exercise=order.exercise,
        language=order.language,
        source=order.source,
        status="queued",
        attempt=1,
        events=0,
    )
    try:
        async with session.begin_nested():
            session.add(submission)
    except IntegrityError:  # a second click won the race; the unique index let only one in
        running = await queries.unfinished_of(session, order.reader.id, order.exercise)
        raise Refusal(409, "already_running", submission=running.id if running else "") from None
    position = await queue_position(session, submission)
    journal.add_event(session, submission, "queued", {"position": position, "reason": ""})
    return submission


async def waiting(session: AsyncSession) -> int:
    """Submissions that wait, of all readers."""
    return await queries.queue_length(session)


async def queue_position(session: AsyncSession, submission: Submission) -> int:
    """From 1; 0 where it does not wait."""
    if submission.status != "queued":
        return 0
    order = await queue_order(session)
    return order.index(submission.number) + 1 if submission.number in order else 0


async def own(session: AsyncSession, reader: Reader | None, submission_id: str, *, lock: bool = False) -> Submission:
    """The reader's submission. Raises NotFound for one that does not exist or is another's."""
    submission = await queries.get(session, submission_id, lock=lock) if reader else None
    if reader is None or submission is None or submission.reader_id != reader.id:
        raise NotFound("submission", submission_id)
    return submission


async def history(session: AsyncSession, reader: Reader | None, exercise: str) -> list[Submission]:
    """Newest first."""
    if reader is None:
        return []
    return list(await queries.history(session, reader.id, exercise, HISTORY))


async def records(session: AsyncSession, reader: Reader) -> dict[str, Record]:
    """By exercise."""
    found: dict[str, Record] = {}
    for exercise, code, count in await queries.codes_by_exercise(session, reader.id):
        record = found.setdefault(exercise, Record())
        if code in NOT_COUNTED:
            continue
        record.attempts += count
        if code == Code.ACCEPTED:
            record.solved = True
        else:
            record.wrong += count
    return found
