"""The database: engine, transactions, and the only commit of the program."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import DateTime, Dialect, MetaData, TypeDecorator, event, make_url
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

BUSY_TIMEOUT_MS = 30_000
AFTER_COMMIT = "after_commit"
NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Every table. Constraint names are fixed, so that migrations can name them on both databases."""

    metadata = MetaData(naming_convention=NAMING)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime in UTC; SQLite, which has no time zones, keeps it without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("a datetime without time zone cannot be stored: use datetime.now(UTC)")
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    return datetime.now(UTC)


def after_commit(session: AsyncSession, callback: Callable[[], None]) -> None:
    """Calls back once what this transaction wrote can be seen by others; never where it is rolled back."""
    session.info.setdefault(AFTER_COMMIT, []).append(callback)


class Database:
    """One engine. `transaction()` gives a session that is committed at the end, or rolled back on any exception."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite")
        if self.is_sqlite:
            _make_folder(url)
        self._engine = create_async_engine(url, pool_pre_ping=not self.is_sqlite)
        if self.is_sqlite:
            _prepare_sqlite(self._engine)
        # SQLite takes its write lock at BEGIN IMMEDIATE: a read that turns into a write could fail at once as "locked".
        writer = self._engine.execution_options(sqlite_begin="BEGIN IMMEDIATE")
        self._readers = async_sessionmaker(self._engine, expire_on_commit=False)
        self._writers = async_sessionmaker(writer, expire_on_commit=False)
        # SQLite has one writer at a time and lets the others poll, in no order: here they queue instead.
        self._turn = asyncio.Lock() if self.is_sqlite else nullcontext()

    @asynccontextmanager
    async def transaction(self, *, write: bool) -> AsyncIterator[AsyncSession]:
        """Must not be nested in a task, where it writes."""
        if not write:
            async with self._readers() as session:
                yield session
            return
        async with self._turn, self._writers() as session:
            yield session
            await session.commit()
        for callback in session.info.pop(AFTER_COMMIT, ()):
            callback()

    async def close(self) -> None:
        await self._engine.dispose()


def _make_folder(url: str) -> None:
    name = make_url(url).database
    if name and name != ":memory:":
        Path(name).parent.mkdir(parents=True, exist_ok=True)


def _prepare_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not open transactions by itself: `on_begin` does
        cursor = connection.cursor()
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("sqlite_begin", "BEGIN"))
