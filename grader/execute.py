"""Runs built code on the cases of an exercise, one sandbox for all of them, and says what became of each."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from grader.backends.base import Backend
from grader.contract.codes import Code
from grader.contract.exercise_types import TIMED, Case, Exercise, Limits
from grader.contract.verdict import CaseResult
from grader.failures import catching, describe_fault, describe_status, ended_process
from grader.inputs import CaseInputs
from grader.inside.frames import Frame, FrameError
from grader.judge import code_of, judge_outputs, judge_program
from grader.launch import Harness, HarnessError
from grader.paths import var
from grader.sandbox.supervise import Budget, LimitHit
from grader.session import RawResult, SessionEnded, SessionFault
from grader.timing import TimedRuns, alone, measure_floor, timed_call
from grader.turns import Turn

LEAVE_S = 5.0
"""For the process to end by itself after its last case; then it is ended."""


@dataclass(frozen=True, slots=True)
class Run:
    """One process. complete: it came to its end and did all that it was asked."""

    trace: bytes
    complete: bool


@dataclass(slots=True)
class Execution:
    """What came of a submission's runs. Texts are what may be shown to the learner."""

    cases: list[CaseResult] = field(default_factory=list)
    stdout: str = ""
    stderr: str = ""
    run_seconds: float = 0.0
    compare_seconds: float = 0.0
    peak_mib: float = 0.0
    runs: list[Run] = field(default_factory=list)
    timed: TimedRuns | None = None
    """Where the exercise declares timed runs and everything was right."""


EmitCase = Callable[[CaseResult], None]


class Executor:
    """One run of one submission."""

    def __init__(
        self, exercise: Exercise, backend: Backend, seed: int, emit: EmitCase, cancel: threading.Event | None = None
    ) -> None:
        self.cancel = cancel
        self.exercise = exercise
        self.backend = backend
        self.seed = seed
        self.emit = emit
        self.done = Execution()
        self._turn: Turn | None = None

    def ordered(self) -> list[Case]:
        """Shown cases first, so that everything before a hidden case may be shown."""
        return sorted(self.exercise.cases, key=lambda case: not case.shown)

    def run(self, start: Callable[[], Harness], code: bytes) -> Execution:
        """Runs every case in sandboxes that `start` gives. Raises HarnessError, JailError or ContentError."""
        if self.exercise.form == "program":
            return self._run_program(start, code)
        harness = start()
        try:
            with self._at_device(harness):
                return self._run_function(harness, code)
        finally:
            harness.close()

    def _run_function(self, harness: Harness, code: bytes) -> Execution:
        """Every case in one process. A crash ends it: the cases after it are not run."""
        self._start(harness, code)
        pending = self.ordered()
        left = False
        with self._measured(harness):
            timed = self._prepare_timing(harness)
            loaded = self._load(harness, pending[0])
            while loaded and pending:
                result = self._case(harness, pending.pop(0))
                self._report(harness, result)
                if ended_process(result):
                    break
            else:
                if loaded and timed is not None and all(case.code is Code.ACCEPTED for case in self.done.cases):
                    self._report(harness, self._time(harness, timed))
                left = loaded and not ended_process(self.done.cases[-1]) and self._leave(harness)
        for case in pending if loaded else pending[1:]:
            self._report(None, CaseResult(case.name, case.shown, Code.NOT_RUN))
        self.done.runs.append(Run(harness.trace_bytes(), left))
        return self.done

    def _start(self, harness: Harness, code: bytes) -> None:
        harness.give(code)
        limit_sandbox(harness, self.exercise.limits, self.cancel)

    def _load(self, harness: Harness, first: Case) -> bool:
        """Loads the code, which may already run the learner's; a failure is the first case's."""
        result = self._result(first)
        with catching(result, first.shown):
            harness.session.expect("loaded", Frame(f"load {self.exercise.function}"))
            return True
        self._report(harness, result)
        return False

    def _result(self, case: Case) -> CaseResult:
        return CaseResult(
            case.name, case.shown, Code.RUNTIME_ERROR, parameters=dict(case.parameters) if case.shown else {}
        )

    def _case(self, harness: Harness, case: Case) -> CaseResult:
        def run(inputs: CaseInputs) -> tuple[RawResult, float]:
            started = time.monotonic()
            raw = harness.session.run_case(case.name, self.exercise.arguments, inputs.arrays, inputs.scalars)
            return raw, time.monotonic() - started

        return self._call(harness, case, run)[0]

    def _call(
        self, harness: Harness, case: Case, run: Callable[[CaseInputs], tuple[RawResult, float]]
    ) -> tuple[CaseResult, float]:
        """Result of one call of the learner's function, and its seconds as `run` gives them. Compares outside."""
        result = self._result(case)
        made = time.monotonic()
        inputs = CaseInputs(self.exercise, case, self.seed)
        started = time.monotonic()
        harness.program.clock.skip(started - made)
        raw: RawResult | None = None
        seconds = 0.0
        with catching(result, case.shown):
            raw, seconds = run(inputs)
        result.seconds = time.monotonic() - started
        if raw is not None:
            compared = time.monotonic()
            result.outputs = judge_outputs(self.exercise, inputs, raw, self.backend)
            result.code = code_of(result.outputs)
            self.done.compare_seconds += time.monotonic() - compared
            harness.program.clock.skip(time.monotonic() - compared)
        return result, seconds

    def _prepare_timing(self, harness: Harness) -> TimedRuns | None:
        """Raises HarnessError where the harness fails; no learner code has been loaded yet."""
        if self.exercise.timing is None:
            return None
        timed = TimedRuns(self.exercise.timing)
        try:
            timed.floor = measure_floor(harness, self.exercise, timed.case(self.exercise, -1), self.seed)
        except (SessionEnded, SessionFault, FrameError) as error:
            raise HarnessError(f"the sandbox could not prepare timed runs: {error}") from None
        return timed

    def _time(self, harness: Harness, timed: TimedRuns) -> CaseResult:
        """All timed calls as one hidden case, which is wrong where one of them is."""
        whole = CaseResult(TIMED, False, Code.ACCEPTED)
        with self._alone(harness):
            for number in range(timed.timing.warmup + timed.timing.runs):
                case = timed.case(self.exercise, number)
                result, seconds = self._call(harness, case, lambda inputs: timed_call(harness, self.exercise, inputs))
                whole.seconds += seconds
                if result.code is not Code.ACCEPTED:
                    return replace(result, name=TIMED, seconds=whole.seconds)
                if number >= timed.timing.warmup:
                    timed.seconds.append(seconds)
        self.done.timed = timed
        return whole

    @contextmanager
    def _alone(self, harness: Harness) -> Iterator[None]:
        """No other job is timed meanwhile, and none at all runs on the harness's GPU."""
        asked = time.monotonic()
        with alone(self._turn):
            harness.program.clock.skip(time.monotonic() - asked)
            yield

    def _run_program(self, start: Callable[[], Harness], code: bytes) -> Execution:
        """A fresh process for each case, since a program runs once."""
        pending = self.ordered()
        while pending:
            case = pending.pop(0)
            harness = start()
            try:
                with self._at_device(harness):
                    self._start(harness, code)
                    result = self._measured_program(harness, case)
                self.done.runs.append(Run(harness.trace_bytes(), not ended_process(result)))
            finally:
                harness.close()
            if result.code in (Code.CANCELLED, Code.TIME_LIMIT):
                break
        for case in pending:
            self._report(None, CaseResult(case.name, case.shown, Code.NOT_RUN))
        return self.done

    def _measured_program(self, harness: Harness, case: Case) -> CaseResult:
        with self._measured(harness):
            return self._program_case(harness, case)

    @contextmanager
    def _at_device(self, harness: Harness) -> Iterator[None]:
        """A place at the harness's GPU, where it has one; waiting for it is not the learner's time."""
        if not self.backend.gpu:
            yield
            return
        with Turn(var() / "turns", harness.device) as self._turn:
            yield

    def _program_case(self, harness: Harness, case: Case) -> CaseResult:
        result = self._result(case)
        words = [["word", str(value).replace(" ", "_")] for value in case.parameters.values()]
        started = time.monotonic()
        status: int | None = None
        with catching(result, case.shown):
            harness.session.expect("loaded", Frame(f"program {case.name}", words))
            status = run_to_end(harness)
        result.seconds = time.monotonic() - started
        drain(harness)
        printed = text(harness.program.received["stdout"])
        if status == 0:
            judge_program(self.exercise, case, printed, result)
        elif status is not None:
            result.data = describe_status(status)
            if (fault := harness.session.last_fault()) is not None:
                result.code, result.data = describe_fault(fault, case.shown)
        self._report(harness, result)
        return result

    def _report(self, harness: Harness | None, result: CaseResult) -> None:
        """Moves what was printed to the case, where it may be shown, and tells the learner."""
        if harness is not None:
            drain(harness)
            received = harness.program.received
            printed, errors = text(received["stdout"]), text(received["stderr"])
            received["stdout"].clear()
            received["stderr"].clear()
            if result.shown:
                result.stdout = printed
                self.done.stdout += printed
                self.done.stderr += errors
        self.done.cases.append(result)
        self.emit(result)

    def _leave(self, harness: Harness) -> bool:
        """Lets the process end by itself, so that the simulator reports leaks; whether it does. No verdict changes."""
        harness.program.budget.wall_s = harness.program.clock.spent() + LEAVE_S
        harness.program.send(Frame("end").encode())
        result = CaseResult("", False, Code.ACCEPTED)
        with catching(result, False):
            return run_to_end(harness) == 0
        return False

    @contextmanager
    def _measured(self, harness: Harness) -> Iterator[None]:
        started = time.monotonic()
        compared = self.done.compare_seconds
        yield
        compared = self.done.compare_seconds - compared
        self.done.run_seconds += time.monotonic() - started - compared
        self.done.peak_mib = max(self.done.peak_mib, harness.program.peak_bytes / (1 << 20))


def limit_sandbox(harness: Harness, limits: Limits, cancel: threading.Event | None) -> None:
    """From here on the learner's limits hold."""
    program = harness.program
    program.caps["stdout"] = program.caps["stderr"] = limits.output_kib << 10
    program.restart(Budget(limits.wall_s, limits.memory_mib, cancel, harness.backend.device_mib))


def run_to_end(harness: Harness) -> int:
    """Exit status, once the process has ended. Frames that a program forges are read and forgotten.

    On a GPU the status is known before the driver has torn the process down, which takes longer than many a job.
    """
    harness.program.caps["results"] = 1 << 20
    said: list[int] = []

    def has_left() -> bool:
        status = harness.session.left() if harness.backend.gpu else None
        said.extend([] if status is None else [status])
        return bool(said)

    harness.program.pump(has_left)
    return said[0] if said else harness.program.wait()


def drain(harness: Harness) -> None:
    try:
        harness.program.drain()
    except LimitHit:
        return


def text(data: bytes | bytearray) -> str:
    """Printed bytes as text: invalid UTF-8 and NUL become U+FFFD."""
    return bytes(data).decode("utf-8", "replace").replace("\0", "\ufffd")
