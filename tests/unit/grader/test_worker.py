"""The worker's protocol, with grading replaced by a function that tells what it was given."""

import json
import threading
import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from grader import worker as module
from grader.contract.codes import Code
from grader.contract.job import Job
from grader.contract.verdict import Event, Verdict
from grader.serve import lines
from grader.worker import MAX_LINE_BYTES, Worker
from grader.workshop import Workshop

Messages = list[dict[str, Any]]


@pytest.fixture
def messages() -> Messages:
    return []


@pytest.fixture
def release() -> threading.Event:
    return threading.Event()


@pytest.fixture
def worker(messages: Messages, release: threading.Event, monkeypatch: pytest.MonkeyPatch):
    def grade(job: Job, emit: Callable[[Event], None], workshop: Workshop) -> Verdict:
        emit(Event("compiling", {}))
        if job.source == "wait":
            while not release.is_set() and not workshop.cancel.is_set():  # type: ignore[union-attr]
                time.sleep(0.005)
        cancelled = workshop.cancel is not None and workshop.cancel.is_set()
        verdict = Verdict(Code.CANCELLED if cancelled else Code.ACCEPTED)
        emit(Event("verdict", {**verdict.to_json(), "slot": workshop.slot}))
        return verdict

    monkeypatch.setattr(module, "grade", grade)
    worker = Worker([Workshop(slot=slot) for slot in range(2)], messages.append)
    worker.start()
    yield worker
    release.set()
    worker.finish(cancel=True)


def job(name: str, source: str = "") -> str:
    return json.dumps({"job": {"id": name, "language": "python", "source": source, "attempt": 2}})


def verdicts(messages: Messages) -> dict[str, str]:
    events = [m["event"] for m in messages if "event" in m]
    return {e["job"]: str(e["data"]["code"]) for e in events if e["type"] == "verdict"}


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert condition()


def test_events_are_numbered_and_carry_the_attempt(worker: Worker, messages: Messages) -> None:
    worker.handle(job("a"))
    wait(lambda: "a" in verdicts(messages))
    assert [(m["event"]["seq"], m["event"]["attempt"]) for m in messages] == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        "{}",
        '{"job": 3}',
        '{"job": {"id": "x"}}',
        '{"job": {"id": "x", "language": "rust", "source": ""}}',
        '{"job": {"id": "x", "language": "cpp", "source": "", "user": "me"}}',
        "[" * 100_000,
        b"\xff\xfe",
        '{"job": {"id": "x", "language": "cpp", "source": "", "attempt": "one"}}',
    ],
)
def test_malformed_line_changes_nothing(line: str | bytes, worker: Worker, messages: Messages) -> None:
    worker.handle(line)
    assert list(messages[0]) == ["error"]
    worker.handle('{"ping": 7}')
    assert messages[1] == {"pong": 7}
    worker.handle(job("after"))
    wait(lambda: verdicts(messages) == {"after": "accepted"})


def test_empty_lines_are_nothing(worker: Worker, messages: Messages) -> None:
    worker.handle(b"\n")
    assert messages == []


def test_who_has_a_verdict_finds_it_counted(worker: Worker, messages: Messages) -> None:
    counted: list[dict[str, int]] = []

    def write(message: dict[str, Any]) -> None:
        messages.append(message)
        counted.append(worker.metrics.to_json()["jobs"])

    worker.write = write
    worker.handle(job("a"))
    wait(lambda: "a" in verdicts(messages))
    assert counted == [{}, {"accepted": 1}]


def test_slots_work_at_the_same_time_and_others_wait(
    worker: Worker, messages: Messages, release: threading.Event
) -> None:
    for name in "abc":
        worker.handle(job(name, "wait"))
    wait(lambda: len(messages) == 2)
    time.sleep(0.05)
    assert len(messages) == 2
    release.set()
    wait(lambda: len(verdicts(messages)) == 3)


def test_cancel_running_and_waiting_jobs(worker: Worker, messages: Messages) -> None:
    for name in "abc":
        worker.handle(job(name, "wait"))
    for name in ("a", "c", "unknown"):
        worker.handle(json.dumps({"cancel": name}))
    wait(lambda: {"a", "c"} <= set(verdicts(messages)))
    assert verdicts(messages) == {"a": "cancelled", "c": "cancelled"}


def test_end_of_input_lets_jobs_finish(worker: Worker, messages: Messages) -> None:
    worker.serve([job(name) for name in "abcdef"])
    assert set(verdicts(messages)) == set("abcdef")


def test_overlong_line_is_refused_and_the_next_is_read() -> None:
    stream = BytesIO(b"x" * (MAX_LINE_BYTES * 2 + 5) + b"\n" + b'{"ping": 1}\n' + b"tail")
    assert list(lines(stream)) == [b"{", b'{"ping": 1}\n', b"tail"]
