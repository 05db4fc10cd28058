"""Server-sent events of one submission. The stream reads the database only, so it can begin anywhere and be resumed."""

import json
import time
from collections.abc import AsyncIterator, Container
from dataclasses import dataclass
from typing import Any

from app.i18n.locales import Lang
from app.i18n.sentences import localise
from app.services import Services
from app.submissions import queries
from app.submissions.models import SubmissionEvent
from app.submissions.service import queue_position

POLL_S = 1.0
"""A grader of another web process records without ringing our bell."""
RETRY_MS = 2000


@dataclass(frozen=True, slots=True)
class News:
    events: list[SubmissionEvent]
    attempt: int
    position: int
    """0 where the submission does not wait."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one frame carries. number: None for what is not to be resumed from."""

    kind: str
    attempt: int
    data: dict[str, Any]
    number: int | None = None


def frame(said: Said, lang: Lang, lessons: Container[str]) -> bytes:
    kind, attempt, number = said.kind, said.attempt, said.number
    shown, sentence = localise(kind, said.data, lang, lessons)
    body = json.dumps({"type": kind, "attempt": attempt, "data": shown, "sentence": sentence}, ensure_ascii=False)
    head = f"id: {number}\n" if number is not None else ""
    # Lone surrogates cannot be sent as UTF-8; a program can print them.
    return f"{head}event: {kind}\ndata: {body}\n\n".encode("utf-8", "replace")


async def _news(services: Services, submission_id: str, last: int) -> News:
    async with services.database.transaction(write=False) as session:
        submission = await queries.get(session, submission_id)
        if submission is None:
            return News([], 0, 0)
        events = list(await queries.events_after(session, submission.number, last))
        return News(events, submission.attempt, await queue_position(session, submission))


async def is_over(services: Services, submission_id: str, last: int) -> bool:
    """Whether the verdict lies before `last`: an EventSource that reconnects then is told to stop."""
    async with services.database.transaction(write=False) as session:
        submission = await queries.get(session, submission_id)
        return submission is not None and submission.status == "done" and last >= submission.events


async def stream(services: Services, submission_id: str, last: int, lang: Lang) -> AsyncIterator[bytes]:
    """Frames after event number `last`, until the verdict."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    told_position = 0
    spoke_at = time.monotonic()
    lessons = services.library.current().lessons
    with services.notifier.subscribe(submission_id) as bell:
        while True:
            bell.hush()
            news = await _news(services, submission_id, last)
            for event in news.events:
                yield frame(Said(event.type, event.attempt, event.data, event.number), lang, lessons)
                last, spoke_at = event.number, time.monotonic()
                told_position = event.data.get("position", 0) if event.type == "queued" else 0
                if event.type == "verdict":
                    return
            if news.position and news.position != told_position:
                told_position, spoke_at = news.position, time.monotonic()
                place = {"position": news.position, "reason": ""}
                yield frame(Said("queued", news.attempt, place), lang, lessons)
            if time.monotonic() - spoke_at >= services.settings.heartbeat_s:
                spoke_at = time.monotonic()
                yield b": still here\n\n"
            await bell.wait(min(POLL_S, services.settings.heartbeat_s))
