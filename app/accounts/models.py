"""A reader: a guest known only by the hash of a random cookie token."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, now


class Reader(Base):
    __tablename__ = "readers"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the cookie token, in hex: a stolen database opens no reader's work."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
