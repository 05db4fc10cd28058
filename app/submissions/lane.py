"""One line to a grader: feeds it with jobs, records its events, notices when it is dead."""

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

from app.db import Database
from app.settings import Settings
from app.submissions import journal, queries
from app.submissions.flights import Flight, Flights
from app.submissions.journal import Outcome
from app.submissions.link import Link, LinkLost
from app.submissions.messages import GraderEvent, GraderMetrics, Malformed, Message, Ready, parse
from app.submissions.notifier import Notifier
from app.submissions.queue import queue_order
from grader.contract.draft import DraftReport
from grader.contract.job import Job

log = logging.getLogger(__name__)

POLL_S = 1.0
"""How often the queue is looked at without being woken: another web process may have added to it."""
PING_S = 15.0
DEAD_S = 60.0
"""A grader that does not even answer a ping for so long is dead."""
MAX_BATCH = 256
"""Messages of a grader that wait to be stored; it is not listened to while there are so many."""
METRICS_S = 5.0
DRAFT_S = 60.0
"""A draft that is not compiled after so long helps nobody any more."""
READY_S = 180.0
"""A worker may build its simulator, or wait for a free slot, before it is ready."""


class Lane:
    def __init__(self, number: int, database: Database, notifier: Notifier, settings: Settings, fly: Flights) -> None:
        self.number = number
        self.ready: Ready | None = None
        self._database = database
        self._notifier = notifier
        self._settings = settings
        self._flights = fly
        self._bell = fly.bell()
        self._heard_at = 0.0
        self._link: Link | None = None
        self._askers: list[asyncio.Future[dict[str, Any]]] = []
        """Those who asked for metrics."""
        self._drafts: dict[str, asyncio.Future[DraftReport]] = {}

    async def serve(self, link: Link) -> None:
        """Works with one grader until it is lost. Raises LinkLost, or what the database raises."""
        tasks: list[asyncio.Task[None]] = []
        try:
            async with asyncio.timeout(READY_S):
                await self._await_ready(link)
            self._link = link
            tasks = [asyncio.create_task(work(link)) for work in (self._feed, self._listen, self._watch)]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except LinkLost as error:
            aboard = self._flights.of(self.number)
            if not any(job in self._flights.faulted for job in aboard):  # `_watch` may know which job it was
                self._flights.faulted |= dict.fromkeys(aboard, f"grader lost: {error}")
            raise
        except TimeoutError:
            raise LinkLost(f"the grader was not ready after {READY_S:.0f} s") from None
        finally:
            self.ready = self._link = None
            for draft, answer in self._drafts.items():
                if not answer.done():
                    answer.set_result(DraftReport(draft, "off"))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._flights.leave(self.number)
            await link.close()

    async def _await_ready(self, link: Link) -> None:
        while self.ready is None:
            message = understood(await link.receive())
            if isinstance(message, Ready):
                self.ready = message
                self._heard_at = time.monotonic()
                log.info("grader %d ready: %d slots, %s", self.number, message.slots, message.backend)

    # -- to the grader ------------------------------------------------------------------------------------------

    async def _feed(self, link: Link) -> None:
        while True:
            self._bell.clear()
            await self._send_cancels(link)
            while await self._send_next(link):
                pass
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._bell.wait()

    async def _send_next(self, link: Link) -> bool:
        """Sends the submission whose turn it is. False where there is none, or no room for it."""
        slots = self.ready.slots if self.ready else 0
        if len(self._flights.of(self.number)) >= slots or self._flights.suspect_aboard():
            return False
        async with self._database.transaction(write=False) as session:
            order = await queue_order(session)
        if not order:
            return False
        async with self._database.transaction(write=True) as session:
            submission = await queries.get_numbered(session, order[0])
            if submission is None or (submission.faults and self._flights):
                return False
            job = await journal.start(session, submission, self._settings.backend)
            if job is not None:  # aboard before others can see it as running, and take it for lost
                self._flights[job.id] = Flight(job.attempt, self.number, submission.faults > 0)
        if job is not None:
            await link.send({"job": job.to_json()})
            self._notifier.notify_all()
        return True

    async def _send_cancels(self, link: Link) -> None:
        flights = self._flights.of(self.number)
        if all(flight.cancel_sent for flight in flights.values()):
            return
        async with self._database.transaction(write=False) as session:
            cancelled = await queries.cancelled_running(session)
        for job in cancelled:
            if job in flights and not flights[job].cancel_sent:
                flights[job].cancel_sent = True
                await link.send({"cancel": job})

    async def compile(self, job: Job) -> DraftReport:
        """Has a draft compiled in the background. Never raises: a grader that is gone or slow is `off` or `busy`."""
        if self._link is None:
            return DraftReport(job.id, "off")
        answer: asyncio.Future[DraftReport] = asyncio.get_running_loop().create_future()
        self._drafts[job.id] = answer
        try:
            await self._link.send({"draft": job.to_json()})
            async with asyncio.timeout(DRAFT_S):
                return await answer
        except LinkLost:
            return DraftReport(job.id, "off")
        except TimeoutError:
            return DraftReport(job.id, "busy")
        finally:
            del self._drafts[job.id]

    async def metrics(self) -> dict[str, Any]:
        """What the grader says of itself; empty where it does not answer."""
        if self._link is None:
            return {}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._askers.append(answer)
        try:
            await self._link.send({"metrics": 1})
            async with asyncio.timeout(METRICS_S):
                return await answer
        except (LinkLost, TimeoutError):
            return {}
        finally:
            if answer in self._askers:
                self._askers.remove(answer)

    async def stop_compiling(self, draft: str) -> None:
        if draft in self._drafts and self._link is not None:
            with suppress(LinkLost):
                await self._link.send({"cancel": draft})

    # -- from the grader ----------------------------------------------------------------------------------------

    async def _listen(self, link: Link) -> None:
        """Stores events in their order; those that come while others are being stored are stored together."""
        inbox: asyncio.Queue[Message | Exception] = asyncio.Queue(MAX_BATCH)
        receiver = asyncio.create_task(self._receive(link, inbox))
        try:
            while True:
                batch = [await inbox.get()]
                while not inbox.empty():
                    batch.append(inbox.get_nowait())
                await self._record([message for message in batch if isinstance(message, GraderEvent)])
                for message in batch:
                    if isinstance(message, Exception):  # only now: what was heard before has been stored
                        raise message
        finally:
            receiver.cancel()

    async def _receive(self, link: Link, inbox: "asyncio.Queue[Message | Exception]") -> None:
        try:
            while True:
                message = understood(await link.receive())
                self._heard_at = time.monotonic()
                if isinstance(message, DraftReport):
                    self._answer(message)
                elif isinstance(message, GraderMetrics):
                    for asker in self._askers:
                        if not asker.done():
                            asker.set_result(message.data)
                elif message is not None:
                    await inbox.put(message)
        except Exception as error:  # `_listen` raises it
            await inbox.put(error)

    def _answer(self, report: DraftReport) -> None:
        answer = self._drafts.get(report.id)
        if answer is not None and not answer.done():
            answer.set_result(report)

    async def _record(self, events: list[GraderEvent]) -> None:
        if not events:
            return
        for event in events:
            flight = self._flights.get(event.job)
            if flight is not None and flight.attempt == event.attempt:
                flight.heard_at = time.monotonic()
        async with self._database.transaction(write=True) as session:
            outcomes = await journal.record(session, events)
        for event, outcome in zip(events, outcomes, strict=True):
            if outcome is Outcome.DROPPED:
                log.info("dropped event %s of submission %s, attempt %d", event.type, event.job, event.attempt)
                continue
            self._notifier.notify(event.job)
            if outcome is not Outcome.STORED:
                self._flights.pop(event.job, None)
                self._flights.ring()

    async def _watch(self, link: Link) -> None:
        """Raises LinkLost for a grader that is silent, as a whole or about one job."""
        limit = self._settings.job_silence_s
        while True:
            await asyncio.sleep(min(PING_S, limit))
            await link.send({"ping": 1})
            current = time.monotonic()
            if current - self._heard_at > DEAD_S:
                raise LinkLost(f"no sign of life for {DEAD_S:.0f} s")
            flights = self._flights.of(self.number)
            silent = [job for job, flight in flights.items() if current - flight.heard_at > limit]
            if silent:
                self._flights.faulted |= dict.fromkeys(silent, f"nothing heard for {limit:g} s")
                raise LinkLost(f"nothing heard about {', '.join(silent)} for {limit:g} s")


def understood(line: bytes) -> Message | None:
    """The message in a line; None, and a warning in the log, where it cannot be understood."""
    try:
        return parse(line)
    except Malformed as error:
        log.warning("dropped a line of the grader: %s: %.200r", error, line)
        return None
