"""Timed runs: what a verdict tells of them, and that the usual ways to look fast do not work."""

import dataclasses
import threading

import pytest

from grader.contract.job import Job
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.timing import exclusive
from grader.workshop import Workshop
from tests.golden.conftest import GradeSource
from tests.golden.toys import GOOD, TIMED_CPP, TIMED_PYTHON

SLEEP_S = 0.02
LIMIT_S = 4.0
"""Of the exercise `timed`."""


def timed(grade_source: GradeSource, language: str, hook: str = "", before: str = "") -> Verdict:
    if language == "cpp":
        source = TIMED_CPP.replace("/*HOOK*/", hook).replace("/*BEFORE*/", before)
    else:
        source = TIMED_PYTHON.replace("pass  # HOOK", hook.replace("\n", "\n    ") or "pass")
    return grade_source(language, source, "timed")


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_every_run_after_the_warm_up_is_reported(grade_source: GradeSource, language: str) -> None:
    verdict = timed(grade_source, language)
    assert verdict.code == "accepted", verdict.data
    timing = verdict.timing
    assert (timing["case"], timing["warmup"], len(timing["seconds"])) == ("small", 2, 5)
    assert 0 < timing["best"] <= timing["median"] <= max(timing["seconds"])
    assert timing["floor"] > 0
    assert [case.name for case in verdict.cases] == ["small", "large", "timed-runs"]
    assert (verdict.passed, verdict.total) == (3, 3)
    assert {call.case for call in verdict.calls} == ({"small"} if language == "cpp" else set())


FAKES = {
    "answers of an earlier call": (
        "cpp",
        "static std::vector<float> kept; if (calls > 4) h = kept; else if (calls == 4) kept = h;",
        "wrong_answer",
    ),
    "answers of an earlier call, Python": (
        "python",
        "if n in kept and calls > 2: y[...] = kept[n]\nkept[n] = y.copy()",
        "wrong_answer",
    ),
    "nothing done once it is timed": ("cpp", "if (calls > 2) return;", "wrong_answer"),
    "nothing done once it is timed, Python": ("python", "if calls > 2: y[...] = 0", "wrong_answer"),
    "endless once it is timed": ("python", "while calls > 3: pass", "time_limit"),
    "crash once it is timed": ("cpp", "if (calls > 3) *(volatile int *)nullptr = 1;", "runtime_error"),
}


@pytest.mark.parametrize("name", FAKES)
def test_results_of_timed_runs_are_checked(grade_source: GradeSource, name: str) -> None:
    language, hook, code = FAKES[name]
    verdict = timed(grade_source, language, hook)
    assert (verdict.code, verdict.first_failed) == (code, "timed-runs")
    assert (verdict.passed, verdict.total) == (2, 3)
    assert verdict.timing == {}


def test_clock_inside_is_not_asked(grade_source: GradeSource) -> None:
    stopped = """
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t, timespec *t) { *t = {1, 1}; return 0; }
"""
    sleep = f"timespec pause{{0, {int(SLEEP_S * 1e9)}}}; nanosleep(&pause, nullptr);"
    python = (
        f"time.sleep({SLEEP_S})\nfor name in ('time', 'monotonic', 'perf_counter'): setattr(time, name, lambda: 1.0)"
    )
    for verdict in (timed(grade_source, "cpp", sleep, stopped), timed(grade_source, "python", python)):
        assert verdict.code == "accepted", verdict.data
        assert min(verdict.timing["seconds"]) >= SLEEP_S


def test_waiting_for_ones_turn_is_not_counted(grade_source: GradeSource) -> None:
    found: list[Verdict] = []
    with exclusive:  # as another slot does while it times
        thread = threading.Thread(target=lambda: found.append(timed(grade_source, "cpp")))
        thread.start()
        thread.join(LIMIT_S + 1.5)
        assert thread.is_alive()
    thread.join()
    assert found[0].code == "accepted", found[0].data


HOOKS = {"accepted": "pass", "runtime_error": "if calls > 3: os._exit(3)", "time_limit": "while calls > 3: pass"}


def test_many_timed_jobs_at_once_all_end(workshop: Workshop) -> None:
    """Five slots: jobs that are right or crash while they are timed, an endless one, others that are not timed."""
    found: dict[tuple[int, str], list[str]] = {}
    codes = {number: list(HOOKS) if number == 0 else list(HOOKS)[:2] for number in range(5)}

    def slot(number: int) -> None:
        shop = dataclasses.replace(workshop, slot=number)
        for code in codes[number]:
            source = "import os\n" + TIMED_PYTHON.replace("pass  # HOOK", HOOKS[code])
            timed_job, plain = Job("t", "python", source, "timed"), Job("p", "python", GOOD["python"], "scale")
            found[number, code] = [str(grade(job, lambda _: None, shop).code) for job in (timed_job, plain)]

    threads = [threading.Thread(target=slot, args=(number,), daemon=True) for number in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert found == {(number, code): [code, "accepted"] for number in codes for code in codes[number]}


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_wrong_case_is_not_timed(grade_source: GradeSource, language: str) -> None:
    hook = "h[0] = 1;" if language == "cpp" else "y[0] = 1"
    verdict = timed(grade_source, language, hook)
    assert (verdict.code, verdict.first_failed, verdict.total) == ("wrong_answer", "small", 2)
    assert verdict.timing == {}
