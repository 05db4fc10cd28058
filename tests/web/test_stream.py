"""The event stream: order, resume, sentences, heartbeats, its end."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from fastapi import FastAPI

from app.submissions.stream import stream
from tests.web.conftest import Client, client_of, finished, submit

MakeApp = Callable[..., Awaitable[FastAPI]]
Frame = dict[str, Any]


def parsed(text: str) -> list[Frame]:
    frames: list[Frame] = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if "data" in fields:
            frames.append({"id": fields.get("id"), "event": fields["event"], **json.loads(fields["data"])})
    return frames


async def test_stream_brings_every_event_with_a_sentence(grading: Client) -> None:
    submission = await submit(grading, "wrong")
    answer = await grading.get(f"/api/submissions/{submission}/events?lang=en")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    frames = [frame for frame in parsed(answer.text) if frame["id"]]
    assert [frame["event"] for frame in frames] == ["queued", "compiling", "compiled", "running", "verdict"]
    assert [frame["id"] for frame in frames] == ["1", "2", "3", "4", "5"]
    assert all(frame["event"] == frame["type"] and frame["sentence"] for frame in frames)
    verdict = frames[-1]["data"]
    assert verdict["code_label"] == "Wrong answer"
    assert verdict["explanation"]
    assert verdict["cases"][0]["sentence"] == "The result of case “one” is wrong."


async def test_stream_resumes_after_the_last_event(grading: Client) -> None:
    submission = await submit(grading, "accept")
    await finished(grading, submission)
    url = f"/api/submissions/{submission}/events"
    by_header = parsed((await grading.get(url, headers={"Last-Event-ID": "3"})).text)
    by_query = parsed((await grading.get(f"{url}?last=3")).text)
    assert [frame["id"] for frame in by_header] == ["4", "5"]
    assert by_query == by_header
    assert (await grading.get(url, headers={"Last-Event-ID": "5"})).status_code == 204
    nonsense = parsed((await grading.get(url, headers={"Last-Event-ID": "nonsense"})).text)
    assert len(nonsense) == 5


async def until_frame(frames: AsyncIterator[bytes], wanted: bytes) -> bytes:
    async with asyncio.timeout(5):
        async for frame in frames:
            if wanted in frame:
                return frame
    raise AssertionError(f"no {wanted!r}")


async def test_place_in_the_queue_is_told_when_it_changes(app: FastAPI) -> None:
    async with client_of(app) as first, client_of(app) as second:
        ahead = await submit(first, "accept")
        waiting = await submit(second, "accept")
        frames = stream(app.state.services, waiting, 0, "ko")
        told = await until_frame(frames, b"event: queued")
        assert b"id: 1" in told
        assert "지금 2번째" in told.decode()
        await first.post(f"/api/submissions/{ahead}/cancel")
        moved = await until_frame(frames, b'"position": 1')
        assert b"id:" not in moved, "a place is no event to resume from"


async def test_quiet_stream_has_heartbeats(make_app: MakeApp) -> None:
    app = await make_app(heartbeat_s=0.05)
    async with client_of(app) as client:
        submission = await submit(client, "accept")
        assert await until_frame(stream(app.state.services, submission, 0, "en"), b": still here")


async def test_repeated_attempt_says_so(grading: Client) -> None:
    submission = await submit(grading, "crash-until 2\naccept")
    frames = parsed((await grading.get(f"/api/submissions/{submission}/events?lang=en", timeout=20)).text)
    again = [frame for frame in frames if frame["event"] == "queued" and frame["attempt"] == 2]
    assert again[0]["data"]["reason"] == "grader_fault"
    assert "not at fault" in again[0]["sentence"]
    assert frames[-1]["data"]["code"] == "accepted"
