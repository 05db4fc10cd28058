"""One job from start to finish: check → compile → run each case in the sandbox → compare outside → rules → verdict."""

import logging
import secrets
import time
from collections.abc import Callable
from typing import Any

from grader.backends import BackendUnavailableError, find_backend
from grader.checkers.api_trace import CALL_FORBIDDEN
from grader.checkers.source import find_forbidden
from grader.checkers.statuses import dropped_statuses
from grader.contract.codes import Code
from grader.contract.exercise_types import TIMED, Case, Exercise, ProgramOutput
from grader.contract.job import LANGUAGES, Job
from grader.contract.problems import ContentError
from grader.contract.removed import removed_function
from grader.contract.verdict import CaseResult, Event, Verdict, plain
from grader.execute import Execution, Executor
from grader.launch import Harness, HarnessError
from grader.paths import ROOT
from grader.rules import apply_rules, code_from_findings
from grader.runners.base import Built
from grader.runners.toolchain import ToolchainError
from grader.sandbox.jail import JailError
from grader.sandbox.supervise import LimitHit
from grader.workshop import Workshop

Emit = Callable[[Event], None]
log = logging.getLogger(__name__)


def grade(job: Job, emit: Emit, workshop: Workshop) -> Verdict:
    """Grades `job`, telling `emit` of each step; the last event is the verdict, which is also returned.

    Never raises for anything that a learner, an author or this machine gets wrong: that becomes a verdict too. A defect
    of ours is logged with its traceback; the verdict says its kind.
    """
    started = time.monotonic()
    verdict = Verdict(Code.GRADER_FAULT, seed=job.seed if job.seed is not None else secrets.randbits(32))
    try:
        _Grading(job, emit, workshop, verdict).run()
    except ContentError as error:
        _fault(verdict, "content", str(error), error.problems[0].mend)
    except (JailError, BackendUnavailableError) as error:
        _fault(verdict, type(error).__name__, str(error), error.mend)
    except (ToolchainError, HarnessError) as error:
        _fault(verdict, type(error).__name__, str(error), "run `python -m grader env`")
    except Exception as error:  # a defect of ours must not lose the submission
        log.exception("job %s: a defect of the grader", job.id)
        _fault(verdict, type(error).__name__, str(error), "report this with the job's id")
    verdict.timings["total"] = round(time.monotonic() - started, 6)
    emit(Event("verdict", verdict.to_json()))
    return verdict


class _Grading:
    """The steps of one job. `ready`: a sandbox that the build has left for the run."""

    def __init__(self, job: Job, emit: Emit, workshop: Workshop, verdict: Verdict) -> None:
        self.job, self.emit, self.workshop, self.verdict = job, emit, workshop, verdict
        self.backend = find_backend(job.backend)
        self.ready: Harness | None = None
        verdict.backend = self.backend.info
        if job.purpose == "grade" and not job.exercise:
            raise ValueError("a job to grade needs an exercise")
        known = workshop.exercise(job.exercise) if job.exercise else None
        self.exercise = None if job.purpose == "run" else known

    def run(self) -> None:
        try:
            if not self.forbidden() and (built := self.build()) is not None and self.job.purpose != "compile":
                exercise = self.exercise or _snippet()
                self.verdict.data = {} if self.exercise else {"purpose": "run"}
                self.emit(Event("running", {"cases": _case_names(exercise)}))
                execution = self.execute(exercise, built)
                apply_rules(exercise, execution, built.lines, self.verdict)
                self.verdict.findings += dropped_statuses(self.job.source, self.job.language, exercise.uses)
                _conclude(self.verdict, execution)
        finally:
            if self.ready is not None:
                self.ready.close()

    def forbidden(self) -> bool:
        """Whether the source uses what the exercise forbids, which is then the verdict."""
        if self.exercise is None or self.job.purpose != "grade":
            return False
        use = find_forbidden(self.job.source, self.job.language, self.exercise.uses.forbidden)
        if use is not None:
            self.verdict.code, self.verdict.data = Code.FORBIDDEN, {"token": use.token, "line": use.line}
        return use is not None

    def build(self) -> Built | None:
        """The build, or None where it failed, which is then the verdict."""
        self.emit(Event("compiling", {}))
        verdict, started = self.verdict, time.monotonic()
        try:
            built, self.ready = self.workshop.build(self.job, self.exercise, self.backend)
        except LimitHit as hit:
            verdict.timings["compile"] = round(time.monotonic() - started, 6)
            verdict.code = _COMPILE_LIMITS[hit.name]
            verdict.data = {"phase": "compile", "limit": hit.limit, "value": round(hit.value, 3)}
            return None
        verdict.timings["compile"] = round(time.monotonic() - started, 6)
        verdict.diagnostics = list(built.diagnostics)
        self.emit(Event("compiled", _compiled(built, verdict.timings["compile"])))
        verdict.code = Code.ACCEPTED if built.code else Code.COMPILE_ERROR
        verdict.data = {} if built.code else {"language": self.job.language, **_removed(built), **built.data}
        return built if built.code else None

    def harness(self) -> Harness:
        ready, self.ready = self.ready, None
        return ready or self.workshop.harness(self.job.language, self.backend)

    def execute(self, exercise: Exercise, built: Built) -> Execution:
        def report(result: CaseResult) -> None:
            self.emit(Event("case", plain(result)))

        executor = Executor(exercise, self.backend, self.verdict.seed, report, self.workshop.cancel)
        started = time.monotonic()
        done = executor.run(self.harness, built.code)
        spent = time.monotonic() - started - done.run_seconds - done.compare_seconds
        seconds = {"start": spent, "run": done.run_seconds, "compare": done.compare_seconds}
        self.verdict.timings |= {name: round(value, 6) for name, value in seconds.items()}
        return done


_COMPILE_LIMITS = {
    "wall": Code.TIME_LIMIT,
    "memory": Code.MEMORY_LIMIT,
    "output": Code.COMPILE_ERROR,
    "cancelled": Code.CANCELLED,
}


def _removed(built: Built) -> dict[str, str]:
    """The first function among the compiler's messages that cuDNN no longer has, and what took its place."""
    return next((data for d in built.diagnostics if (data := removed_function(d.message))), {})


def _compiled(built: Built, seconds: float) -> dict[str, Any]:
    return {"diagnostics": plain(list(built.diagnostics)), "seconds": seconds, "cached": built.cached}


def _case_names(exercise: Exercise) -> list[str]:
    return [case.name for case in exercise.cases] + ([TIMED] if exercise.timing else [])


def _snippet() -> Exercise:
    """A whole program that is only run."""
    case = Case("run", True, {})
    return Exercise("", ROOT / "exercises", "program", {}, "", LANGUAGES, (case,), program=ProgramOutput(stdout=None))


def _conclude(verdict: Verdict, execution: Execution) -> None:
    """The whole from its parts: the first case that failed decides, then the rules."""
    verdict.cases = execution.cases
    verdict.stdout, verdict.stderr = execution.stdout, execution.stderr
    verdict.timing = execution.timed.to_json() if execution.timed is not None else {}
    verdict.total = len(execution.cases)
    verdict.passed = sum(case.code is Code.ACCEPTED for case in execution.cases)
    failed = next((case for case in execution.cases if case.code not in (Code.ACCEPTED, Code.NOT_RUN)), None)
    if failed is not None:
        verdict.code, verdict.first_failed = failed.code, failed.name
        verdict.data = {**verdict.data, **failed.data}
    misuse = code_from_findings(verdict.findings)
    if misuse is Code.FORBIDDEN:
        use = next(finding for finding in verdict.findings if finding.rule == CALL_FORBIDDEN)
        verdict.code, verdict.data = misuse, {"token": use.data.get("function", ""), "line": use.line}
    elif misuse is not None and failed is None:
        verdict.code = misuse


def _fault(verdict: Verdict, kind: str, text: str, mend: str) -> None:
    verdict.code = Code.GRADER_FAULT
    verdict.data = {"fault": kind, "text": text[:4000], "mend": mend}
