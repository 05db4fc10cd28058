"""The call traces of a run → calls and findings of the verdict, and its code where the calls decide it."""

from itertools import pairwise

from grader.checkers.api_trace import (
    CALL_FORBIDDEN,
    check_trace,
    other_algorithms,
    other_factors,
    outputs_from_the_host,
)
from grader.checkers.api_trace.facts import EXECUTE, ends_a_life, is_compute
from grader.checkers.api_trace.reasons import explain
from grader.checkers.trace_reader import Trace, read_trace
from grader.contract.codes import Code
from grader.contract.exercise_types import Exercise
from grader.contract.verdict import Finding, Verdict
from grader.execute import Execution
from grader.inputs import scalar_text
from grader.reference import expected_stdout
from grader.runners.base import LineTable

MAX_CALLS = 2_000
"""Calls that a verdict carries; a learner's loop can make many more."""


def apply_rules(exercise: Exercise, execution: Execution, lines: LineTable, verdict: Verdict) -> None:
    """Fills in calls and findings. Calls of hidden cases are judged, but neither they nor their arguments are shown."""
    shown = {case.name for case in exercise.cases if case.shown}
    right = _outputs_right(exercise, execution)
    values = {case.name: exercise.values(case) for case in exercise.cases}
    algorithms, factors = _given_algorithms(exercise), _given_factors(exercise)
    outputs = _computed_outputs(exercise)
    first = 0
    for run in execution.runs:
        trace = read_trace(run.trace)
        _place(trace, lines, first)
        first = max((call.index + 1 for call in trace.calls), default=first)
        # Outside the cases only ends count: a destructor at exit may give back what a case has made.
        trace.calls = [call for call in trace.calls if call.case or ends_a_life(call.name)]
        complete = run.complete and trace.dropped == 0
        findings = check_trace(
            trace.calls, trace.notes, exercise.uses, complete=complete, outputs_right=right, values=values
        )
        findings += other_algorithms(trace.calls, algorithms) + other_factors(trace.calls, factors)
        findings += outputs_from_the_host(trace.calls, trace.notes, outputs)
        hidden = {call.index for call in trace.calls if call.case not in shown}
        _add(verdict.findings, [_public(finding, hidden) for finding in findings])
        public = [call for call in trace.calls if call.case in shown]
        verdict.calls += explain(public[: MAX_CALLS - len(verdict.calls)])
        verdict.calls_dropped += trace.dropped
    start = min((call.at for call in verdict.calls), default=0.0)
    for call in verdict.calls:
        call.at = round(call.at - start, 1)


def _outputs_right(exercise: Exercise, execution: Execution) -> bool | None:
    """Whether all results were right; None where none was compared: a program only run, or free in what it prints."""
    if not all(case.code is Code.ACCEPTED for case in execution.cases):
        return False
    judged = exercise.form == "function" or all(
        expected_stdout(exercise, exercise.values(case)) is not None for case in exercise.cases
    )
    return True if judged else None


def _given_algorithms(exercise: Exercise) -> dict[str, dict[str, set[str]]]:
    """Case → type of algorithm → what the function's arguments of that type name."""
    arguments = [argument for argument in exercise.arguments if argument.type.endswith("Algo_t")]
    given: dict[str, dict[str, set[str]]] = {}
    for case in exercise.cases if arguments else ():
        kinds = given.setdefault(case.name, {})
        for argument in arguments:
            name, _, _ = scalar_text(argument, exercise.values(case)).partition("=")
            kinds.setdefault(argument.type, set()).add(name)
    return given


def _given_factors(exercise: Exercise) -> dict[str, dict[str, float]]:
    """Case → alpha and beta, where the function has arguments of these names."""
    arguments = [a for a in exercise.arguments if a.kind == "scalar" and a.name in ("alpha", "beta")]
    if not arguments:
        return {}
    return {
        case.name: {a.name: float(scalar_text(a, exercise.values(case))) for a in arguments} for case in exercise.cases
    }


def _computed_outputs(exercise: Exercise) -> list[str]:
    """Arguments in device memory that are due from cuDNN: all that are written, where a computing call is demanded."""
    demanded = {*exercise.uses.required, *(name for demand in exercise.uses.cases for name in demand.required)}
    if not any(name == EXECUTE or is_compute(name) for name in demanded):
        return []
    return [argument.name for argument in exercise.arguments if argument.kind in ("inout", "output")]


def _add(findings: list[Finding], more: list[Finding]) -> None:
    """A program runs once for each case: a mistake that every run makes is said once, with how often in `times`."""
    said = {_what(finding): finding for finding in findings}
    for finding in more:
        first = said.get(_what(finding))
        if first is None:
            findings.append(finding)
            said[_what(finding)] = finding
        else:
            first.data["times"] = int(first.data.get("times", 1)) + int(finding.data.get("times", 1))


def _what(finding: Finding) -> tuple[str, str, int, str, str]:
    data = finding.data
    return finding.rule, finding.severity, finding.line, str(data.get("function")), str(data.get("argument"))


def code_from_findings(findings: list[Finding]) -> Code | None:
    """FORBIDDEN or API_MISUSE where a finding demands it; None where the calls are in order."""
    if any(finding.rule == CALL_FORBIDDEN for finding in findings):
        return Code.FORBIDDEN
    return Code.API_MISUSE if any(finding.severity == "required" for finding in findings) else None


def _place(trace: Trace, lines: LineTable, first: int) -> None:
    """Gives calls their line in the learner's file, and calls and notes an index that is unique over several traces."""
    for call in trace.calls:
        if not call.line and call.index in trace.offsets:
            call.line, *call.via = (lines.line(offset) for offset in trace.offsets[call.index])
        call.via = [line for before, line in pairwise([call.line, *call.via]) if line not in (0, before)]
        call.index += first
    for note in trace.notes:
        if isinstance(note.get("call"), int):
            note["call"] += first


def _public(finding: Finding, hidden: set[int]) -> Finding:
    """A finding about a hidden case keeps its line, but loses its call and what is known of its arguments."""
    if finding.call not in hidden:
        return finding
    data = {key: value for key, value in finding.data.items() if key in ("function", "argument", "times")}
    return Finding(finding.rule, finding.severity, None, finding.line, data)
