"""What a reader did with a lesson. Solved exercises and right answers are read from submissions and quiz answers."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now


class LessonProgress(Base):
    __tablename__ = "lesson_progress"

    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(100), primary_key=True)
    read_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    heading: Mapped[str] = mapped_column(String(200), default="")
    """Id of the heading where the reader last was; empty at the top."""
    visited_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
