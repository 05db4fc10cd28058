"""Best times, and the names that readers go by on the board."""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now


class BestTime(Base):
    """One reader's best accepted time at one challenge on one device. Only times of real GPUs are kept."""

    __tablename__ = "best_times"
    __table_args__ = (Index("ix_best_times_board", "exercise", "device", "seconds"),)

    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(100), primary_key=True)
    device: Mapped[str] = mapped_column(String(100), primary_key=True)
    seconds: Mapped[float] = mapped_column(Float)
    """Median of the timed runs, by the grader's clock."""
    language: Mapped[str] = mapped_column(String(10))
    cudnn_version: Mapped[int]
    """As cudnnGetVersion() gives it, e.g. 91900."""
    reached_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class BoardName(Base):
    """A drawn pseudonym. hidden: the reader does not want to be on any board."""

    __tablename__ = "board_names"

    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    hidden: Mapped[bool] = mapped_column(default=False)
