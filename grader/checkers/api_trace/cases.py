"""What an exercise asks of the calls of some of its cases, and of the types of data that are computed with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.checkers.api_trace.facts import Calls, integer, is_compute, objects, succeeded
from grader.checkers.api_trace.rule import RULES, Note
from grader.contract.exercise_types import Uses
from grader.contract.expressions import evaluate
from grader.contract.verdict import Call, Finding

NOT_CALLED_IN_CASE, DATA_TYPE_NOT_USED = "not_called_in_case", "data_type_not_used"
"""Codes of findings about a function that a case asks for, and a type of data that nothing computes with."""

WORKSPACE_OVER_BUDGET = "workspace_over_budget"
"""Code of the finding about a workspace that is larger than the exercise allows."""

Values = Mapping[str, Mapping[str, Any]]
"""Case → its parameters and what is derived from them."""


def case_findings(calls: Calls, notes: Sequence[Note], uses: Uses, values: Values, complete: bool) -> Iterator[Finding]:
    """What `uses.cases` demands and some case lacks. Raises ExpressionError."""
    cases = calls.by_case
    for demand in uses.cases:
        chosen = [name for name, known in values.items() if evaluate(demand.when, known)]
        for word in demand.required:
            if word in RULES:
                yield from _broken(word, chosen, cases, notes)
            elif complete:
                yield from _missing(word, chosen, cases)


def _missing(function: str, chosen: Sequence[str], cases: Mapping[str, Calls]) -> Iterator[Finding]:
    """One finding, for the first case without a call of the function."""
    lacking = [name for name in chosen if all(call.name != function for call in cases.get(name, ()))]
    if lacking:
        data = {"function": function, "case": lacking[0], "times": len(lacking)}
        yield Finding(NOT_CALLED_IN_CASE, "required", None, 0, data)


def _broken(rule: str, chosen: Sequence[str], cases: Mapping[str, Calls], notes: Sequence[Note]) -> Iterator[Finding]:
    """One finding, of the first case that breaks the rule."""
    for name in chosen:
        for found in RULES[rule].check(cases.get(name, Calls()), [note for note in notes if note.get("case") == name]):
            found.severity = "required"
            yield found
            return


def missing_types(calls: Calls, uses: Uses, complete: bool) -> list[Finding]:
    """Types of `uses.data_types` that no successful computation reads or writes."""
    used = {
        argument.get("dtype")
        for call in (calls.computing if complete and uses.data_types else [])
        for _, argument in objects(call)
        if succeeded(call) and argument["kind"] in ("tensor", "filter")
    }
    lacking = [name for name in uses.data_types if name not in used] if complete else []
    return [Finding(DATA_TYPE_NOT_USED, "required", None, 0, {"dtype": name}) for name in lacking]


def over_budget(calls: Calls, uses: Uses, values: Values) -> list[Finding]:
    """The first computation that is given more workspace than the exercise, or its case, allows."""
    for call in calls.own:
        size, limit = integer(call.args.get("workSpaceSizeInBytes")), _limit(call, uses, values)
        if is_compute(call.name) and size is not None and limit is not None and size > limit:
            data = {"function": call.name, "bytes": size, "budget": limit}
            return [Finding(WORKSPACE_OVER_BUDGET, "required", call.index, call.line, data)]
    return []


def _limit(call: Call, uses: Uses, values: Values) -> int | None:
    """Bytes that the call may be given; None: as many as it likes. Raises ExpressionError."""
    if uses.workspace_kib is not None:
        return uses.workspace_kib * 1024
    return (
        int(evaluate(uses.workspace_bytes, values[call.case])) if uses.workspace_bytes and call.case in values else None
    )
