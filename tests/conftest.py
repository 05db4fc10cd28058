"""Fixtures for every kind of test."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SLOTS = 14
"""`MAX_SLOTS` of the sandbox. Not imported: a contract on imports plants an import of this file."""


def pytest_configure(config: pytest.Config) -> None:
    """Sandboxes of one test process share no per-user limits with those of another: some tests are attacks."""
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is not None:
        share = max(1, SLOTS // worker["workercount"])
        os.environ["FP_FIRST_SLOT"] = str(int(worker["workerid"].removeprefix("gw")) * share)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from tests.schedule import Schedule

    config.option.loadscopereorder = False
    return Schedule(config, log)


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def native_build() -> Path:
    """build/native, built where it is missing or older than its sources."""
    subprocess.run([sys.executable, "-m", "grader.native.build"], cwd=ROOT, check=True)
    return ROOT / "build" / "native"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if Path("/dev/nvidiactl").exists():
        return
    no_gpu = pytest.mark.skip(reason="no NVIDIA GPU on this machine")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(no_gpu)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What a test that was run once more had failed with (decision 0017)."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"first failure of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
