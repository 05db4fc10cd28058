"""Compares what a program printed with the expected lines."""

import re
from dataclasses import dataclass
from typing import Literal

from grader.contract.exercise_types import Tolerance

How = Literal["exact", "tokens", "numbers"]
DEFAULT = Tolerance(1e-4, 1e-6)
_NUMBER = re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$|^[-+]?(nan|inf(inity)?)$", re.I)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first difference. line: from 1; an empty text where a line is missing, or one too many."""

    line: int
    expected: str
    yours: str


def compare_stdout(expected: str, yours: str, how: How, tolerance: Tolerance | None = None) -> Mismatch | None:
    """The first line that differs; None where all agree. Space at line ends and empty lines at the end do not count.

    exact: the text of each line. tokens: its words, whatever the space between. numbers: as tokens, but numbers within
    the tolerance (NaN equals NaN).
    """
    want, have = _lines(expected), _lines(yours)
    for number in range(max(len(want), len(have))):
        a = want[number] if number < len(want) else None
        b = have[number] if number < len(have) else None
        if a is None or b is None or not _same(a, b, how, tolerance or DEFAULT):
            return Mismatch(number + 1, a or "", b or "")
    return None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _same(a: str, b: str, how: How, tolerance: Tolerance) -> bool:
    if how == "exact":
        return a == b
    want, have = a.split(), b.split()
    if len(want) != len(have):
        return False
    return all(x == y or (how == "numbers" and _near(x, y, tolerance)) for x, y in zip(want, have, strict=True))


def _near(expected: str, yours: str, tolerance: Tolerance) -> bool:
    if not (_NUMBER.match(expected) and _NUMBER.match(yours)):
        return False
    a, b = float(expected), float(yours)
    if a != a or b != b:
        return a != a and b != b
    return a == b or abs(a - b) <= tolerance.atol + tolerance.rtol * abs(a)
