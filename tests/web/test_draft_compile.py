"""Compiling drafts in the background: what the browser is told, and who gives way to whom."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI

from tests.web.conftest import Client, client_of, finished, submit, until

MakeApp = Callable[..., Awaitable[FastAPI]]
DRAFT = "/api/exercises/copy/draft"
COMPILE = f"{DRAFT}/compile"


async def become_reader(client: Client) -> None:
    await client.put(DRAFT, json={"language": "cpp", "source": "// mine"})


async def grader_is_ready(client: Client) -> None:
    async with asyncio.timeout(60):
        while (await client.get("/healthz")).json()["grader"] != "ready":  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def compile_draft(client: Client, source: str, language: str = "cpp") -> dict[str, Any]:
    answer = await client.post(COMPILE, json={"language": language, "source": source})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_compiler_messages_of_a_draft(grading: Client) -> None:
    await grader_is_ready(grading)
    await become_reader(grading)
    report = await compile_draft(grading, "int x = nowhere;")
    assert (report["state"], report["code"]) == ("compiled", "compile_error")
    assert report["diagnostics"][0]["message"] == "int x = nowhere;"
    assert (await grading.get("/api/exercises/copy/submissions")).json()["submissions"] == []


async def test_newer_draft_stops_the_older_one(grading: Client) -> None:
    await grader_is_ready(grading)
    await become_reader(grading)
    older = asyncio.create_task(compile_draft(grading, "slow"))
    await asyncio.sleep(0.1)
    assert (await compile_draft(grading, "int x;"))["state"] == "compiled"
    assert (await older)["state"] == "cancelled"


async def test_drafts_of_others_are_left_alone(grading_app: FastAPI) -> None:
    async with client_of(grading_app) as one, client_of(grading_app) as other:
        await grader_is_ready(one)
        await become_reader(one)
        await become_reader(other)
        older = asyncio.create_task(compile_draft(one, "slow"))
        await asyncio.sleep(0.1)
        assert (await compile_draft(other, "int x;"))["state"] == "compiled"
        assert not older.done()
        await compile_draft(one, "int y;")
        assert (await older)["state"] == "cancelled"


async def test_drafts_wait_for_nobody_while_all_slots_work(grading: Client) -> None:
    await grader_is_ready(grading)
    await become_reader(grading)
    jobs = [await submit(grading, "hold")]
    jobs.append((await grading.post("/api/run", json={"language": "cpp", "source": "hold"})).json()["id"])
    for job in jobs:
        await until(grading, job, "running")
    assert (await compile_draft(grading, "int x;"))["state"] == "busy"
    for job in jobs:
        await grading.post(f"/api/submissions/{job}/cancel")
        await finished(grading, job)


async def test_nonsense_of_a_grader_is_not_believed(grading: Client) -> None:
    await grader_is_ready(grading)
    await become_reader(grading)
    report = await compile_draft(grading, "garbled")
    assert (report["state"], report["diagnostics"]) == ("failed", [])


async def test_grader_that_is_lost_answers_off(grading: Client) -> None:
    await grader_is_ready(grading)
    await become_reader(grading)
    assert (await compile_draft(grading, "crash"))["state"] == "off"


async def test_without_a_grader_or_a_reader_nothing_is_compiled(client: Client, grading: Client) -> None:
    await become_reader(client)
    assert (await compile_draft(client, "int x;"))["state"] == "off"
    await grader_is_ready(grading)
    assert (await compile_draft(grading, "int x;"))["state"] == "off"


async def test_switched_off(make_app: MakeApp) -> None:
    async with client_of(await make_app(grader="embedded", compile_drafts=False)) as client:
        await grader_is_ready(client)
        await become_reader(client)
        assert (await compile_draft(client, "int x;"))["state"] == "off"


async def test_too_many_drafts_are_left_alone(make_app: MakeApp) -> None:
    async with client_of(await make_app(grader="embedded", drafts_per_minute=2)) as client:
        await grader_is_ready(client)
        await become_reader(client)
        states = [(await compile_draft(client, f"int x{i};"))["state"] for i in range(3)]
        assert states == ["compiled", "compiled", "busy"]


async def test_refuses_what_a_submission_would_be_refused_for(client: Client) -> None:
    for source, status in (("  ", 422), ("x" * (256 * 1024 + 1), 413)):
        assert (await client.post(COMPILE, json={"language": "cpp", "source": source})).status_code == status
    answer = await client.post("/api/exercises/nowhere/draft/compile", json={"language": "cpp", "source": "x"})
    assert answer.status_code == 404
