"""A rule on the call trace, and the registry of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.checkers.api_trace.facts import Calls
from grader.contract.verdict import Call, Finding

Note = dict[str, Any]
Check = Callable[[Calls, Sequence[Note]], list[Finding]]
Severity = Literal["required", "advised", "info"]


@dataclass(frozen=True, slots=True)
class Rule:
    """check: calls in order and notes → findings; pure, never raises on odd values.

    lesson: slug of the lesson that teaches it. severity: where the exercise says nothing of the rule.
    at_end: judged only when the program came to its end and no call was lost, as what is missing may have been cut off.
    suspicion: explains a wrong result, but is no mistake in itself; left out where all outputs are right, and
    where none was compared if its severity is info.
    on_request: judged only where an exercise names the rule or a requirement that stands for it.
    """

    code: str
    lesson: str
    check: Check
    severity: Severity = "advised"
    at_end: bool = False
    suspicion: bool = False
    on_request: bool = False


RULES: dict[str, Rule] = {}


def rule(
    code: str,
    lesson: str,
    *,
    severity: Severity = "advised",
    at_end: bool = False,
    suspicion: bool = False,
    on_request: bool = False,
) -> Callable[[Check], Check]:
    """Enters a check function under its code."""

    def enter(check: Check) -> Check:
        RULES[code] = Rule(code, lesson, check, severity, at_end, suspicion, on_request)
        return check

    return enter


def finding(code: str, call: Call | None, **data: Any) -> Finding:
    """A finding at a call; its severity is set by `check_trace`. `function` is in the data wherever there is a call."""
    if call is None:
        return Finding(code, "info", None, 0, data)
    return Finding(code, "info", call.index, call.line, {"function": call.name} | data)
