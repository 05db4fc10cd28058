"""Takes queued submissions to the grader and records what comes back. It keeps nothing that a restart could lose."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from app.db import Database
from app.pages import GraderView
from app.settings import Settings
from app.submissions import journal
from app.submissions.ahead import Ahead
from app.submissions.flights import Flights
from app.submissions.lane import Lane
from app.submissions.link import Link, LinkLost
from app.submissions.notifier import Notifier
from grader.contract.verdict import cudnn_text

log = logging.getLogger(__name__)

BACKOFF_S = (0.5, 30.0)
STABLE_S = 60.0
"""A grader that lived so long did not fail at its start: the next one is tried at once."""


class Dispatcher:
    """One a database: a second one would take the first one's jobs for lost.

    An embedded worker has all its slots on one line; a grader behind a socket gives each connection one slot.
    """

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        settings: Settings,
        open_link: Callable[[], Awaitable[Link]] | None,
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._settings = settings
        self._open_link = open_link
        self._flights = Flights()
        count = settings.grader_connections if settings.grader.startswith("unix:") else 1
        self._lanes = [Lane(n, database, notifier, settings, self._flights) for n in range(count)]
        self.ahead = Ahead(self._lanes, self._flights, settings.backend)
        self._failures = 0
        self._tasks: list[asyncio.Task[None]] = []

    def view(self) -> GraderView:
        """What pages say of the grader: the backend that jobs will use, as far as it is known."""
        ready = next((lane.ready for lane in self._lanes if lane.ready), None)
        if ready is None:
            return GraderView("down" if self._failures else "starting")
        wanted = self._settings.backend
        found = ready.backend
        if wanted not in ("auto", found.name if found else ""):  # the grader introduces itself by its default
            return GraderView("ready", wanted)
        if found is None:
            return GraderView("ready")
        return GraderView("ready", found.name, found.device, cudnn_text(found.cudnn_version))

    def running(self) -> int:
        """Submissions that graders have now."""
        return len(self._flights)

    def slots(self) -> int:
        """Jobs that the graders that are ready take at a time."""
        return sum(lane.ready.slots for lane in self._lanes if lane.ready)

    async def metrics(self) -> dict[str, Any]:
        """What the grader says of itself: one process answers for all its connections."""
        lane = next((lane for lane in self._lanes if lane.ready), None)
        return await lane.metrics() if lane is not None else {}

    def start(self) -> None:
        if self._open_link is not None:
            self._tasks = [asyncio.create_task(self._run(lane, self._open_link)) for lane in self._lanes]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def wake(self) -> None:
        """Something was queued or cancelled."""
        self._flights.ring()

    async def _run(self, lane: Lane, open_link: Callable[[], Awaitable[Link]]) -> None:
        """Keeps one lane in service for good: a grader that is lost is opened again, after a growing pause."""
        delay = BACKOFF_S[0]
        while True:
            started = time.monotonic()
            try:
                await self._recover()
                await lane.serve(await open_link())
            except (OSError, LinkLost) as error:
                log.warning("grader %d: %s", lane.number, error)
            except Exception:  # whatever fails here must not end grading for good
                log.exception("grader %d: failed; starting again", lane.number)
            self._failures += 1
            if time.monotonic() - started > STABLE_S:
                delay = BACKOFF_S[0]
            await asyncio.sleep(delay)
            delay = min(delay * 2, BACKOFF_S[1])

    async def _recover(self) -> None:
        """Whatever is marked as running but is on no lane was lost: by a restart, or with its grader."""
        flying, faulted = set(self._flights), self._flights.faulted
        async with self._database.transaction(write=True) as session:
            changed = await journal.recover(session, faulted, flying)
        for submission in changed:
            faulted.pop(submission, None)
            self._notifier.notify(submission)
        self._flights.ring()
