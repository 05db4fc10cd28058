"""A submission whose source is being compiled as a draft, against one without a draft, on a machine that is busy.

Exercise `forward-convolution` on the simulated backend, an accepted C++ solution, each source new (a comment differs).
As many programs that only compute as twice the processors keep the machine busy at normal priority. Rounds alternate
between the two; the submission follows the draft's request after HEAD_START_S. The time runs from before the POST until
the verdict's event has been read. A draft must never make its submission slower: wanted is a ratio of about 1. Needs
the native build; BENCH_ROUNDS (default 8).
"""

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench._server import Client, serving
from bench.latency import SLUG, WORKERS, fresh

HEAD_START_S = 0.05


@contextmanager
def busy(count: int) -> Iterator[None]:
    """While `count` processes compute without end."""
    spin = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(spin) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def once(origin: str, *, drafted: bool) -> float:
    """Seconds to the verdict. Raises RuntimeError where the solution is not accepted."""
    client, writer, source = Client(origin), Client(origin), fresh("cpp")
    client.save_draft(SLUG, "cpp", source)
    writer.http.cookies = client.http.cookies
    draft = threading.Thread(target=writer.compile_draft, args=(SLUG, "cpp", source))
    if drafted:
        draft.start()
    time.sleep(HEAD_START_S)
    started = time.perf_counter()
    verdict = client.verdict(client.submit(SLUG, "cpp", source))
    spent = time.perf_counter() - started
    if drafted:
        draft.join()
    if verdict["code"] != "accepted":
        raise RuntimeError(f"{verdict['code']}: {verdict['sentence']}")
    return spent


def main() -> None:
    rounds, count = int(os.environ.get("BENCH_ROUNDS", "8")), 2 * (os.cpu_count() or 1)
    alone: list[float] = []
    drafted: list[float] = []
    with serving(WORKERS["warm"]) as origin:
        once(origin, drafted=True)
        with busy(count):
            for _ in range(rounds):
                alone.append(once(origin, drafted=False))
                drafted.append(once(origin, drafted=True))
    print(f"submit to verdict over HTTP, {SLUG}, {rounds} of each beside {count} busy processes, milliseconds")
    for name, times in (("without a draft", alone), ("its draft compiles", drafted)):
        print(f"{name:<20} median {1000 * statistics.median(times):>8.0f}   longest {1000 * max(times):>8.0f}")
    print(f"draft compiles / without a draft = {statistics.median(drafted) / statistics.median(alone):.2f}")


if __name__ == "__main__":
    main()
