"""How many submissions a minute, and that waiting costs nobody a time limit: a class hands in at once.

Each of BENCH_READERS readers (default 24) submits several programs over HTTP, one after the other as soon as the last
has its verdict, while all others do the same; all of them are accepted solutions with sources of their own, so that
each is compiled. Prints submissions a minute, and by how many later submissions one was overtaken.
"""

import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench._server import Client, serving
from bench.latency import COMMENT, PROGRAMS, SLUG, SOLUTIONS

EACH = 4
SLOTS = 2
WORKER = [sys.executable, "-m", "grader", "worker", "--slots", str(SLOTS)]


def reader(origin: str, number: int) -> list[dict[str, Any]]:
    """One reader's submissions: seconds from submitting to the verdict, and its code."""
    client = Client(origin)
    found = []
    for turn in range(EACH):
        language = ("cpp", "python")[(number + turn) % 2]
        text = (SOLUTIONS / PROGRAMS[language]).read_text(encoding="utf-8")
        started = time.monotonic()
        verdict = client.verdict(client.submit(SLUG, language, f"{text}\n{COMMENT[language]} {number}.{turn}\n"))
        found.append({"started": started, "seconds": time.monotonic() - started, "code": verdict["code"]})
    return found


def overtaken(one: dict[str, Any], entries: list[dict[str, Any]]) -> int:
    """Submissions that arrived later and had their verdict earlier: a few, since slots work side by side."""
    end = one["started"] + one["seconds"]
    return sum(other["started"] > one["started"] and other["started"] + other["seconds"] < end for other in entries)


def main() -> None:
    readers = int(os.environ.get("BENCH_READERS", "24"))
    with serving(WORKER) as origin, ThreadPoolExecutor(readers) as threads:
        began = time.monotonic()
        results = list(threads.map(lambda number: reader(origin, number), range(readers)))
        minutes = (time.monotonic() - began) / 60
    entries = [entry for result in results for entry in result]
    late = [entry["code"] for entry in entries if entry["code"] != "accepted"]
    waits = [entry["seconds"] for entry in entries]
    print(
        f"{readers} readers, {len(entries)} submissions, half of them C++; {SLOTS} slots, {os.cpu_count()} processors"
    )
    print(f"{len(entries) / minutes:.0f} submissions a minute; load average {os.getloadavg()[0]:.1f} at the end")
    print(f"wait for a verdict: median {statistics.median(waits):.1f} s, longest {max(waits):.1f} s")
    most = max(overtaken(entry, entries) for entry in entries)
    print(f"a submission was overtaken by at most {most} later ones")
    print(f"not accepted: {len(late)} {sorted(set(late))}")


if __name__ == "__main__":
    main()
