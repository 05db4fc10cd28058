"""How many calls of each function were made, and how many of them succeeded."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.native.parity.values import FUNCTIONS

STATUSES = ("cudnnStatus_t", "cudaError_t")


@dataclass
class Counts:
    """Calls and successes by name of the function; a function without a status succeeds when it returns."""

    calls: Counter[str] = field(default_factory=Counter)
    successes: Counter[str] = field(default_factory=Counter)
    changed: int = 0
    """Calls whose arguments were changed, or that belong to no sequence."""

    unexplained: Counter[str] = field(default_factory=Counter)
    """Refused calls of which the simulator does not tell why."""

    def add(self, name: str, value: Any) -> None:
        self.calls[name] += 1
        self.successes[name] += FUNCTIONS[name].returns not in STATUSES or value == 0

    def merge(self, other: "Counts") -> None:
        self.calls.update(other.calls)
        self.successes.update(other.successes)
        self.unexplained.update(other.unexplained)
        self.changed += other.changed

    @property
    def total(self) -> int:
        return self.calls.total()

    @property
    def share(self) -> float:
        """Of all calls, those that succeeded."""
        return self.successes.total() / max(self.total, 1)

    @property
    def never(self) -> list[str]:
        """Functions that were called, but never with success."""
        return sorted(name for name in self.calls if not self.successes[name])

    def to_json(self) -> str:
        return json.dumps([self.calls, self.successes, self.changed, self.unexplained])

    @classmethod
    def from_json(cls, text: str) -> "Counts":
        calls, successes, changed, unexplained = json.loads(text)
        return cls(Counter(calls), Counter(successes), changed, Counter(unexplained))
