"""JSON of views, and callbacks after a commit."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from markupsafe import Markup
from sqlalchemy import text

from app.db import Database, UtcDateTime, after_commit
from app.pages import json_response, to_json


@dataclass(frozen=True, slots=True)
class View:
    at: datetime
    html: Markup
    inner: "View | None" = None


def test_views_become_json() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    inner = '{"at": "2026-01-02T03:04:05Z", "html": "<b>가</b>", "inner": null}'
    assert to_json(View(at, Markup("<b>가</b>"))) == inner
    assert to_json([View(at, Markup(""), View(at, Markup("<b>가</b>")))]).endswith(f'"inner": {inner}}}]')
    with pytest.raises(TypeError):
        to_json(object())


def test_responses_take_more_fields() -> None:
    response = json_response(View(datetime(2026, 1, 1, tzinfo=UTC), Markup("x")), position=3)
    assert response.body == b'{"at": "2026-01-01T00:00:00Z", "html": "x", "inner": null, "position": 3}'
    assert response.headers["cache-control"] == "no-store"


async def test_callbacks_come_after_the_commit_and_never_after_a_rollback(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/x.db")
    called: list[str] = []
    async with database.transaction(write=True) as session:
        await session.execute(text("CREATE TABLE t (x INTEGER)"))
        after_commit(session, lambda: called.append("committed"))
        assert called == []
    assert called == ["committed"]
    with pytest.raises(ZeroDivisionError):
        await _fail(database, lambda: called.append("rolled back"))
    assert called == ["committed"]
    async with database.transaction(write=False) as session:
        assert await session.scalar(text("SELECT count(*) FROM t")) == 0
    await database.close()


async def _fail(database: Database, callback: Callable[[], None]) -> None:
    async with database.transaction(write=True) as session:
        await session.execute(text("INSERT INTO t VALUES (1)"))
        after_commit(session, callback)
        raise ZeroDivisionError


async def test_sqlite_is_set_up_for_a_server(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/x.db")
    async with database.transaction(write=False) as session:
        values = [
            await session.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "foreign_keys", "synchronous")
        ]
    assert values == ["wal", 1, 2]
    await database.close()


def test_times_without_zone_are_refused() -> None:
    kind = UtcDateTime()
    with pytest.raises(ValueError, match="time zone"):
        kind.process_bind_param(datetime(2026, 1, 1), None)  # type: ignore[arg-type]
    naive = kind.process_result_value(datetime(2026, 1, 1), None)  # type: ignore[arg-type]
    assert naive == datetime(2026, 1, 1, tzinfo=UTC)
