"""Sandboxes prepared ahead. Each is handed out once, to one job, and never comes back.

The pool does not know what it holds: it is given a function that makes one item of a kind. Items are made in the pool's
own thread, which lives as long as they do (a sandbox dies with the thread that started it).
"""

import logging
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


class Item(Protocol):
    def alive(self) -> bool: ...
    def close(self) -> None: ...


log = logging.getLogger(__name__)

T = TypeVar("T", bound=Item)
RETRY_S = 5.0
"""Pause after a failure to make an item, so that a broken machine is not kept busy."""


@dataclass(slots=True)
class PoolMetrics:
    hits: int = 0
    misses: int = 0
    made: int = 0
    failed: int = 0
    discarded: int = 0
    """Items that had died while they waited."""
    make_seconds: list[float] = field(default_factory=list)
    """Of the last 100 items."""


class Pool(Generic[T]):
    """`sizes`: kind → how many to hold ready."""

    def __init__(self, make: Callable[[str], T], sizes: Mapping[str, int]) -> None:
        self._make = make
        self._sizes = dict(sizes)
        self._ready: dict[str, list[T]] = {kind: [] for kind in sizes}
        self._changed = threading.Condition()
        self._closed = False
        self._working = 0
        self.metrics = PoolMetrics()
        self.last_error = ""
        self._thread = threading.Thread(target=self._fill, name="pool", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def take(self, kind: str) -> T | None:
        """A live item, now the caller's to close; None where none is ready."""
        while True:
            with self._changed:
                waiting = self._ready.get(kind)
                item = waiting.pop(0) if waiting else None
                self._changed.notify()
            if item is None:
                self.metrics.misses += 1
                return None
            if item.alive():
                self.metrics.hits += 1
                return item
            self.metrics.discarded += 1
            item.close()

    @contextmanager
    def working(self) -> Iterator[None]:
        """While a job runs, refilling waits, so as not to take the processor from it; but no kind stays empty."""
        with self._changed:
            self._working += 1
        try:
            yield
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def size(self) -> dict[str, int]:
        with self._changed:
            return {kind: len(items) for kind, items in self._ready.items()}

    def to_json(self) -> dict[str, object]:
        """Sizes by kind, counts, and the median seconds of making one (None before the first)."""
        seconds = self.metrics.make_seconds
        counts = {name: getattr(self.metrics, name) for name in ("hits", "misses", "made", "failed", "discarded")}
        median = round(statistics.median(seconds), 4) if seconds else None
        return {"ready": self.size(), "size": self._sizes, **counts, "make_seconds": median}

    def wait_full(self, timeout: float) -> bool:
        """Whether every kind reached its size in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._missing() is None, timeout)

    def _missing(self) -> str | None:
        lacking = [kind for kind, items in self._ready.items() if len(items) < self._sizes[kind]]
        return min(lacking, key=lambda kind: len(self._ready[kind])) if lacking else None

    def _wanted(self) -> str | None:
        """The kind to make now."""
        kind = self._missing()
        return None if kind is not None and self._working and self._ready[kind] else kind

    def _fill(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._wanted() is not None)
                kind = self._wanted()
                if self._closed or kind is None:
                    return
            self._add(kind)

    def _add(self, kind: str) -> None:
        started = time.monotonic()
        try:
            item = self._make(kind)
        except Exception as error:
            self.metrics.failed += 1
            if str(error) != self.last_error:  # a broken machine fails each few seconds, mostly in the same way
                log.warning("pool: no %s could be made: %s", kind, error)
            self.last_error = str(error)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, RETRY_S)
            return
        self.metrics.made += 1
        self.metrics.make_seconds = [*self.metrics.make_seconds[-99:], time.monotonic() - started]
        with self._changed:
            if not self._closed:
                self._ready[kind].append(item)
                self._changed.notify_all()
                return
        item.close()

    def close(self) -> None:
        """Ends the thread and every item that waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()
        for items in self._ready.values():
            while items:
                items.pop().close()
