"""The pool of sandboxes: each handed out once, refilled, discarded when dead, closed at the end."""

import threading
import time
from collections.abc import Callable

import pytest

from grader.sandbox import pool as module
from grader.sandbox.pool import Pool


class Box:
    made: "list[Box]"

    def __init__(self, kind: str) -> None:
        self.kind, self.living, self.closed = kind, True, 0
        self.thread = threading.current_thread().name

    def alive(self) -> bool:
        return self.living

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def made() -> list[Box]:
    return []


@pytest.fixture
def pool(made: list[Box]):
    def make(kind: str) -> Box:
        made.append(Box(kind))
        return made[-1]

    pool = Pool(make, {"cpp": 2, "python": 1})
    pool.start()
    assert pool.wait_full(5)
    yield pool
    pool.close()


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert condition()


def test_fills_to_its_size_in_one_long_living_thread(pool: Pool, made: list[Box]) -> None:
    assert pool.size() == {"cpp": 2, "python": 1}
    assert {box.thread for box in made} == {"pool"}


def test_item_is_handed_out_once_and_replaced(pool: Pool) -> None:
    taken = [pool.take("cpp") for _ in range(2)]
    assert len(set(map(id, taken))) == 2
    wait(lambda: pool.size()["cpp"] == 2)
    assert pool.take("cpp") not in taken
    assert pool.metrics.hits == 3


def test_refilling_waits_while_a_job_runs_but_no_kind_stays_empty(pool: Pool) -> None:
    with pool.working():
        pool.take("cpp")
        time.sleep(0.05)
        assert pool.size()["cpp"] == 1
        pool.take("cpp")
        wait(lambda: pool.size()["cpp"] == 1)
        time.sleep(0.05)
        assert pool.size()["cpp"] == 1
    wait(lambda: pool.size()["cpp"] == 2)


def test_dead_item_is_discarded(pool: Pool, made: list[Box]) -> None:
    first = next(box for box in made if box.kind == "python")
    first.living = False
    taken = pool.take("python")
    assert taken is not first
    assert first.closed == 1
    assert pool.metrics.discarded == 1


def test_unknown_kind_is_a_miss(pool: Pool) -> None:
    assert pool.take("python-gpu") is None
    assert pool.metrics.misses == 1


def test_closing_closes_what_waits_and_not_what_was_taken(pool: Pool, made: list[Box]) -> None:
    taken = pool.take("cpp")
    pool.close()
    assert taken is not None
    assert taken.closed == 0
    assert all(box.closed == 1 for box in made if box is not taken)
    assert not pool._thread.is_alive()


def test_failure_is_remembered_logged_once_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "RETRY_S", 0.01)
    attempts: list[int] = []

    def make(kind: str) -> Box:
        attempts.append(1)
        if len(attempts) < 3:
            raise OSError("no jail")
        return Box(kind)

    pool = Pool(make, {"cpp": 1})
    assert pool.take("cpp") is None
    pool.start()
    assert pool.wait_full(5)
    assert (pool.metrics.failed, pool.last_error) == (2, "no jail")
    assert caplog.messages == ["pool: no cpp could be made: no jail"]
    pool.close()


def test_item_made_after_closing_is_closed() -> None:
    started, go = threading.Event(), threading.Event()
    boxes: list[Box] = []

    def make(kind: str) -> Box:
        started.set()
        go.wait(5)
        boxes.append(Box(kind))
        return boxes[0]

    pool = Pool(make, {"cpp": 1})
    pool.start()
    started.wait(5)
    threading.Timer(0.05, go.set).start()
    pool.close()
    assert boxes[0].closed == 1
