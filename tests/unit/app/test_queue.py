"""Fair order, limits, and what is believed of a grader's messages."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.limiter import Limiter
from app.submissions.fairness import Served, Waiting, fair_order
from app.submissions.messages import GraderEvent, Malformed, Pong, Ready, is_good_verdict, parse
from grader.contract.verdict import BackendInfo

START = datetime(2026, 1, 1, tzinfo=UTC)


def waiting(*readers: int) -> list[Waiting]:
    """Submissions 1, 2, … of these readers, one a second."""
    return [Waiting(n, reader, START + timedelta(seconds=n)) for n, reader in enumerate(readers, start=1)]


def served(reader: int, second: float, *, running: bool = False) -> Served:
    return Served(reader, START + timedelta(seconds=second), running)


@pytest.mark.parametrize(
    ("readers", "begun", "order"),
    [
        ([], [], []),
        ([7, 8, 9], [], [1, 2, 3]),
        ([7, 7, 7, 8, 9], [], [1, 4, 5, 2, 3]),
        ([7, 7, 8, 8], [], [1, 3, 2, 4]),
        ([7, 8], [served(7, 0, running=True)], [2, 1]),
        ([7, 8], [served(7, 0)], [1, 2]),
        ([7, 8], [served(7, 1.5)], [2, 1]),
        ([7, 7, 8], [served(7, 2.5)], [3, 1, 2]),
    ],
)
def test_readers_take_turns(readers: list[int], begun: list[Served], order: list[int]) -> None:
    assert fair_order(waiting(*readers), begun) == order


def test_nobody_starves_while_others_keep_coming() -> None:
    """One slot, a patient reader with two submissions, and a new reader every second."""
    queue = waiting(1, 1)
    begun: list[Served] = []
    graded: list[int] = []
    for second in range(3, 20):
        queue.append(Waiting(second, second, START + timedelta(seconds=second)))
        first = fair_order(queue, begun)[0]
        entry = next(entry for entry in queue if entry.number == first)
        queue.remove(entry)
        begun.append(served(entry.reader_id, second))
        graded.append(first)
    assert 1 in graded[:1]
    assert len(graded) == len(set(graded))


def test_limiter_counts_by_key_and_forgets() -> None:
    now = [0.0]
    limiter = Limiter(2, 60.0, clock=lambda: now[0])
    assert [limiter.wait_s("a"), limiter.wait_s("a")] == [0.0, 0.0]
    now[0] = 10.0
    assert limiter.wait_s("a") == 50.0
    assert limiter.wait_s("b") == 0.0
    now[0] = 61.0
    assert limiter.wait_s("a") == 0.0


def line(**message: Any) -> bytes:
    return json.dumps(message).encode()


EVENT: dict[str, Any] = {"job": "x", "attempt": 1, "seq": 3, "type": "case", "data": {"name": "one"}}


def test_known_messages_are_understood() -> None:
    assert parse(line(event=EVENT)) == GraderEvent("x", 1, 3, "case", {"name": "one"})
    assert parse(line(pong=1)) == Pong()
    assert parse(line(ready={"slots": 2, "backend": {"name": "gpu"}})) == Ready(2, BackendInfo("gpu", 0, ""))
    assert parse(line(ready={"slots": 1, "backend": None})) == Ready(1, None)


def test_nan_and_infinity_become_null() -> None:
    message = parse(
        b'{"event": {"job": "x", "attempt": 1, "seq": 1, "type": "case", "data": {"a": NaN, "b": -Infinity}}}'
    )
    assert isinstance(message, GraderEvent)
    assert message.data == {"a": None, "b": None}


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"not json",
        b"[1]",
        b"{}",
        line(error="what?"),
        line(ready={"slots": 0, "backend": {}}),
        line(ready={"slots": 1, "backend": "gpu"}),
        line(event=EVENT | {"job": 3}),
        line(event=EVENT | {"attempt": True}),
        line(event=EVENT | {"seq": "3"}),
        line(event=EVENT | {"type": "queued"}),
        line(event=EVENT | {"data": []}),
        line(event=[]),
    ],
)
def test_anything_else_is_malformed(wrong: bytes) -> None:
    with pytest.raises(Malformed):
        parse(wrong)


@pytest.mark.parametrize(
    ("verdict", "good"),
    [
        ({"code": "accepted"}, True),
        ({"code": "grader_fault", "cases": [], "calls": []}, True),
        ({"code": "not_run"}, False),
        ({"code": "no_such"}, False),
        ({}, False),
        ({"code": "accepted", "cases": {}}, False),
        ({"code": "accepted", "calls": ["x"]}, False),
        ({"code": "accepted", "passed": "1"}, False),
    ],
)
def test_only_whole_verdicts_are_recorded(verdict: dict[str, Any], good: bool) -> None:
    assert is_good_verdict(verdict) is good
