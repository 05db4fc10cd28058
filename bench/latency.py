"""From submitting to the verdict, over HTTP: the warm grader against a new process for every submission.

Exercise `forward-convolution` on the simulated backend, an accepted solution, each source new (a comment differs), so
that no cache serves it. Both servers run all the while; rounds alternate between them and between the languages. The
time runs from before the POST until the verdict's event has been read. `drafted`: the same source had been compiled in
the background, as while a learner pauses. Needs the native build; BENCH_ROUNDS (default 40).
"""

import os
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field

from bench._server import Client, serving
from grader.paths import ROOT

SLUG = "forward-convolution"
SOLUTIONS = ROOT / "exercises" / SLUG / "solutions" / "accepted"
PROGRAMS = {"cpp": "heuristic-raii.cpp", "python": "heuristic-with.py"}
COMMENT = {"cpp": "//", "python": "#"}
PAUSE_S = 0.4
"""Between submissions: the load is low, and the pool refills."""
PHASES = ("compile", "start", "run", "compare")
WORKERS = {
    "warm": [sys.executable, "-m", "grader", "worker", "--slots", "1", "--draft-load", "1e9"],
    "plain": [sys.executable, "-m", "bench._plain", "worker"],
}


@dataclass(slots=True)
class Times:
    """Seconds of each submission, as the client sees them, and by the grader's phases."""

    whole: list[float] = field(default_factory=list)
    phases: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def median(self) -> float:
        return 1000 * statistics.median(self.whole)

    def p95(self) -> float:
        return 1000 * statistics.quantiles(self.whole, n=20)[-1]

    def row(self, name: str) -> str:
        parts = [1000 * statistics.median(self.phases[phase]) for phase in PHASES]
        rest = self.median() - sum(parts)
        return f"{name:<22}{self.median():>9.1f}{self.p95():>9.1f}" + "".join(f"{v:>10.1f}" for v in [*parts, rest])


def fresh(language: str) -> str:
    text = (SOLUTIONS / PROGRAMS[language]).read_text(encoding="utf-8")
    return f"{text}\n{COMMENT[language]} {time.time_ns()}\n"


def once(client: Client, language: str, times: Times, *, drafted: bool = False) -> None:
    """Raises RuntimeError where the solution is not accepted, or the draft was not compiled."""
    source = fresh(language)
    client.save_draft(SLUG, language, source)
    if drafted and (state := client.compile_draft(SLUG, language, source)) != "compiled":
        raise RuntimeError(f"the draft was not compiled: {state}")
    time.sleep(PAUSE_S)
    started = time.perf_counter()
    verdict = client.verdict(client.submit(SLUG, language, source))
    times.whole.append(time.perf_counter() - started)
    if verdict["code"] != "accepted":
        raise RuntimeError(f"{PROGRAMS[language]}: {verdict['code']}: {verdict['sentence']}")
    for phase in PHASES:
        times.phases[phase].append(verdict["timings"][phase])


def measure(rounds: int) -> dict[str, Times]:
    found: dict[str, Times] = defaultdict(Times)
    with serving(WORKERS["warm"]) as warm, serving(WORKERS["plain"]) as plain:
        clients = {"warm": Client(warm), "plain": Client(plain)}
        for number in range(rounds + 1):
            into = found if number else defaultdict(Times)  # the first round warms the page cache
            for language in PROGRAMS:
                for name, client in clients.items():
                    once(client, language, into[f"{language} {name}"])
            once(clients["warm"], "cpp", into["cpp warm, drafted"], drafted=True)
    return found


def main() -> None:
    rounds = int(os.environ.get("BENCH_ROUNDS", "40"))
    before = os.getloadavg()[0]
    found = measure(rounds)
    print(f"submit to verdict over HTTP, {SLUG}, {rounds} of each, milliseconds")
    print(f"load average {before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} processors")
    print(f"{'':<22}{'median':>9}{'p95':>9}" + "".join(f"{name:>10}" for name in (*PHASES, "the rest")))
    for name, times in found.items():
        print(times.row(name))
    for language, wanted in (("python", 5), ("cpp", 2)):
        ratio = found[f"{language} plain"].median() / found[f"{language} warm"].median()
        print(f"{language}: plain / warm = {ratio:.2f} (wanted: at least {wanted})")
    warm = found["cpp warm"]
    print(f"cpp: the compiler's share of warm = {1000 * statistics.median(warm.phases['compile']) / warm.median():.2f}")
    for name in ("python warm", "cpp warm, drafted"):
        print(f"{name}: median {found[name].median():.1f} ms (wanted: under 100)")
    for name in ("python warm", "cpp warm", "cpp warm, drafted"):
        print(f"{name}: p95 / median = {found[name].p95() / found[name].median():.2f} (wanted: under 2)")


if __name__ == "__main__":
    main()
