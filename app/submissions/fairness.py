"""In what order queued submissions are graded: readers take turns, each reader's own in order of arrival."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    number: int
    """Order of arrival."""
    reader_id: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Served:
    """A submission whose grading has begun."""

    reader_id: int
    at: datetime
    running: bool


def fair_order(queued: Iterable[Waiting], served: Iterable[Served]) -> list[int]:
    """Numbers of the queued submissions in the order of grading.

    A submission's turn is the number of its reader's other submissions that come, or came, before it while it waited:
    those that wait since earlier, those that run, and those that were begun since it arrived. Lower turns go first,
    among equals the earlier arrival. Nobody starves: a turn only grows by the reader's own submissions.
    """
    begun: dict[int, list[Served]] = {}
    for entry in served:
        begun.setdefault(entry.reader_id, []).append(entry)
    ahead: dict[int, int] = {}
    ranked: list[tuple[int, int]] = []
    for waiting in sorted(queued, key=lambda entry: entry.number):
        mine = begun.get(waiting.reader_id, [])
        turn = sum(entry.running or entry.at >= waiting.since for entry in mine) + ahead.get(waiting.reader_id, 0)
        ranked.append((turn, waiting.number))
        ahead[waiting.reader_id] = ahead.get(waiting.reader_id, 0) + 1
    return [number for _, number in sorted(ranked)]
