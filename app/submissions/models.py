"""Submissions and their events. The database is the truth: the dispatcher keeps nothing that is not here."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now

UNFINISHED = text("status IN ('queued', 'running')")


class Submission(Base):
    __tablename__ = "submissions"
    __table_args__ = (
        Index(
            "uq_submissions_one_unfinished",
            "reader_id",
            "exercise",
            unique=True,
            sqlite_where=UNFINISHED,
            postgresql_where=UNFINISHED,
        ),
        Index("ix_submissions_started", "started_at"),
        Index("ix_submissions_reader", "reader_id", "exercise", "number"),
        Index("ix_submissions_unfinished", "number", sqlite_where=UNFINISHED, postgresql_where=UNFINISHED),
    )

    number: Mapped[int] = mapped_column(primary_key=True)
    """Order of arrival."""
    id: Mapped[str] = mapped_column(String(32), unique=True)
    """Random: what URLs and the grader know it by."""
    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"))
    purpose: Mapped[str] = mapped_column(String(10), default="grade")
    exercise: Mapped[str] = mapped_column(String(100), default="")
    """Empty for a snippet (purpose `run`)."""
    language: Mapped[str] = mapped_column(String(10))
    source: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(10), default="queued")
    """queued, running or done."""
    attempt: Mapped[int] = mapped_column(default=1)
    """From 1; counted up whenever the job is sent again."""
    faults: Mapped[int] = mapped_column(default=0)
    """Attempts that ended by a fault of the grader."""
    events: Mapped[int] = mapped_column(default=0)
    """Events recorded so far: the number of the last one."""
    cancelled: Mapped[bool] = mapped_column(default=False)
    code: Mapped[str] = mapped_column(String(20), default="")
    """Code of the verdict once done."""
    backend: Mapped[str] = mapped_column(String(10), default="")
    passed: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """The little of the verdict that its sentence needs, so that a history reads no verdicts."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the last attempt went to a grader."""
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SubmissionEvent(Base):
    """One event of a submission, stored once: both keys make a second copy impossible."""

    __tablename__ = "submission_events"
    __table_args__ = (
        UniqueConstraint("submission", "attempt", "seq", name="uq_submission_events_from_grader"),
        UniqueConstraint("submission", "number", name="uq_submission_events_number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    submission: Mapped[int] = mapped_column(ForeignKey("submissions.number", ondelete="CASCADE"))
    number: Mapped[int]
    """From 1 within the submission: the id of the server-sent event."""
    attempt: Mapped[int]
    seq: Mapped[int | None]
    """The grader's own number within the attempt; None for events of the web program."""
    type: Mapped[str] = mapped_column(String(10))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
