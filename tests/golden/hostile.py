"""`make hostile`: the catalogue of attacks, and one line at the end that says how many were contained.

    python -m tests.golden.hostile [pytest arguments]

Contained: the attack got its verdict, nothing of this machine was seen or changed, no process was left, and the next
submission on the same slot was graded as ever. Left over: what is there after all of them and was not there before.
"""

import os
import sys
from pathlib import Path

import pytest

from tests.golden.leftovers import look

SUITE = Path(__file__).with_name("test_hostile.py")


class Tally:
    """A pytest plugin that counts attacks by outcome."""

    def __init__(self) -> None:
        self.attacks: set[str] = set()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if SUITE.name not in report.nodeid or report.skipped:
            return
        self.attacks.add(report.nodeid)
        if report.failed:
            self.failed.add(report.nodeid)


def main(arguments: list[str]) -> int:
    tally = Tally()
    before = look(os.getpid())
    status = int(pytest.main([str(SUITE), *arguments], plugins=[tally]))
    left = look(os.getpid()).since(before)
    for thing in left:
        print(f"left over: {thing}")
    contained = len(tally.attacks) - len(tally.failed)
    print(f"hostile: {contained} of {len(tally.attacks)} contained, {len(left)} left over")
    return status or int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
