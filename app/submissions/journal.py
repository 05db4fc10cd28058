"""Every change of a submission's state. Each function runs within one transaction of its caller."""

import logging
from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import now
from app.leaderboard import service as leaderboard
from app.submissions import queries
from app.submissions.messages import GraderEvent, is_good_verdict
from app.submissions.models import Submission, SubmissionEvent
from grader.contract.codes import Code
from grader.contract.job import BackendName, Job
from grader.contract.verdict import Verdict

log = logging.getLogger(__name__)

MAX_FAULTS = 3
"""Faults of the grader after which a submission is closed as `grader_fault`; it never counts against the learner."""


class Outcome(Enum):
    STORED = auto()
    DROPPED = auto()
    FINISHED = auto()
    REQUEUED = auto()


def add_event(
    session: AsyncSession, submission: Submission, kind: str, data: dict[str, Any], seq: int | None = None
) -> None:
    submission.events += 1
    event = SubmissionEvent(
        submission=submission.number,
        number=submission.events,
        attempt=submission.attempt,
        seq=seq,
        type=kind,
        data=data,
    )
    session.add(event)


async def start(session: AsyncSession, submission: Submission, backend: BackendName) -> Job | None:
    """Marks a queued submission as running and gives its job. None where it is queued no longer."""
    if submission.status != "queued":
        return None
    submission.status, submission.started_at = "running", now()
    return Job.from_json(
        {
            "id": submission.id,
            "language": submission.language,
            "source": submission.source,
            "exercise": submission.exercise,
            "purpose": submission.purpose,
            "backend": backend,
            "attempt": submission.attempt,
        }
    )


async def record(session: AsyncSession, events: Sequence[GraderEvent]) -> list[Outcome]:
    """Stores events of running attempts, each once. Late, duplicate and foreign ones are dropped."""
    with session.no_autoflush:
        batch = _Batch(session)
        return [await batch.record(event) for event in events]


class _Batch:
    """Events that are stored together: what is asked of the database, is asked once for all of a submission."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self._submissions: dict[str, Submission | None] = {}
        self._known: dict[tuple[int, int], set[int]] = {}
        """(submission, attempt) → sequence numbers that are stored."""

    async def record(self, event: GraderEvent) -> Outcome:
        session = self._session
        if event.job not in self._submissions:
            self._submissions[event.job] = await queries.get(session, event.job, lock=True)
        submission = self._submissions[event.job]
        if submission is None or submission.status != "running" or submission.attempt != event.attempt:
            return Outcome.DROPPED
        if await self._is_known(submission, event):
            return Outcome.DROPPED
        if event.type != "verdict":
            add_event(session, submission, event.type, event.data, event.seq)
            return Outcome.STORED
        if not is_good_verdict(event.data):
            log.warning("submission %s: malformed verdict %.200r", event.job, event.data)
            return await repeat(session, submission, fault="malformed verdict")
        if event.data["code"] == Code.GRADER_FAULT:
            return await repeat(session, submission, fault=str(event.data.get("data", {})))
        finish(session, submission, event.data, event.seq)
        if submission.purpose == "grade":
            reader, slug, language = submission.reader_id, submission.exercise, submission.language
            await leaderboard.keep(session, reader, slug, language, event.data)
        return Outcome.FINISHED

    async def _is_known(self, submission: Submission, event: GraderEvent) -> bool:
        """Whether the event has been stored before; from now on it has been."""
        key = (submission.number, event.attempt)
        if key not in self._known:
            self._known[key] = await queries.sequence_numbers(self._session, *key)
        known = event.seq in self._known[key]
        self._known[key].add(event.seq)
        return known


async def repeat(session: AsyncSession, submission: Submission, *, fault: str = "") -> Outcome:
    """Queues a running submission again; closes it where it was cancelled or the grader failed too often.

    fault: what went wrong in the grader; empty for a restart of the web program, which counts as nobody's fault. It may
    name files, programs and other readers' submissions, so it goes to the log and never into the verdict.
    """
    if submission.cancelled:
        finish(session, submission, Verdict(Code.CANCELLED).to_json())
        return Outcome.FINISHED
    if fault:
        submission.faults += 1
        log.warning("submission %s, attempt %d: grader fault: %s", submission.id, submission.attempt, fault)
    if submission.faults >= MAX_FAULTS:
        finish(session, submission, Verdict(Code.GRADER_FAULT).to_json())
        return Outcome.FINISHED
    submission.status = "queued"
    submission.attempt += 1
    add_event(session, submission, "queued", {"position": 1, "reason": "grader_fault" if fault else "restart"})
    return Outcome.REQUEUED


def finish(session: AsyncSession, submission: Submission, verdict: dict[str, Any], seq: int | None = None) -> None:
    """Records the one verdict of a submission and closes it."""
    add_event(session, submission, "verdict", verdict, seq)
    submission.status = "done"
    submission.code = verdict["code"]
    submission.backend = (verdict.get("backend") or {}).get("name", "")
    submission.passed = verdict.get("passed", 0)
    submission.total = verdict.get("total", 0)
    submission.detail = {"data": verdict.get("data", {}), "first_failed": verdict.get("first_failed", "")}
    submission.finished_at = now()


async def cancel(session: AsyncSession, submission: Submission) -> bool:
    """Cancels: at once where it is queued. True where the grader must be told."""
    if submission.status == "done":
        return False
    submission.cancelled = True
    if submission.status == "queued":
        finish(session, submission, Verdict(Code.CANCELLED).to_json())
        return False
    return True


async def recover(session: AsyncSession, faulted: dict[str, str], flying: set[str]) -> list[str]:
    """Queues again every submission that is marked as running but is with no grader. Gives their ids.

    faulted: id → fault, for those that the grader failed on; flying: ids that a grader has now.
    """
    changed: list[str] = []
    for submission in await queries.running(session):
        if submission.id not in flying:
            await repeat(session, submission, fault=faulted.get(submission.id, ""))
            changed.append(submission.id)
    return changed
