"""A sandbox made ahead takes its job after any wait."""

import time
from pathlib import Path

import pytest

from grader.backends import find_backend
from grader.launch import START_WALL_S, launch


def test_a_sandbox_that_waited_long_takes_a_job(native_build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = launch("python", find_backend("simulated"))
    try:
        later = time.monotonic() + START_WALL_S + 1
        monkeypatch.setattr(time, "monotonic", lambda: later)
        harness.give(b"def scale(x): pass\n")
        assert harness.alive()
    finally:
        monkeypatch.undo()
        harness.close()
