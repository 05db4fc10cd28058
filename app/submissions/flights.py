"""Jobs that graders have right now. Shared by all lanes; nothing in it has to survive a restart."""

import asyncio
import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Flight:
    attempt: int
    lane: int
    suspect: bool
    """It was aboard when a grader failed before: it flies alone, so that it takes no other down."""
    heard_at: float = field(default_factory=time.monotonic)
    cancel_sent: bool = False


class Flights(dict[str, Flight]):
    """By submission id. `faulted` says what went wrong with jobs that a grader lost by its own fault."""

    def __init__(self) -> None:
        super().__init__()
        self.faulted: dict[str, str] = {}
        self._bells: list[asyncio.Event] = []

    def bell(self) -> asyncio.Event:
        """An event that `ring` sets, for one lane."""
        bell = asyncio.Event()
        self._bells.append(bell)
        return bell

    def ring(self) -> None:
        """Something was queued or cancelled, or a slot has become free."""
        for bell in self._bells:
            bell.set()

    def of(self, lane: int) -> dict[str, Flight]:
        return {job: flight for job, flight in self.items() if flight.lane == lane}

    def leave(self, lane: int) -> None:
        for job in self.of(lane):
            del self[job]

    def suspect_aboard(self) -> bool:
        return any(flight.suspect for flight in self.values())
