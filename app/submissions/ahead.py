"""Has drafts compiled while their writers pause: at most one a reader, and none while submissions wait.

Nothing of it is kept here: the grader remembers what it has built.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from app.submissions.flights import Flights
from app.submissions.lane import Lane
from grader.contract.draft import DraftReport
from grader.contract.job import BackendName, Job, Language


@dataclass(frozen=True, slots=True)
class DraftOrder:
    reader_id: int
    exercise: str
    language: Language
    source: str


class Ahead:
    def __init__(self, lanes: Sequence[Lane], flights: Flights, backend: BackendName) -> None:
        self._lanes = lanes
        self._flights = flights
        self._backend = backend
        self._current: dict[int, tuple[str, Lane]] = {}
        """By reader: the draft that is being compiled."""

    async def compile(self, order: DraftOrder) -> DraftReport:
        """What the compiler says of the draft. A newer draft of the same reader stops an older one (`cancelled`)."""
        draft = secrets.token_urlsafe(12)
        if older := self._current.pop(order.reader_id, None):
            await older[1].stop_compiling(older[0])
        ready = [lane for lane in self._lanes if lane.ready]
        if not ready:
            return DraftReport(draft, "off")
        if len(self._flights) >= sum(lane.ready.slots for lane in ready if lane.ready):
            return DraftReport(draft, "busy")
        lane = ready[order.reader_id % len(ready)]
        self._current[order.reader_id] = (draft, lane)
        job = Job(draft, order.language, order.source, order.exercise, purpose="compile", backend=self._backend)
        try:
            return await lane.compile(job)
        finally:
            if self._current.get(order.reader_id, ("", lane))[0] == draft:
                del self._current[order.reader_id]
