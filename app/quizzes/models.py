"""Answers to quiz questions, every attempt of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now


class QuizAnswer(Base):
    __tablename__ = "quiz_answers"
    __table_args__ = (UniqueConstraint("reader_id", "lesson", "question", "attempt", name="uq_quiz_answers_attempt"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    reader_id: Mapped[int] = mapped_column(ForeignKey("readers.id", ondelete="CASCADE"))
    lesson: Mapped[str] = mapped_column(String(100))
    question: Mapped[str] = mapped_column(String(100))
    attempt: Mapped[int]
    """From 1 for each reader and question."""
    answer: Mapped[Any] = mapped_column(JSON)
    correct: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
