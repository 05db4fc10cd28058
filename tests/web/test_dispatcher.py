"""The dispatcher against a worker that misbehaves in every way it knows: nothing is lost, nothing recorded twice."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from app.models import Submission, SubmissionEvent
from app.submissions import lane
from tests.web.conftest import Client, client_of, finished, submit, until

MakeApp = Callable[..., Awaitable[FastAPI]]


@pytest.fixture(autouse=True)
def _quick_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.submissions.dispatcher.BACKOFF_S", (0.05, 0.2))


async def events(app: FastAPI, submission: str) -> list[tuple[int, int | None, str]]:
    """(attempt, seq, type) of what was recorded, in order."""
    query = (
        select(SubmissionEvent.attempt, SubmissionEvent.seq, SubmissionEvent.type)
        .join(Submission, Submission.number == SubmissionEvent.submission)
        .where(Submission.id == submission)
        .order_by(SubmissionEvent.number)
    )
    async with app.state.services.database.transaction(write=False) as session:
        return [(attempt, seq, kind) for attempt, seq, kind in await session.execute(query)]


async def verdicts(app: FastAPI) -> int:
    query = select(func.count()).select_from(SubmissionEvent).where(SubmissionEvent.type == "verdict")
    async with app.state.services.database.transaction(write=False) as session:
        return int(await session.scalar(query) or 0)


async def test_every_event_is_recorded_in_order(grading_app: FastAPI, grading: Client) -> None:
    submission = await submit(grading, "accept")
    await finished(grading, submission)
    assert await events(grading_app, submission) == [
        (1, None, "queued"),
        (1, 1, "compiling"),
        (1, 2, "compiled"),
        (1, 3, "running"),
        (1, 4, "verdict"),
    ]


async def test_duplicates_strangers_stale_ones_and_garbage_are_dropped(grading_app: FastAPI, grading: Client) -> None:
    submission = await submit(grading, "twice\nstale\ngarbage\nafter")
    assert (await finished(grading, submission))["code"] == "accepted"
    await asyncio.sleep(0.1)
    kinds = [kind for _, _, kind in await events(grading_app, submission)]
    assert kinds == ["queued", "compiling", "compiled", "running", "verdict"]
    assert (await grading.get(f"/api/submissions/{submission}")).json()["code"] == "accepted"


async def test_crash_of_the_grader_repeats_the_submission(grading_app: FastAPI, grading: Client) -> None:
    submission = await submit(grading, "crash-until 2\naccept")
    shown = await finished(grading, submission)
    assert (shown["code"], shown["attempt"]) == ("accepted", 2)
    recorded = await events(grading_app, submission)
    assert (2, None, "queued") in recorded
    assert sum(kind == "verdict" for _, _, kind in recorded) == 1


@pytest.mark.parametrize("order", ["crash", "fault", "bad-verdict"])
async def test_third_fault_closes_the_submission(grading_app: FastAPI, grading: Client, order: str) -> None:
    submission = await submit(grading, order)
    shown = await finished(grading, submission)
    assert (shown["code"], shown["attempt"]) == ("grader_fault", 3)
    assert await verdicts(grading_app) == 1
    assert (await finished(grading, await submit(grading, "accept")))["code"] == "accepted"


async def test_reader_is_sent_to_the_log_and_the_log_says_how_to_mend(
    grading: Client, caplog: pytest.LogCaptureFixture
) -> None:
    submission = await submit(grading, "fault")
    await finished(grading, submission)
    for lang, word in (("en", "log"), ("ko", "로그")):
        shown = (await grading.get(f"/api/submissions/{submission}", params={"lang": lang})).json()
        assert word in shown["verdict"]["explanation"]
    lines = [record.getMessage() for record in caplog.records if submission in record.getMessage()]
    assert any("/srv/course/build is stale" in line and "run `make native`" in line for line in lines)


@pytest.mark.parametrize("order", ["fault", "crash"])
async def test_what_went_wrong_in_the_grader_is_never_told_to_a_reader(
    grading_app: FastAPI, grading: Client, order: str
) -> None:
    submission = await submit(grading, order)
    await finished(grading, submission)
    shown = [await grading.get(f"/api/submissions/{submission}{path}") for path in ("", "/events")]
    shown.append(await grading.get("/api/exercises/copy/submissions"))
    for answer in shown:
        assert answer.status_code == 200
        assert "grader_fault" in answer.text
        for secret in ("/srv/course", "make native", "BackendUnavailable", "grader lost"):
            assert secret not in answer.text
    query = select(Submission.detail).where(Submission.id == submission)
    async with grading_app.state.services.database.transaction(write=False) as session:
        assert (await session.scalar(query))["data"] == {}


async def test_innocent_neighbour_of_a_crash_is_graded(grading_app: FastAPI) -> None:
    async with client_of(grading_app) as guilty, client_of(grading_app) as innocent:
        held = await submit(innocent, "hang-until 2\naccept")
        await until(innocent, held, "running")
        poison = await submit(guilty, "crash")
        assert (await finished(innocent, held))["code"] == "accepted"
        assert (await finished(guilty, poison))["code"] == "grader_fault"
        assert (await innocent.get(f"/api/submissions/{held}")).json()["attempt"] == 2


async def test_cancelled_submission_is_not_repeated_after_a_crash(grading: Client) -> None:
    submission = await submit(grading, "await-cancel\ncrash")
    await until(grading, submission, "running")
    await grading.post(f"/api/submissions/{submission}/cancel")
    shown = await finished(grading, submission)
    assert (shown["code"], shown["attempt"]) == ("cancelled", 1)


async def test_silent_grader_is_replaced(make_app: MakeApp) -> None:
    app = await make_app(grader="embedded", job_silence_s=0.2)
    async with client_of(app) as client:
        submission = await submit(client, "hang")
        assert (await finished(client, submission))["code"] == "grader_fault"


async def test_grader_that_answers_no_ping_is_replaced(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "PING_S", 0.2)
    monkeypatch.setattr(lane, "DEAD_S", 0.5)
    deaf = ["sh", "-c", 'echo \'{"ready": {"slots": 1, "backend": null}}\'; exec sleep 60']
    app = await make_app(grader="embedded", grader_command=deaf)
    async with client_of(app) as client:
        submission = await submit(client, "accept")
        assert (await finished(client, submission))["code"] == "grader_fault"


async def test_grader_that_cannot_start_leaves_the_queue_waiting(make_app: MakeApp) -> None:
    app = await make_app(grader="embedded", grader_command=["/nonexistent/grader"])
    async with client_of(app) as client:
        submission = await submit(client, "accept")
        async with asyncio.timeout(5):
            while (await client.get("/healthz")).json()["grader"] != "down":  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert (await client.get(f"/api/submissions/{submission}")).json()["status"] == "queued"


async def test_restart_finishes_what_was_left(make_app: MakeApp) -> None:
    before = await make_app()
    async with client_of(before) as client:
        queued = await submit(client, "accept")
        async with before.state.services.database.transaction(write=True) as session:
            row = await session.scalar(select(Submission).where(Submission.id == queued))
            row.status = "running"
        after = await make_app(grader="embedded")
        async with client_of(after) as again:
            again.cookies.update(client.cookies)
            shown = await finished(again, queued)
    assert (shown["code"], shown["attempt"]) == ("accepted", 2)
    assert await verdicts(after) == 1


async def test_readers_take_turns(make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "jobs.jsonl"
    monkeypatch.setenv("FAKE_WORKER_LOG", str(log))
    monkeypatch.setenv("FAKE_WORKER_SLOTS", "1")
    idle = await make_app()
    async with client_of(idle) as greedy, client_of(idle) as modest:
        mine = [await submit(greedy, f"// greedy {n}", exercise=name) for n, name in enumerate(["copy"])]
        mine.append((await greedy.post("/api/run", json={"language": "cpp", "source": "// greedy 1"})).json()["id"])
        other = await submit(modest, "// modest")
        working = await make_app(grader="embedded")
        async with client_of(working) as client:
            client.cookies.update(greedy.cookies)
            for submission in mine:
                await finished(client, submission)
    jobs: list[dict[str, Any]] = [json.loads(line) for line in log.read_text().splitlines()]
    assert [job["id"] for job in jobs] == [mine[0], other, mine[1]]
    assert set(jobs[0]) == {"id", "language", "source", "exercise", "purpose", "backend", "attempt", "seed"}


async def test_many_submissions_each_get_one_verdict(grading_app: FastAPI) -> None:
    orders = ["accept", "wrong", "twice\naccept"] * 4
    for order in orders:
        async with client_of(grading_app) as client:
            await submit(client, order)
    async with asyncio.timeout(60):
        while await verdicts(grading_app) < len(orders):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    await asyncio.sleep(0.2)
    assert await verdicts(grading_app) == len(orders)
    async with grading_app.state.services.database.transaction(write=False) as session:
        codes = list(await session.scalars(select(Submission.code)))
    assert [codes.count(code) for code in ("accepted", "wrong_answer")] == [8, 4]


async def test_backend_shown_is_the_one_that_is_asked_for(make_app: MakeApp) -> None:
    for backend, device in (("auto", "simulated cuDNN (CPU)"), ("gpu", "")):
        app = await make_app(grader="embedded", backend=backend)
        async with client_of(app) as client:
            await finished(client, await submit(client, "accept"))
        view = app.state.services.grader_view()
        assert (view.state, view.backend, view.device) == ("ready", "gpu" if backend == "gpu" else "simulated", device)


async def test_grader_behind_a_socket(make_app: MakeApp, tmp_path: Path) -> None:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.write(b'{"ready": {"slots": 1, "backend": {"name": "gpu", "cudnn_version": 91900, "device": "H200"}}}\n')
        while line := await reader.readline():
            job = json.loads(line).get("job")
            if job:
                verdict = {"code": "accepted", "passed": 1, "total": 1, "backend": {"name": "gpu"}}
                event = {"job": job["id"], "attempt": job["attempt"], "seq": 1, "type": "verdict", "data": verdict}
                writer.write(json.dumps({"event": event}).encode() + b"\n")
        writer.close()

    path = tmp_path / "grader.sock"
    server = await asyncio.start_unix_server(serve, path)
    app = await make_app(grader=f"unix:{path}", grader_connections=3)
    async with server, client_of(app) as client:
        shown = await finished(client, await submit(client, "anything"))
        assert (shown["code"], shown["backend"]) == ("accepted", "gpu")
        assert app.state.services.grader_view().cudnn_version == "9.19.0"
        assert connections == 3
        await app.state.services.dispatcher.stop()
