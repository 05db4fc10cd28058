"""The server of the browser tests ends with them."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT

TESTS = """
import sys, time
from pathlib import Path
from tests.browser.conftest import serving
with serving(Path(sys.argv[1])) as origin:
    print(origin, flush=True)
    time.sleep(600)
"""
PATIENCE_S = 120.0


def parents() -> dict[int, int]:
    """Parent of each process that has not ended."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it has ended meanwhile
        if state not in "ZX":
            found[int(file.parent.name)] = int(parent)
    return found


def descendants(pid: int) -> set[int]:
    known = parents()
    found: set[int] = set()
    while new := {child for child, parent in known.items() if parent in found | {pid}} - found:
        found |= new
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_server_and_its_grader_end_with_tests_that_are_killed(tmp_path: Path, native_build: Path) -> None:
    command = [sys.executable, "-c", TESTS, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout is not None
        assert tests.stdout.readline().startswith("http://127.0.0.1:")
        started = descendants(tests.pid)
        assert len(started) > 2, "no server, grader and sandboxes"
        tests.kill()
    wait_until(lambda: not started & parents().keys())
