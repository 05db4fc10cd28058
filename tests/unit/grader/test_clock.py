"""Limits on a busy machine: being kept waiting does not count, crowding oneself does."""

import os
import subprocess
import sys
import time

import pytest

from grader.sandbox import clock as module
from grader.sandbox.clock import Clock


class Fake:
    """Processes whose figures the test sets: pid → (nanoseconds waited, ticks used)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.processes: dict[int, tuple[int, int]] = {}
        monkeypatch.setattr(module.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(module, "_waited_ns", lambda pid: self.processes.get(pid, (None, None))[0])
        monkeypatch.setattr(module, "_used_ticks", lambda pid: self.processes.get(pid, (None, None))[1])
        monkeypatch.setattr(module, "_TICKS", 100)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    return Fake(monkeypatch)


def after(fake: Fake, seconds: float, waited: float, used: float) -> Clock:
    clock = Clock()
    fake.now += seconds
    fake.processes = {7: (int(waited * 1e9), int(used * 100))}
    clock.look([7])
    return clock


@pytest.mark.parametrize(
    ("seconds", "waited", "used", "spent"),
    [
        (10, 0, 10, 10),
        (10, 0, 0, 10),
        (10, 8, 2, 2),
        (10, 0, 30, 15),
        (60, 59, 1, 6),
        (10, 25, 1, 1),
    ],
)
def test_what_counts(fake: Fake, seconds: float, waited: float, used: float, spent: float) -> None:
    assert after(fake, seconds, waited, used).spent() == pytest.approx(spent)


def test_processes_that_ended_are_remembered(fake: Fake) -> None:
    clock = after(fake, 10, 4, 5)
    fake.processes = {8: (int(2e9), 100)}
    clock.look([8])
    assert (clock.fair, clock.processor) == (pytest.approx(4), pytest.approx(6))


def test_restart_forgets(fake: Fake) -> None:
    clock = after(fake, 10, 4, 5)
    clock.restart()
    assert clock.spent() == 0
    fake.now += 3
    fake.processes[7] = (int(5e9), 600)
    clock.look([7])
    assert (clock.fair, clock.processor) == (pytest.approx(2), pytest.approx(1))


def test_waiting_for_the_grader_is_left_out(fake: Fake) -> None:
    clock = after(fake, 10, 0, 1)
    clock.skip(4)
    assert clock.spent() == pytest.approx(6)


def test_real_process_that_computes() -> None:
    clock = Clock()
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        while clock.processor < 0.3 and clock.wall < 60:
            time.sleep(0.02)
            clock.look([process.pid])
        assert clock.processor >= 0.3
        assert clock.fair <= clock.wall + 0.01
    finally:
        process.kill()
        process.wait()


def test_unknown_process_is_no_error() -> None:
    clock = Clock()
    clock.look([2**22 + 1, os.getpid()])
    assert clock.spent() >= 0
