"""What a reader keeps at an exercise: drafts by language, opened hints."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now


class Draft(Base):
    __tablename__ = "drafts"

    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(100), primary_key=True)
    language: Mapped[str] = mapped_column(String(10), primary_key=True)
    source: Mapped[str | None] = mapped_column(Text)
    """None after a reset: the starter is shown."""
    previous: Mapped[str | None] = mapped_column(Text)
    """What the last reset put away."""
    saved_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Help(Base):
    """How far a reader has gone up the ladder of hints, and whether they gave up."""

    __tablename__ = "help"

    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(100), primary_key=True)
    hints: Mapped[int] = mapped_column(default=0)
    gave_up_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
