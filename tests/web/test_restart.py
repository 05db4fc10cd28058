"""The real server process, killed with SIGKILL in the middle of grading: after a restart all is graded exactly once."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import aliased

from app.db import Database
from app.models import Submission, SubmissionEvent
from tests.web.conftest import WORKER, finished, submit, until

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def serving(port: int, database_url: str, content: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {
        "DATABASE_URL": database_url,
        "FORWARDPASS_GRADER": "embedded",
        "FORWARDPASS_GRADER_COMMAND": json.dumps(WORKER),
        "FORWARDPASS_LESSONS_DIR": str(content / "lessons"),
        "FORWARDPASS_EXERCISES_DIR": str(content / "exercises"),
        "FAKE_WORKER_LOG": str(log),
    }
    command = [sys.executable, "-c", "from app.cli import main; main()", "serve", "--port", str(port), "--no-authoring"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)


async def ready(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                if (await client.get("/healthz")).json()["grader"] == "ready":
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)


async def recorded_verdicts(database_url: str) -> dict[str, list[str]]:
    """Codes of the verdicts recorded for each submission."""
    database = Database(database_url)
    event = aliased(SubmissionEvent)
    query = select(Submission.id, event.data).join(event, event.submission == Submission.number)
    found: dict[str, list[str]] = {}
    async with database.transaction(write=False) as session:
        for submission, data in await session.execute(query.where(event.type == "verdict")):
            found.setdefault(submission, []).append(data["code"])
    await database.close()
    return found


@pytest.mark.slow
async def test_kill_minus_nine_loses_nothing(database_url: str, content_dir: Path, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "jobs.jsonl"
    base = f"http://127.0.0.1:{port}"
    headers = {"Origin": base}
    clients = [httpx.AsyncClient(base_url=base, headers=headers, timeout=30) for _ in range(4)]
    with serving(port, database_url, content_dir, log) as server:
        await ready(clients[0])
        submissions = [await submit(client, "sleep 1.5\naccept") for client in clients]
        await until(clients[0], submissions[0], "running")
        server.send_signal(signal.SIGKILL)
        server.wait()
    assert sum(map(len, (await recorded_verdicts(database_url)).values())) < len(submissions), "killed while grading"

    with serving(port, database_url, content_dir, log):
        await ready(clients[0])
        shown: list[dict[str, Any]] = [
            await finished(client, submission, 60) for client, submission in zip(clients, submissions, strict=True)
        ]
        stream = await clients[0].get(f"/api/submissions/{submissions[0]}/events", params={"lang": "en"})
    assert [row["code"] for row in shown] == ["accepted"] * 4
    assert shown[0]["attempt"] == 2
    assert "graded again from the start" in stream.text
    assert await recorded_verdicts(database_url) == {submission: ["accepted"] for submission in submissions}
    for client in clients:
        await client.aclose()


@pytest.mark.slow
async def test_worker_ends_with_a_killed_server(database_url: str, content_dir: Path, tmp_path: Path) -> None:
    port = free_port()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        with serving(port, database_url, content_dir, tmp_path / "log") as server:
            await ready(client)
            workers = children(server.pid)
            assert workers
            server.send_signal(signal.SIGKILL)
            server.wait()
    async with asyncio.timeout(10):
        while any_alive(workers):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def any_alive(pids: list[int]) -> bool:
    return any(Path(f"/proc/{pid}/cmdline").exists() for pid in pids)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(number) for number in listed.split()]


@pytest.mark.slow
async def test_terminate_is_quick_even_with_an_open_stream(
    database_url: str, content_dir: Path, tmp_path: Path
) -> None:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, headers={"Origin": base}, timeout=30) as client:
        with serving(port, database_url, content_dir, tmp_path / "log") as server:
            await ready(client)
            submission = await submit(client, "hang")
            async with client.stream("GET", f"/api/submissions/{submission}/events") as response:
                assert response.status_code == 200
                server.terminate()
                server.wait(15)
