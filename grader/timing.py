"""Timed calls of a case: how long the learner's function takes, by a clock that it cannot reach.

Each call gets inputs of its own, so that nothing can be computed ahead or kept from an earlier call. The grader's clock
runs from its `go` until the outputs are here, so the device is synchronised within it and no clock inside can be bent.
The outputs of every call are compared, so that a fast wrong answer is a wrong answer. Every call after the warm-up
counts: the figure is their median.
"""

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from grader.contract.exercise_types import TIMED, Case, Exercise, Timing
from grader.inputs import CaseInputs
from grader.launch import Harness
from grader.session import RawResult
from grader.turns import Turn

FLOOR_CALLS = 5
exclusive = threading.Lock()
"""Timed runs of several slots take turns: they would slow one another down."""


@contextmanager
def alone(turn: Turn | None) -> Iterator[None]:
    """No other job is timed meanwhile, and none at all runs on the GPU that `turn` belongs to.

    The GPU comes first: waiting for the other lock with a shared place at it would keep that lock's holder waiting.
    """
    with turn.alone() if turn is not None else nullcontext(), exclusive:
        yield


@dataclass(slots=True)
class TimedRuns:
    """seconds: of each counted call, in order. floor: median of the exchange without the learner's function."""

    timing: Timing
    seconds: list[float] = field(default_factory=list)
    floor: float = 0.0

    def case(self, exercise: Exercise, number: int) -> Case:
        """Call `number`'s own case: the declared parameters under a name that gives it inputs of its own."""
        declared = next(case for case in exercise.cases if case.name == self.timing.case)
        return replace(declared, name=f"{TIMED}-{number}", shown=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "case": self.timing.case,
            "warmup": self.timing.warmup,
            "seconds": [round(value, 7) for value in self.seconds],
            "median": round(statistics.median(self.seconds), 7),
            "best": round(min(self.seconds), 7),
            "floor": round(self.floor, 7),
        }


def timed_call(harness: Harness, exercise: Exercise, inputs: CaseInputs) -> tuple[RawResult, float]:
    """Result and seconds of one call. Raises what `Session.run_case` raises."""
    session = harness.session
    session.arm(TIMED, exercise.arguments, inputs.arrays, inputs.scalars)
    started = time.perf_counter()
    raw = session.go(exercise.arguments, inputs.arrays)
    return raw, session.program.read_at - started


def measure_floor(harness: Harness, exercise: Exercise, case: Case, seed: int) -> float:
    """Median seconds of the exchange while no learner code is loaded: transport of the outputs, waking up."""
    inputs = CaseInputs(exercise, case, seed)
    return statistics.median(timed_call(harness, exercise, inputs)[1] for _ in range(FLOOR_CALLS))
