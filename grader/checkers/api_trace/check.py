"""All rules over one trace, with the severities that the exercise gives them."""

from collections.abc import Iterable, Sequence

from grader.checkers.api_trace.cases import Values, case_findings, missing_types, over_budget
from grader.checkers.api_trace.facts import Calls
from grader.checkers.api_trace.rule import RULES, Note, Rule, Severity
from grader.contract.api import load_api
from grader.contract.exercise_types import Uses
from grader.contract.verdict import Call, Finding

REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "destroys_what_it_creates": ("leaks_handle", "leaks_descriptor", "leaks_memory", "leaks_stream_or_event"),
    "asks_output_dims": ("output_dims_not_queried", "output_dims_wrong"),
    "asks_workspace": (
        "workspace_not_asked",
        "workspace_never_asked",
        "fixed_workspace_size",
        "workspace_of_other_algorithm",
    ),
    "checks_algorithm_status": ("algorithm_status_unchecked",),
    "takes_first_algorithm": ("algorithm_not_from_list", "not_first_of_list", "algorithm_status_unchecked"),
    "deterministic_algorithms": ("non_deterministic_algorithm",),
    "algorithm_from_list": ("algorithm_not_from_list",),
    "accumulates_gradient": ("gradient_not_accumulated",),
    "checks_statuses": ("status_ignored",),
    "reuses_handle": ("handle_per_call",),
    "reuses_descriptors": ("descriptor_per_call",),
    "reuses_workspace": ("workspace_per_call",),
    "shares_workspace": ("several_workspaces",),
    "exact_workspace": ("workspace_larger_than_needed",),
    "uses_both_modes": ("one_mode_only",),
    "sums_in_float": ("half_compute_type",),
    "synchronises": ("never_synchronised", "not_synchronised_before_read"),
}
"""What an exercise can ask for in positive words → the rules that find it broken."""

CALL_MISSING, CALL_FORBIDDEN = "not_called", "forbidden_function"
"""Codes of findings about functions that an exercise requires, advises or forbids."""

MAX_CALLS = 5_000
"""Calls that are judged; a longer trace counts as cut off there."""

RANK: dict[Severity, int] = {"info": 0, "advised": 1, "required": 2}


def known_uses() -> set[str]:
    """Every word that `uses.required` and `uses.advised` may hold, beside names of functions."""
    return set(RULES) | set(REQUIREMENTS)


def check_trace(
    calls: Sequence[Call],
    notes: Sequence[Note],
    uses: Uses,
    *,
    complete: bool = True,
    outputs_right: bool | None = False,
    values: Values | None = None,
) -> list[Finding]:
    """Broken rules, in the order of the calls that they mark; those about missing calls come last.

    complete: False where the program did not come to its end (crash, limit, exception) or calls were dropped; then
    nothing is judged that may only be missing. outputs_right: all outputs were right; then suspicions are left out.
    None: nothing was compared; then those are left out that only say what to look at (severity info).
    values: the cases by name, for what the exercise asks of some of them only. Raises ExpressionError.
    """
    severities = _severities(uses)
    complete = complete and len(calls) <= MAX_CALLS
    judged = Calls(calls[:MAX_CALLS])
    found: list[Finding] = []
    for rule in RULES.values():
        if _applies(rule, severities, complete, outputs_right):
            severity = severities.get(rule.code, rule.severity)
            found += [_with(entry, severity) for entry in _merged(rule.check(judged, notes))]
    found += _functions(judged, uses, complete) + missing_types(judged, uses, complete)
    demanded = list(case_findings(judged, notes, uses, values or {}, complete))
    marked = {(entry.rule, entry.call) for entry in demanded}
    found = [entry for entry in found if (entry.rule, entry.call) not in marked] + demanded
    found += over_budget(judged, uses, values or {})
    return sorted(found, key=lambda entry: (entry.call is None, entry.call or 0, -RANK[entry.severity]))


def _severities(uses: Uses) -> dict[str, Severity]:
    """Rule code → severity, for the rules that the exercise names; required wins over advised."""
    named: dict[str, Severity] = {}
    for code in _expanded(uses.advised):
        named[code] = "advised"
    for code in _expanded(uses.required):
        named[code] = "required"
    return named


def _expanded(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        yield from REQUIREMENTS.get(word, (word,))


def _applies(rule: Rule, severities: dict[str, Severity], complete: bool, right: bool | None) -> bool:
    named = rule.code in severities
    if rule.at_end and not complete:
        return False
    doubted = rule.severity != "info" if right is None else not right
    return named or not (rule.on_request or (rule.suspicion and not doubted))


def _with(entry: Finding, severity: Severity) -> Finding:
    entry.severity = severity
    return entry


def _merged(entries: Sequence[Finding]) -> list[Finding]:
    """Equal mistakes of several cases (or rounds of a loop) as one: the first, with how often in `times`."""
    chosen: dict[tuple[str, int, str, str], Finding] = {}
    for entry in entries:
        key = (entry.rule, entry.line, str(entry.data.get("function")), str(entry.data.get("argument")))
        first = chosen.setdefault(key, entry)
        first.data["times"] = int(first.data.get("times", 0)) + 1
    return list(chosen.values())


def _functions(calls: Calls, uses: Uses, complete: bool) -> list[Finding]:
    """Functions that must, should or must not be called."""
    known = load_api().functions
    first: dict[str, Call] = {}
    for call in calls.own:
        first.setdefault(call.name, call)
    found: list[Finding] = []
    levels: tuple[tuple[Severity, tuple[str, ...]], ...] = (("required", uses.required), ("advised", uses.advised))
    for severity, names in levels:
        missing = [name for name in names if name in known and name not in first and complete]
        found += [Finding(CALL_MISSING, severity, None, 0, {"function": name}) for name in missing]
    for name in uses.forbidden:
        if name in known and name in first:
            call = first[name]
            found.append(Finding(CALL_FORBIDDEN, "required", call.index, call.line, {"function": name}))
    return found
