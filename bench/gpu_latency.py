"""Submit → verdict through `grade()` on a GPU: sandboxes made for each job against sandboxes that wait in the pool.

The program is the same convolution in both languages. Rounds alternate between cold and warm, C++ and Python; every
source is new, so that no cache serves a build. A warm round begins when the pool is full, as it is for a learner who
submits now and then. Prints medians and the phases, and where the run phase goes: each case, and the rest.
"""

import itertools
import json
import statistics
import sys
import time
from pathlib import Path

from grader.backends import BackendUnavailableError, find_backend
from grader.contract.codes import Code
from grader.contract.job import LANGUAGES, Job, Language
from grader.grade import grade
from grader.paths import ROOT
from grader.ready import make_pool
from grader.sandbox.device_memory import free_bytes
from grader.workshop import Workshop

ROUNDS = 30
POOL_SIZE = 2
"""As the worker keeps by default. With one, its successor is made while the job runs, and disturbs it."""
EXERCISE = "forward-convolution"
SOLUTIONS = ROOT / "exercises" / EXERCISE / "solutions" / "accepted"
COMMENT: dict[Language, str] = {"cpp": "//", "python": "#"}
PHASES = ("compile", "start", "run", "compare", "total")


def source(language: Language, number: int) -> str:
    path = SOLUTIONS / ("implicit-gemm.cpp" if language == "cpp" else "implicit-gemm.py")
    return f"{path.read_text(encoding='utf-8')}\n{COMMENT[language]} {time.time_ns()} {number}\n"


def graded(language: Language, number: int, workshop: Workshop) -> dict[str, float]:
    """Seconds by phase and, as `case …`, by case. Raises RuntimeError where the solution is not accepted."""
    job = Job("bench", language, source(language, number), EXERCISE, backend="gpu")
    verdict = grade(job, lambda _: None, workshop)
    if verdict.code is not Code.ACCEPTED:
        raise RuntimeError(f"{verdict.code}: {verdict.data}")
    return verdict.timings | {f"case {case.name}": case.seconds for case in verdict.cases}


def cases_row(name: str, phases: list[dict[str, float]]) -> str:
    """Medians of the run phase: its cases, and the rest (loading before them, leaving after them)."""
    cases = [key for key in phases[0] if key.startswith("case ")]
    rest = statistics.median(timings["run"] - sum(timings[case] for case in cases) for timings in phases)
    parts = [f"{case[5:]} {1000 * statistics.median(timings[case] for timings in phases):.1f}" for case in cases]
    return f"{name:<14}{', '.join(parts)}; before and after {1000 * rest:.1f}"


def row(name: str, phases: list[dict[str, float]]) -> str:
    medians = [1000 * statistics.median(timings.get(phase, 0.0) for timings in phases) for phase in PHASES]
    worst = 1000 * max(timings["total"] for timings in phases)
    return f"{name:<14}" + "".join(f"{value:>10.1f}" for value in medians) + f"{worst:>10.1f}"


def main() -> None:
    try:
        backend = find_backend("gpu")
    except BackendUnavailableError as error:
        print(f"gpu_latency: {error}; {error.mend}")
        return
    before = free_bytes()
    numbers = itertools.count()
    pool = make_pool(Workshop(), backend, POOL_SIZE)
    pool.start()
    pool.wait_full(60)
    held = [(a - b) / (1 << 20) / len(LANGUAGES) / POOL_SIZE for a, b in zip(before, free_bytes(), strict=True)]
    cold, warm = Workshop(), Workshop(pool=pool)
    graded("cpp", next(numbers), cold)  # makes the precompiled header, once for a machine
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(ROUNDS):
        for language in LANGUAGES:
            found.setdefault(f"cold {language}", []).append(graded(language, next(numbers), cold))
            pool.wait_full(60)
            with pool.working():
                found.setdefault(f"warm {language}", []).append(graded(language, next(numbers), warm))
    print(f"{backend.info.device}, driver {backend.info.driver}, cuDNN {backend.info.cudnn_version}; {EXERCISE}")
    print(f"medians of {ROUNDS}, milliseconds\n{'':<14}" + "".join(f"{p:>10}" for p in (*PHASES, "worst")))
    for name, phases in found.items():
        print(row(name, phases))
    for name, phases in found.items():
        print(cases_row(name, phases))
    print(f"pool: {pool.metrics.hits} hits, {pool.metrics.misses} misses, {pool.metrics.discarded} discarded; ", end="")
    print(f"made in {statistics.median(pool.metrics.make_seconds):.2f} s; a waiting sandbox holds {held} MiB")
    pool.close()
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for language in LANGUAGES:
        c, w = (statistics.median(t["total"] for t in found[f"{kind} {language}"]) for kind in ("cold", "warm"))
        print(f"warm / cold, {language}: {w / c:.3f}")


if __name__ == "__main__":
    main()
