"""What a verdict costs beside the bare program: compile and run by hand, against `grade()` without a warm pool.

The program is an accepted solution of `handle-life`: a whole program, so that it runs without the grader too.
By hand: g++ with the grader's optimisation level and the plain headers, then the program; or one Python process.
Graded: jail, precompiled header, sealing, call trace, comparison and rules; each source is new, so that no cache
serves it. Rounds alternate between the two. Needs the native build.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from grader.contract.codes import Code
from grader.contract.job import Job, Language
from grader.grade import grade
from grader.paths import ROOT, native_build
from grader.workshop import Workshop

ROUNDS = 15
SOLUTIONS = ROOT / "exercises" / "handle-life" / "solutions" / "accepted"
PROGRAMS: dict[Language, Path] = {"cpp": SOLUTIONS / "passed-on.cpp", "python": SOLUTIONS / "with-statement.py"}
COMMENT: dict[Language, str] = {"cpp": "//", "python": "#"}


def environment() -> dict[str, str]:
    lib = native_build() / "lib"
    return {
        **os.environ,
        "FP_CUDNN_LIBRARY": str(lib / "libcudnn.so.9"),
        "FP_CUDART_LIBRARY": str(lib / "libcudart.so.12"),
        "FP_RECORDER_LIBRARY": str(lib / "libfp_recorder.so"),
        "PYTHONPATH": str(native_build() / "python"),
    }


def by_hand(language: Language, source: str, folder: Path) -> None:
    """Raises CalledProcessError where the program does not compile or run."""
    path = folder / ("program.cpp" if language == "cpp" else "program.py")
    path.write_text(source)
    if language == "cpp":
        lib = native_build() / "lib"
        link = [f"-L{lib}", "-lfp_recorder", f"-Wl,-rpath,{lib}"]
        compile_ = ["g++", "-std=c++20", "-O1", "-g1", f"-I{native_build() / 'include'}", str(path), *link]
        subprocess.run([*compile_, "-o", str(folder / "program")], check=True)
        command = [str(folder / "program")]
    else:
        command = [sys.executable, str(path)]
    subprocess.run(command, env=environment(), check=True, stdout=subprocess.DEVNULL)


def graded(language: Language, source: str, workshop: Workshop) -> dict[str, float]:
    """Seconds by phase. Raises RuntimeError where the solution is not accepted."""
    verdict = grade(Job("bench", language, source, "handle-life", backend="simulated"), lambda _: None, workshop)
    if verdict.code is not Code.ACCEPTED:
        raise RuntimeError(f"{PROGRAMS[language].name}: {verdict.code}: {verdict.data}")
    return verdict.timings


def seconds(work: Callable[..., object], *arguments: object) -> float:
    started = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - started


def measure(language: Language, folder: Path) -> None:
    workshop = Workshop()
    text = PROGRAMS[language].read_text(encoding="utf-8")
    graded(language, text, workshop)  # makes the precompiled header, once for a machine
    hand: list[float] = []
    phases: list[dict[str, float]] = []
    for number in range(ROUNDS):
        source = f"{text}\n{COMMENT[language]} {time.time_ns()} {number}\n"
        hand.append(seconds(by_hand, language, source, folder))
        phases.append(graded(language, source, workshop))
    whole = [timings["total"] for timings in phases]
    parts = ", ".join(
        f"{name} {1000 * statistics.median(p[name] for p in phases):.0f}" for name in ("compile", "start", "run")
    )
    print(f"{language:<8}{1000 * statistics.median(hand):>10.0f}{1000 * statistics.median(whole):>10.0f}   {parts}")
    print(f"cold grade / bare {language}: {statistics.median(whole) / statistics.median(hand):.2f}")


def main() -> None:
    print(f"medians of {ROUNDS}, milliseconds")
    print(f"{'':<8}{'by hand':>10}{'graded':>10}   phases of the graded one")
    with tempfile.TemporaryDirectory() as folder:
        for language in PROGRAMS:
            measure(language, Path(folder))


if __name__ == "__main__":
    main()
