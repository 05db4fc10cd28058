"""How long a jail has run, without the time in which the machine kept it waiting for a processor.

A program that computes or sleeps uses up its wall time; one that is ready but not scheduled, because the machine is
busy with others, does not. So a crowded machine makes verdicts late, but not wrong. A program cannot stretch its time
by crowding itself: its processor time is bounded too, and so is the plain wall time.
"""

import os
import time
from collections.abc import Iterable
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")
MOST_PROCESSOR = 2.0
"""Processor time of all threads together, in limits: what two processors give a program that uses both."""
MOST_WALL = 10.0
"""Plain wall time, in limits."""


class Clock:
    """Starts with its first look. Values are in seconds since then."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._waited: dict[int, int] = {}
        self._used: dict[int, int] = {}
        self._base: tuple[int, int] = (0, 0)

    def restart(self) -> None:
        """Counts from now; what the known processes waited and used before is left out."""
        self._started = time.monotonic()
        self._base = (sum(self._waited.values()), sum(self._used.values()))

    def skip(self, seconds: float) -> None:
        """Leaves out time in which the program waited for the grader."""
        self._started += seconds

    def look(self, processes: Iterable[int]) -> None:
        """Takes note of what these processes have waited and used. Those that have ended keep their last values."""
        for pid in processes:
            if (waited := _waited_ns(pid)) is not None:
                self._waited[pid] = waited
            if (used := _used_ticks(pid)) is not None:
                self._used[pid] = used

    @property
    def wall(self) -> float:
        return time.monotonic() - self._started

    @property
    def processor(self) -> float:
        return (sum(self._used.values()) - self._base[1]) / _TICKS

    @property
    def fair(self) -> float:
        """Wall time less the time spent waiting for a processor."""
        return max(self.wall - (sum(self._waited.values()) - self._base[0]) / 1e9, 0.0)

    def spent(self) -> float:
        """What counts against a limit: fair time, or what the bounds on processor and wall time make of it."""
        return max(self.fair, self.processor / MOST_PROCESSOR, self.wall / MOST_WALL)


def _waited_ns(pid: int) -> int | None:
    """Nanoseconds that the process's main thread was ready and not running."""
    words = _read(pid, "schedstat").split()
    return int(words[1]) if len(words) == 3 else None


def _used_ticks(pid: int) -> int | None:
    """User and system time of all its threads, in clock ticks."""
    words = _read(pid, "stat").rpartition(")")[2].split()
    return int(words[11]) + int(words[12]) if len(words) > 12 else None


def _read(pid: int, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
