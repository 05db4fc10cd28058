"""The grader as the worker uses it, over exercises made for the tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.contract.job import Job
from grader.contract.verdict import Event, Verdict
from grader.grade import grade
from grader.sandbox.memory import descendants
from grader.workshop import Workshop
from tests.golden.toys import GOOD, write_toys

GradeSource = Callable[..., Verdict]


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Workshop:
    if "FP_NATIVE" not in os.environ:
        request.getfixturevalue("native_build")
    return Workshop(write_toys(tmp_path_factory.mktemp("exercises")))


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def grade_source(workshop: Workshop, events: list[Event]) -> GradeSource:
    """Grades a source text; afterwards `events` holds what was told on the way."""

    def run(language: str, source: str, exercise: str = "scale", **changes: object) -> Verdict:
        fields = {"seed": 1, "backend": "simulated", **changes}
        job = Job("test", language, source, exercise, **fields)  # type: ignore[arg-type]
        return grade(job, events.append, workshop)

    return run


@pytest.fixture
def survives(grade_source: GradeSource) -> Callable[[str], None]:
    """Asserts that nothing is left of a submission, and that the next one is graded as if it had never been."""

    before = set(descendants(os.getpid()))  # a database of other tests, say

    def check(language: str) -> None:
        assert set(descendants(os.getpid())) <= before, "processes are left over"
        verdict = grade_source(language, GOOD[language])
        assert verdict.code == "accepted", verdict.data

    return check


@pytest.fixture
def host_secret(tmp_path: Path) -> Path:
    """A file of this machine that nothing in the sandbox may read or change."""
    path = tmp_path / "secret.txt"
    path.write_text("expected values live outside")
    path.chmod(0o666)
    return path
