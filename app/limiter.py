"""A sliding-window limit kept in memory: enough against a hasty hand or a looping script on one web process."""

import time
from collections import deque
from collections.abc import Callable


class Limiter:
    """At most `limit` events a key within `window_s` seconds."""

    def __init__(self, limit: int, window_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._window_s = window_s
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    def wait_s(self, key: str) -> float:
        """Counts one event. 0 where it is allowed, else the seconds until one would be (and nothing is counted)."""
        now = self._clock()
        self._forget(now)
        times = self._times.setdefault(key, deque())
        if len(times) >= self._limit:
            return max(0.0, times[0] + self._window_s - now)
        times.append(now)
        return 0.0

    def _forget(self, now: float) -> None:
        for key, times in list(self._times.items()):
            while times and times[0] <= now - self._window_s:
                times.popleft()
            if not times:
                del self._times[key]
