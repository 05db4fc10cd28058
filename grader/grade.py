"""One job from start to finish: check → compile → run each case in the sandbox → compare outside → rules → verdict."""

import secrets
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from grader.backends import Backend, BackendUnavailableError, find_backend
from grader.checkers.source import find_forbidden
from grader.contract.codes import Code
from grader.contract.exercise import Case, Exercise
from grader.contract.exercise_types import ProgramOutput
from grader.contract.job import LANGUAGES, Job
from grader.contract.problems import ContentError
from grader.contract.verdict import CaseResult, Event, Verdict
from grader.execute import Execution, Executor
from grader.launch import HarnessError
from grader.paths import ROOT
from grader.rules import apply_rules, code_from_findings
from grader.runners.base import Built
from grader.runners.toolchain import ToolchainError
from grader.sandbox.jail import JailError
from grader.sandbox.supervise import LimitHit
from grader.workshop import Workshop

Emit = Callable[[Event], None]


def grade(job: Job, emit: Emit, workshop: Workshop) -> Verdict:
    """Grades `job`, telling `emit` of each step; the last event is the verdict, which is also returned.

    Never raises for anything that a learner, an author or this machine gets wrong: that becomes a verdict too.
    """
    started = time.monotonic()
    verdict = Verdict(Code.GRADER_FAULT, seed=job.seed if job.seed is not None else secrets.randbits(32))
    try:
        _grade(job, emit, workshop, verdict)
    except ContentError as error:
        _fault(verdict, "content", str(error), error.problems[0].mend)
    except (JailError, BackendUnavailableError) as error:
        _fault(verdict, type(error).__name__, str(error), error.mend)
    except (ToolchainError, HarnessError) as error:
        _fault(verdict, type(error).__name__, str(error), "run `python -m grader env`")
    except Exception as error:  # a defect of ours must not lose the submission
        _fault(verdict, type(error).__name__, str(error), "report this with the job's id")
    verdict.timings["total"] = round(time.monotonic() - started, 6)
    emit(Event("verdict", verdict.to_json()))
    return verdict


def _grade(job: Job, emit: Emit, workshop: Workshop, verdict: Verdict) -> None:
    backend = find_backend(job.backend)
    verdict.backend = backend.info
    exercise = workshop.exercise(job.exercise) if job.exercise else None
    if exercise is None and job.purpose == "grade":
        raise ValueError("a job to grade needs an exercise")
    if job.purpose == "grade" and exercise is not None and _forbidden_source(job, exercise, verdict):
        return
    built = _build(job, exercise, backend, emit, workshop, verdict)
    if built is None or job.purpose == "compile":
        return
    judged = exercise if exercise is not None and job.purpose == "grade" else _snippet()
    verdict.data = {"purpose": "run"} if judged is not exercise else {}
    emit(Event("running", {"cases": [case.name for case in judged.cases]}))
    execution = _execute(job, judged, backend, built, emit, workshop, verdict)
    apply_rules(judged, execution, built.lines, verdict)
    _conclude(judged, verdict, execution)


def _forbidden_source(job: Job, exercise: Exercise, verdict: Verdict) -> bool:
    use = find_forbidden(job.source, job.language, exercise.uses.forbidden)
    if use is not None:
        verdict.code, verdict.data = Code.FORBIDDEN, {"token": use.token, "line": use.line}
    return use is not None


def _build(
    job: Job, exercise: Exercise | None, backend: Backend, emit: Emit, workshop: Workshop, verdict: Verdict
) -> Built | None:
    """The build, or None where the verdict is already clear."""
    emit(Event("compiling", {}))
    started = time.monotonic()
    try:
        built = workshop.build(job, exercise if job.purpose != "run" else None, backend)
    except LimitHit as hit:
        verdict.timings["compile"] = round(time.monotonic() - started, 6)
        codes = {"wall": Code.TIME_LIMIT, "memory": Code.MEMORY_LIMIT, "output": Code.COMPILE_ERROR}
        verdict.code = codes.get(hit.name, Code.CANCELLED)
        verdict.data = {"phase": "compile", "limit": hit.limit, "value": round(hit.value, 3)}
        return None
    verdict.timings["compile"] = round(time.monotonic() - started, 6)
    verdict.diagnostics = list(built.diagnostics)
    emit(Event("compiled", _compiled(built, verdict.timings["compile"])))
    verdict.code = Code.ACCEPTED if built.code else Code.COMPILE_ERROR
    verdict.data = {"language": job.language, **built.data} if not built.code else {}
    return built if built.code else None


def _compiled(built: Built, seconds: float) -> dict[str, Any]:
    diagnostics = [{name: getattr(d, name) for name in type(d).__slots__} for d in built.diagnostics]
    return {"diagnostics": diagnostics, "seconds": seconds, "cached": built.cached}


def _snippet() -> Exercise:
    """A whole program that is only run."""
    case = Case("run", True, {})
    return Exercise("", ROOT / "exercises", "program", {}, "", LANGUAGES, (case,), program=ProgramOutput(stdout=None))


def _execute(
    job: Job, exercise: Exercise, backend: Backend, built: Built, emit: Emit, workshop: Workshop, verdict: Verdict
) -> Execution:
    def report(result: CaseResult) -> None:
        emit(Event("case", asdict(result)))

    executor = Executor(exercise, backend, verdict.seed, report, workshop.cancel)
    started = time.monotonic()
    if exercise.form == "program":
        done = executor.run_program(lambda: workshop.harness(job.language, backend), built.code)
    else:
        harness = workshop.harness(job.language, backend)
        verdict.timings["start"] = round(time.monotonic() - started, 6)
        try:
            done = executor.run_function(harness, built.code)
        finally:
            harness.close()
    verdict.timings["run"] = round(done.run_seconds, 6)
    verdict.timings["compare"] = round(done.compare_seconds, 6)
    verdict.timings.setdefault("start", round(time.monotonic() - started - done.run_seconds - done.compare_seconds, 6))
    return done


def _conclude(exercise: Exercise, verdict: Verdict, execution: Execution) -> None:
    """The whole from its parts: the first case that failed decides, then the rules."""
    verdict.cases = execution.cases
    verdict.stdout, verdict.stderr = execution.stdout, execution.stderr
    verdict.total = len(execution.cases)
    verdict.passed = sum(case.code is Code.ACCEPTED for case in execution.cases)
    failed = next((case for case in execution.cases if case.code not in (Code.ACCEPTED, Code.NOT_RUN)), None)
    if failed is not None:
        verdict.code, verdict.first_failed = failed.code, failed.name
        verdict.data = {**verdict.data, **failed.data}
    misuse = code_from_findings(verdict.findings)
    if misuse is Code.FORBIDDEN or (misuse is not None and failed is None):
        verdict.code = misuse


def _fault(verdict: Verdict, kind: str, text: str, mend: str) -> None:
    verdict.code = Code.GRADER_FAULT
    verdict.data = {"fault": kind, "text": text[:4000], "mend": mend}
