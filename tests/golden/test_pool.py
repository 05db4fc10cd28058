"""Warm sandboxes give the verdicts that cold ones give, each to one job only."""

import dataclasses
import time
from collections.abc import Iterator

import pytest

from grader.contract.job import Job
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.launch import Harness
from grader.sandbox.pool import Pool
from grader.serve import warm
from grader.workshop import Workshop
from tests.golden.toys import GOOD, GOOD_PROGRAM, hooked


@pytest.fixture(scope="module")
def pool(workshop: Workshop) -> Iterator[Pool[Harness]]:
    with warm(1) as pool:
        assert pool is not None
        assert pool.wait_full(120), pool.last_error
        yield pool


@pytest.fixture
def warm_workshop(workshop: Workshop, pool: Pool[Harness]) -> Workshop:
    assert pool.wait_full(120)
    return dataclasses.replace(workshop, pool=pool)


def verdict(workshop: Workshop, language: str, source: str, exercise: str = "scale") -> Verdict:
    return grade(Job("p", language, source, exercise, seed=3), lambda _: None, workshop)  # type: ignore[arg-type]


def essence(verdict: Verdict) -> object:
    """Everything but times and addresses."""
    cases = [(c.name, c.code, [dataclasses.asdict(o) for o in c.outputs], c.stdout) for c in verdict.cases]
    calls = [(call.name, call.args, call.outs, call.status, call.line, call.case) for call in verdict.calls]
    findings = [(f.rule, f.call, f.line) for f in verdict.findings]
    data = {key: value for key, value in verdict.data.items() if key != "value"}
    return verdict.code, cases, calls, findings, data, verdict.stdout, verdict.diagnostics


@pytest.mark.parametrize(
    ("language", "source", "exercise"),
    [
        ("python", GOOD["python"], "scale"),
        ("cpp", GOOD["cpp"], "scale"),
        ("python", hooked("python", "y[0, 1] = 5\nprint('x')"), "scale"),
        ("cpp", hooked("cpp", "std::abort();"), "scale"),
        ("python", "def scale(:", "scale"),
        ("cpp", hooked("cpp", "for (volatile int i = 0;; i = i + 1);"), "scale"),
        ("python", GOOD_PROGRAM["python"], "print"),
        ("cpp", GOOD_PROGRAM["cpp"], "print"),
    ],
)
def test_same_verdict(
    language: str, source: str, exercise: str, warm_workshop: Workshop, workshop: Workshop, pool: Pool[Harness]
) -> None:
    hits = pool.metrics.hits
    warm_verdict = verdict(warm_workshop, language, source, exercise)
    assert pool.metrics.hits > hits
    assert essence(warm_verdict) == essence(verdict(workshop, language, source, exercise))


def test_nothing_passes_from_one_job_to_the_next(warm_workshop: Workshop, pool: Pool[Harness]) -> None:
    leave = hooked("python", "import builtins\nbuiltins.left = 1\nnp.left = 1")
    look = hooked("python", "import builtins\nprint(hasattr(builtins, 'left'), hasattr(np, 'left'))")
    for _ in range(2):
        assert verdict(warm_workshop, "python", leave).code == "accepted"
        assert pool.wait_full(120)
        assert "True" not in verdict(warm_workshop, "python", look).stdout


def test_sandbox_that_died_while_it_waited_is_not_handed_out(warm_workshop: Workshop, pool: Pool[Harness]) -> None:
    for waiting in pool._ready.values():
        for harness in waiting:
            harness.program.process.kill()
            harness.program.process.wait()
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"
    assert pool.metrics.discarded >= 1


def test_waiting_does_not_count_as_running(warm_workshop: Workshop, pool: Pool[Harness]) -> None:
    for waiting in pool._ready.values():
        for harness in waiting:
            harness.program.clock._started -= 10_000
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"


def test_empty_pool_is_no_obstacle(warm_workshop: Workshop, pool: Pool[Harness]) -> None:
    taken = pool.take("python-simulated") or pool.take("python-gpu")
    assert taken is not None
    started = time.monotonic()
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"
    assert time.monotonic() - started < 60
    taken.close()
