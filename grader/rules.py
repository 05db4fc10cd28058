"""The call trace of a run → calls, findings and, where a required rule is broken, the verdict's code."""

from typing import Any

from grader.checkers.trace_reader import Trace, read_trace
from grader.contract.codes import Code
from grader.contract.exercise import Exercise
from grader.contract.verdict import Finding, Verdict
from grader.execute import Execution
from grader.runners.base import LineTable

MAX_CALLS = 2_000
"""Calls that a verdict carries; a learner's loop can make many more."""


def apply_rules(exercise: Exercise, execution: Execution, lines: LineTable, verdict: Verdict) -> None:
    """Fills in calls and findings. What belongs to hidden cases is judged, but its arguments are not shown."""
    shown = {case.name for case in exercise.cases if case.shown}
    for trace in map(read_trace, execution.traces):
        _place(trace, lines)
        trace.calls = [call for call in trace.calls if call.case]
        hidden = {call.index for call in trace.calls if call.case not in shown}
        findings = _findings(exercise, trace)
        verdict.findings += [_public(finding, hidden) for finding in findings]
        verdict.calls += [call for call in trace.calls if call.case in shown][: MAX_CALLS - len(verdict.calls)]
        verdict.calls_dropped += trace.dropped
    verdict.findings = _distinct(verdict.findings)


def code_from_findings(verdict: Verdict) -> Code | None:
    """FORBIDDEN or API_MISUSE where a finding demands it; None where the calls are in order."""
    if any(finding.rule == "forbidden_function" for finding in verdict.findings):
        return Code.FORBIDDEN
    return Code.API_MISUSE if any(finding.severity == "required" for finding in verdict.findings) else None


def _place(trace: Trace, lines: LineTable) -> None:
    for call in trace.calls:
        if not call.line and call.index in trace.offsets:
            call.line = lines.line(trace.offsets[call.index])


def _findings(exercise: Exercise, trace: Trace) -> list[Finding]:
    found: list[Finding] = []
    called = {call.name for call in trace.calls}
    for severity, names in (("required", exercise.uses.required), ("advised", exercise.uses.advised)):
        for name in names:
            if is_function(name) and name not in called:
                found.append(
                    Finding("not_called", "required" if severity == "required" else "advised", data={"function": name})
                )
    for name in exercise.uses.forbidden:
        call = next((call for call in trace.calls if call.name == name), None)
        if call is not None:
            found.append(Finding("forbidden_function", "required", call.index, call.line, {"function": name}))
    return found


def is_function(name: str) -> bool:
    """Whether a `uses` entry names an API function rather than a rule."""
    return name.startswith(("cudnn", "cuda")) and not name.islower()


def _public(finding: Finding, hidden: set[int]) -> Finding:
    if finding.call in hidden:
        return Finding(finding.rule, finding.severity, None, finding.line, {})
    return finding


def _distinct(findings: list[Finding]) -> list[Finding]:
    seen: set[tuple[Any, ...]] = set()
    kept: list[Finding] = []
    for finding in findings:
        key = (finding.rule, finding.severity, finding.line, str(finding.data.get("function", "")))
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept
