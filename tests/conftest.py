"""Fixtures for every kind of test."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


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
