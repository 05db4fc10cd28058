"""Wakes the event streams of a submission when something was recorded. Only a hint: streams read the database."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Bell:
    """Subscribed before the database is read, so that nothing recorded in between is slept through."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        self._event.set()

    def hush(self) -> None:
        self._event.clear()

    async def wait(self, timeout_s: float) -> None:
        """Returns when the bell has rung since the last `hush`, or after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._event.wait()
        except TimeoutError:
            return


class Notifier:
    def __init__(self) -> None:
        self._bells: dict[str, set[Bell]] = {}

    @contextmanager
    def subscribe(self, submission: str) -> Iterator[Bell]:
        bell = Bell()
        self._bells.setdefault(submission, set()).add(bell)
        try:
            yield bell
        finally:
            self._bells[submission].discard(bell)
            if not self._bells[submission]:
                del self._bells[submission]

    def notify(self, submission: str) -> None:
        for bell in self._bells.get(submission, ()):
            bell.ring()

    def notify_all(self) -> None:
        """Queue positions may have changed."""
        for submission in self._bells:
            self.notify(submission)
