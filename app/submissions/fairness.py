"""In what order queued submissions are graded: readers take turns, each reader's own in order of arrival."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    number: int
    """Order of arrival."""
    reader_id: int


def fair_order(queued: Iterable[Waiting], running: Iterable[int]) -> list[int]:
    """Numbers of the queued submissions in the order of grading.

    running: readers of submissions being graded now, one entry each. A reader's k-th submission, counting those
    running, comes before every reader's (k+1)-th; among equals the earlier one.
    """
    turn: Counter[int] = Counter(running)
    ranked: list[tuple[int, int]] = []
    for waiting in sorted(queued, key=lambda entry: entry.number):
        ranked.append((turn[waiting.reader_id], waiting.number))
        turn[waiting.reader_id] += 1
    return [number for _, number in sorted(ranked)]
