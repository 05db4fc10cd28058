"""Takes queued submissions to the grader and records what comes back. It keeps nothing that a restart could lose."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from app.db import Database
from app.pages import GraderView
from app.settings import Settings
from app.submissions import journal, queries
from app.submissions.fairness import fair_order
from app.submissions.journal import Outcome
from app.submissions.link import Link, LinkLost
from app.submissions.messages import GraderEvent, Malformed, Message, Ready, parse
from app.submissions.notifier import Notifier

log = logging.getLogger(__name__)

POLL_S = 1.0
"""How often the queue is looked at without being woken: another web process may have added to it."""
PING_S = 15.0
DEAD_S = 60.0
"""A grader that does not even answer a ping for so long is dead."""
READY_S = 180.0
"""A worker may build its simulator or warm its pool before it is ready."""
BACKOFF_S = (0.5, 30.0)


@dataclass(slots=True)
class Flight:
    """A job that the grader has now."""

    attempt: int
    heard_at: float
    suspect: bool
    """It was aboard when a grader failed before: it flies alone, so that it takes no other down."""
    cancel_sent: bool = False


class Dispatcher:
    """One a database: a second one would take the first one's jobs for lost."""

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
        self._wake = asyncio.Event()
        self._flights: dict[str, Flight] = {}
        self._faulted: dict[str, str] = {}
        self._ready: Ready | None = None
        self._state = "starting"
        self._heard_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def view(self) -> GraderView:
        backend = self._ready.backend if self._ready else {}
        number = backend.get("cudnn_version") or 0
        version = f"{number // 10000}.{number // 100 % 100}.{number % 100}" if number else ""
        return GraderView(self._state, backend.get("name", ""), backend.get("device", ""), version)

    def start(self) -> None:
        if self._open_link is not None:
            self._task = asyncio.create_task(self._run(self._open_link), name="dispatcher")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def wake(self) -> None:
        """Something was queued or cancelled."""
        self._wake.set()

    async def _run(self, open_link: Callable[[], Awaitable[Link]]) -> None:
        delay = BACKOFF_S[0]
        while True:
            started = time.monotonic()
            try:
                await self._recover()
                await self._serve(await open_link())
            except (OSError, LinkLost) as error:
                log.warning("grader: %s", error)
            except Exception:  # whatever fails here must not end grading for good
                log.exception("dispatcher failed; starting again")
            self._state = "down" if delay > BACKOFF_S[0] else "starting"
            if time.monotonic() - started > BACKOFF_S[1]:
                delay = BACKOFF_S[0]
            await asyncio.sleep(delay)
            delay = min(delay * 2, BACKOFF_S[1])

    async def _recover(self) -> None:
        """Whatever is marked as running is with no grader now."""
        faulted, self._faulted = self._faulted, {}
        async with self._database.transaction(write=True) as session:
            changed = await journal.recover(session, faulted, set(self._flights))
        for submission in changed:
            self._notifier.notify(submission)

    async def _serve(self, link: Link) -> None:
        """Works with one grader until it is lost. Raises LinkLost or what the database raises."""
        tasks: list[asyncio.Task[None]] = []
        try:
            async with asyncio.timeout(READY_S):
                await self._await_ready(link)
            tasks = [asyncio.create_task(work(link)) for work in (self._feed, self._listen, self._watch)]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except LinkLost as error:
            self._faulted = self._faulted or dict.fromkeys(self._flights, f"grader lost: {error}")
            raise
        except TimeoutError:
            raise LinkLost(f"the grader was not ready after {READY_S:.0f} s") from None
        finally:
            self._ready = None
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._flights.clear()
            await link.close()

    async def _await_ready(self, link: Link) -> None:
        while self._ready is None:
            message = _understood(await link.receive())
            if isinstance(message, Ready):
                self._ready = message
        self._state = "ready"
        self._heard_at = time.monotonic()
        log.info("grader ready: %s, %d slots", self._ready.backend, self._ready.slots)

    # -- to the grader ------------------------------------------------------------------------------------------

    async def _feed(self, link: Link) -> None:
        while True:
            self._wake.clear()
            await self._send_cancels(link)
            while await self._send_next(link):
                pass
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()

    def _has_room(self) -> bool:
        slots = self._ready.slots if self._ready else 0
        return len(self._flights) < slots and not any(flight.suspect for flight in self._flights.values())

    async def _send_next(self, link: Link) -> bool:
        if not self._has_room():
            return False
        async with self._database.transaction(write=False) as session:
            order = fair_order(await queries.waiting(session), await queries.running_readers(session))
        if not order:
            return False
        async with self._database.transaction(write=True) as session:
            submission = await queries.get_numbered(session, order[0])
            if submission is not None and submission.faults and self._flights:
                return False
            started = await journal.start(session, order[0], self._settings.backend)
        if started is not None:
            job, faults = started
            self._flights[job.id] = Flight(job.attempt, time.monotonic(), suspect=faults > 0)
            await link.send({"job": job.to_json()})
            self._notifier.notify_all()
        return True

    async def _send_cancels(self, link: Link) -> None:
        if all(flight.cancel_sent for flight in self._flights.values()):
            return
        async with self._database.transaction(write=False) as session:
            cancelled = await queries.cancelled_running(session)
        for job in cancelled:
            flight = self._flights.get(job)
            if flight and not flight.cancel_sent:
                flight.cancel_sent = True
                await link.send({"cancel": job})

    # -- from the grader ----------------------------------------------------------------------------------------

    async def _listen(self, link: Link) -> None:
        while True:
            message = _understood(await link.receive())
            self._heard_at = time.monotonic()
            if isinstance(message, GraderEvent):
                await self._record(message)

    async def _record(self, event: GraderEvent) -> None:
        flight = self._flights.get(event.job)
        if flight is not None and flight.attempt == event.attempt:
            flight.heard_at = time.monotonic()
        async with self._database.transaction(write=True) as session:
            outcome = await journal.record(session, event)
        if outcome is Outcome.DROPPED:
            log.info("dropped event %s of submission %s, attempt %d", event.type, event.job, event.attempt)
            return
        self._notifier.notify(event.job)
        if outcome is not Outcome.STORED:
            self._flights.pop(event.job, None)
            self.wake()

    async def _watch(self, link: Link) -> None:
        """Raises LinkLost for a grader that is silent, as a whole or about one job."""
        while True:
            await asyncio.sleep(PING_S)
            await link.send({"ping": 1})
            current = time.monotonic()
            if current - self._heard_at > DEAD_S:
                raise LinkLost(f"no sign of life for {DEAD_S:.0f} s")
            limit = self._settings.job_silence_s
            silent = [job for job, flight in self._flights.items() if current - flight.heard_at > limit]
            if silent:
                self._faulted = dict.fromkeys(silent, f"nothing heard for {limit:.0f} s")
                raise LinkLost(f"nothing heard about {', '.join(silent)} for {limit:.0f} s")


def _understood(line: bytes) -> Message | None:
    """The message in a line; None, and a warning in the log, where it cannot be understood."""
    try:
        return parse(line)
    except Malformed as error:
        log.warning("dropped a line of the grader: %s: %.200r", error, line)
        return None
