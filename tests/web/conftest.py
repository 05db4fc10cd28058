"""Fixtures of the web tests: the real program over a small course, on SQLite and on PostgreSQL."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from app.main import create_app
from app.migrations.run import upgrade
from app.scaffolds.write import new_exercise
from app.settings import Settings
from tests.web.postgres import empty, server

CONTENT = Path(__file__).parent / "content"
WORKER = [sys.executable, str(Path(__file__).parent / "fake_worker.py")]
ORIGIN = "http://course.test"
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}

MakeApp = Callable[..., FastAPI]
Client = httpx.AsyncClient


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a server that has a migrated database `base`."""
    with server() as url:
        asyncio.run(execute(url, "CREATE DATABASE base"))
        asyncio.run(upgrade(url.replace("/postgres", "/base")))
        yield url


async def execute(url: str, statement: str) -> None:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "base.db"
    asyncio.run(upgrade(f"sqlite+aiosqlite:///{file}"))
    return file


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A migrated database in which nothing is: a file of its own, or the server's one, emptied.

    Making a database of its own for each test takes PostgreSQL longer than most tests, and so does removing them all.
    """
    if request.param == "sqlite":
        file = tmp_path / "web.db"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), file)
        return f"sqlite+aiosqlite:///{file}"
    url: str = request.getfixturevalue("postgres").replace("/postgres", "/base")
    with asyncio.Runner() as runner:
        runner.run(empty(url))
    return url


def _write_course(folder: Path) -> Path:
    """The small course: `lessons/` and `exercises/` with the exercise `copy`."""
    shutil.copytree(CONTENT, folder)
    (folder / "exercises").mkdir()
    new_exercise(folder / "exercises", "copy", "handles")
    return folder


@pytest.fixture
def content_dir(tmp_path: Path) -> Path:
    """The small course for the test to change at will."""
    return _write_course(tmp_path / "content")


@pytest.fixture(scope="session")
def unchanged_content(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The small course for all tests that only read it."""
    folder = _write_course(tmp_path_factory.mktemp("course") / "content")

    def state() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    before = state()
    yield folder
    assert state() == before, "a test has changed the course of the others: let it use `content_dir`"


@pytest.fixture
def make_settings(request: pytest.FixtureRequest, database_url: str) -> Callable[..., Settings]:
    """Settings for a server over the test's own content where it has some."""
    content: Path = request.getfixturevalue(
        "content_dir" if "content_dir" in request.fixturenames else "unchanged_content"
    )

    def make(**changes: Any) -> Settings:
        values: dict[str, Any] = {
            "database_url": database_url,
            "public_origin": ORIGIN,
            "grader": "off",
            "grader_command": WORKER,
            "lessons_dir": content / "lessons",
            "exercises_dir": content / "exercises",
            "submissions_per_minute": 1000,
            "readers_per_minute": 1000,
        }
        return Settings(**(values | changes))

    return make


@asynccontextmanager
async def client_of(app: FastAPI, **headers: str) -> AsyncIterator[Client]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=SAME_ORIGIN | headers) as client:
        yield client


@pytest.fixture
async def make_app(make_settings: Callable[..., Settings]) -> AsyncIterator[Callable[..., Awaitable[FastAPI]]]:
    """Starts programs (with their dispatchers) that are stopped at the end of the test."""
    running: list[Any] = []

    async def make(**changes: Any) -> FastAPI:
        app = create_app(make_settings(**changes))
        context = app.router.lifespan_context(app)
        await context.__aenter__()
        running.append(context)
        return app

    yield make
    for context in reversed(running):
        await context.__aexit__(None, None, None)


@pytest.fixture
async def app(make_app: Callable[..., Awaitable[FastAPI]]) -> FastAPI:
    """Without a grader: submissions stay queued."""
    return await make_app()


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[Client]:
    async with client_of(app) as client:
        yield client


@pytest.fixture
async def grading_app(make_app: Callable[..., Awaitable[FastAPI]]) -> FastAPI:
    """With the fake worker."""
    return await make_app(grader="embedded")


@pytest.fixture
async def grading(grading_app: FastAPI) -> AsyncIterator[Client]:
    async with client_of(grading_app) as client:
        yield client


async def submit(client: Client, source: str, *, language: str = "cpp", exercise: str = "copy") -> str:
    """Id of an accepted submission."""
    answer = await client.post(f"/api/exercises/{exercise}/submissions", json={"language": language, "source": source})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def finished(client: Client, submission: str, timeout_s: float = 60.0) -> dict[str, Any]:
    """The submission once it is done."""
    async with asyncio.timeout(timeout_s):
        while True:
            answer = (await client.get(f"/api/submissions/{submission}")).json()
            if answer["status"] == "done":
                return dict(answer)
            await asyncio.sleep(0.05)


async def until(client: Client, submission: str, status: str, timeout_s: float = 60.0) -> None:
    async with asyncio.timeout(timeout_s):
        while (await client.get(f"/api/submissions/{submission}")).json()["status"] != status:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
