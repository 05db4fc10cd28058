"""Warm sandboxes give the verdicts that cold ones give, each to one job only."""

import dataclasses
import time
from collections.abc import Iterator

import pytest

from grader.backends import find_backend
from grader.compiler import Compiler
from grader.contract.job import Job
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.sandbox.pool import Pool
from grader.serve import warm
from grader.workshop import Ready, Workshop
from tests import descriptors
from tests.golden.toys import GOOD, GOOD_PROGRAM, hooked

OPEN = GOOD["cpp"].rstrip().removesuffix("}")
BEYOND_ITS_INCLUDES = hooked("cpp", "std::map<int, int> seen; seen[1] = 2;")


@pytest.fixture(scope="module")
def pool(workshop: Workshop) -> Iterator[Pool[Ready]]:
    with warm(1) as pool:
        assert pool is not None
        assert pool.wait_full(120), pool.last_error
        yield pool


@pytest.fixture
def warm_workshop(workshop: Workshop, pool: Pool[Ready]) -> Workshop:
    assert pool.wait_full(120)
    return dataclasses.replace(workshop, pool=pool)


def verdict(workshop: Workshop, language: str, source: str, exercise: str = "scale") -> Verdict:
    return grade(Job("p", language, source, exercise, seed=3), lambda _: None, workshop)  # type: ignore[arg-type]


def fresh(language: str = "cpp", source: str = GOOD["cpp"]) -> str:
    """The source with a comment of its own, so that no cache knows it."""
    return f"{source}\n{'//' if language == 'cpp' else '#'} {time.time_ns()}\n"


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
        ("cpp", hooked("cpp", "int unused = y;"), "scale"),
        ("cpp", hooked("cpp", "extern void nowhere(); nowhere();"), "scale"),
        ("cpp", OPEN, "scale"),
        ("cpp", BEYOND_ITS_INCLUDES, "scale"),
        ("python", GOOD_PROGRAM["python"], "print"),
        ("cpp", GOOD_PROGRAM["cpp"], "print"),
    ],
)
def test_same_verdict(
    language: str, source: str, exercise: str, warm_workshop: Workshop, workshop: Workshop, pool: Pool[Ready]
) -> None:
    hits = pool.metrics.hits
    warm_verdict = verdict(warm_workshop, language, fresh(language, source), exercise)
    assert pool.metrics.hits > hits
    assert essence(warm_verdict) == essence(verdict(workshop, language, fresh(language, source), exercise))


def test_brace_that_is_left_open_is_told_where_it_opens(warm_workshop: Workshop) -> None:
    found = verdict(warm_workshop, "cpp", fresh("cpp", OPEN))
    opened = GOOD["cpp"][: GOOD["cpp"].index("void scale(")].count("\n") + 1
    assert (found.code, found.data) == ("compile_error", {"language": "cpp"})
    assert found.diagnostics[0].line >= opened
    assert "at end of input" in found.diagnostics[0].message


def test_nothing_passes_from_one_job_to_the_next(warm_workshop: Workshop, pool: Pool[Ready]) -> None:
    leave = hooked("python", "import builtins\nbuiltins.left = 1\nnp.left = 1")
    look = hooked("python", "import builtins\nprint(hasattr(builtins, 'left'), hasattr(np, 'left'))")
    for _ in range(2):
        assert verdict(warm_workshop, "python", leave).code == "accepted"
        assert pool.wait_full(120)
        assert "True" not in verdict(warm_workshop, "python", look).stdout


def test_sandbox_that_died_while_it_waited_is_not_handed_out(warm_workshop: Workshop, pool: Pool[Ready]) -> None:
    for waiting in pool._ready.values():
        for ready in waiting:
            ready.program.process.kill()
            ready.program.process.wait()
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"
    assert verdict(warm_workshop, "cpp", fresh()).code == "accepted"
    assert pool.metrics.discarded >= 3


def test_compiler_of_other_headers_is_not_used(warm_workshop: Workshop, pool: Pool[Ready]) -> None:
    waiting = [ready for items in pool._ready.values() for ready in items if isinstance(ready, Compiler)]
    for compiler in waiting:
        compiler.toolchain = "of yesterday's headers"
    alive = sum(compiler.alive() for compiler in waiting)
    assert verdict(warm_workshop, "cpp", fresh()).code == "accepted"
    assert sum(compiler.alive() for compiler in waiting) == alive - 1


def test_compiler_that_is_closed_leaves_no_descriptor() -> None:
    before = descriptors.opened()
    shop = Workshop()
    compiler = shop.compiler(find_backend("simulated"), "plain")
    compiler.close()
    compiler.close()
    assert descriptors.opened() <= before


def test_waiting_does_not_count_as_running(warm_workshop: Workshop, pool: Pool[Ready]) -> None:
    for waiting in pool._ready.values():
        for ready in waiting:
            ready.program.clock._started -= 10_000
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"
    assert verdict(warm_workshop, "cpp", fresh()).code == "accepted"


def test_empty_pool_is_no_obstacle(warm_workshop: Workshop, pool: Pool[Ready]) -> None:
    taken = pool.take("python-simulated") or pool.take("python-gpu")
    assert taken is not None
    started = time.monotonic()
    assert verdict(warm_workshop, "python", GOOD["python"]).code == "accepted"
    assert time.monotonic() - started < 60
    taken.close()
