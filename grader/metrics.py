"""What the worker has done since its start, in numbers: jobs by code, seconds by phase, the pool, drafts."""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Any

from grader.drafts import Drafts
from grader.sandbox.pool import Pool
from grader.workshop import Ready

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histograms' buckets, in seconds."""


class Histogram:
    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def to_json(self) -> dict[str, Any]:
        """buckets: [upper bound in seconds, observations up to it], the last without a bound; sum in seconds."""
        below = 0
        buckets: list[tuple[float | None, int]] = []
        for bound, count in zip((*BOUNDS, None), self.counts, strict=True):
            below += count
            buckets.append((bound, below))
        return {"buckets": buckets, "sum": round(self.sum, 6), "count": below}


class Metrics:
    """Shared by all slots of a worker process."""

    def __init__(self, pool: Pool[Ready] | None = None, drafts: Drafts | None = None) -> None:
        self._pool = pool
        self._drafts = drafts
        self._lock = threading.Lock()
        self._codes: Counter[str] = Counter()
        self._phases: dict[str, Histogram] = {}

    def observe(self, verdict: Mapping[str, Any]) -> None:
        """Counts a verdict, as its event holds it."""
        with self._lock:
            self._codes[verdict["code"]] += 1
            for phase, seconds in verdict["timings"].items():
                self._phases.setdefault(phase, Histogram()).add(seconds)

    def to_json(self) -> dict[str, Any]:
        with self._lock:
            found: dict[str, Any] = {
                "jobs": dict(self._codes),
                "phases": {name: histogram.to_json() for name, histogram in self._phases.items()},
            }
        if self._pool is not None:
            found["pool"] = self._pool.to_json()
        if self._drafts is not None:
            found["drafts"] = {"compiled": self._drafts.compiled, "refused": self._drafts.refused}
        return found
