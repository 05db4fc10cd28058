"""What an exercise can demand of algorithms and workspaces beyond right use, and what it gives as an argument."""

import math
from collections.abc import Collection, Mapping, Sequence

from grader.checkers.api_trace.facts import Calls, family, integer, is_compute, shape_key, succeeded, value
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.checkers.api_trace.workspace import sized_work
from grader.contract.api import load_api
from grader.contract.verdict import Call, Finding

ALGORITHM_NOT_GIVEN = "algorithm_not_given"
"""Code of the finding about a computation by another algorithm than the exercise's argument names."""

FACTOR_NOT_GIVEN = "factor_not_given"
"""Code of the finding about a computation with another alpha or beta than the exercise's arguments of these names."""

ROUNDING = 512
"""Bytes: CuPy's pool hands out memory in such steps, so a buffer may be that much larger than was asked for."""


def _listed(call: Call) -> list[str]:
    """Algorithms that a list says can run, in its order."""
    results = call.outs.get("perfResults")
    entries = [entry for entry in results if isinstance(entry, dict)] if isinstance(results, list) else []
    return [str(entry.get("algo")) for entry in entries if entry.get("status") == "CUDNN_STATUS_SUCCESS"]


def _convolutions(calls: Calls) -> list[tuple[Call, list[str] | None, list[str]]]:
    """Convolution, what the lists for it named first (None: no list), and the algorithms that it was refused with."""
    firsts: dict[object, list[str]] = {}
    refused: dict[object, list[str]] = {}
    found: list[tuple[Call, list[str] | None, list[str]]] = []
    for call in calls.own:
        key = (family(call.name), shape_key(call)) if family(call.name) else None
        if key is None:
            continue
        if "perfResults" in call.outs and succeeded(call):
            firsts[key] = firsts.get(key, []) + _listed(call)[:1]
        elif is_compute(call.name) and "algo" in call.args:
            found.append((call, firsts.get(key), list(refused.get(key, []))))
            if not succeeded(call):
                refused.setdefault(key, []).append(str(call.args["algo"]))
    return found


@rule("not_first_of_list", "algorithms", on_request=True)
def not_first_of_list(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The algorithm is not the list's first that can run, and that one was not tried."""
    return [
        finding("not_first_of_list", call, algo=call.args["algo"], first=firsts[0])
        for call, firsts, refused in _convolutions(calls)
        if firsts and str(call.args["algo"]) not in firsts and not set(firsts) & set(refused)
    ]


@rule("several_workspaces", "workspaces", on_request=True)
def several_workspaces(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Computations of one case are given different buffers as workspace, where one would do."""
    found = []
    for case in calls.by_case.values():
        first: dict[str, Call] = {}
        for call, size, _ in sized_work(case):
            buffer = value(call, "workSpace").get("id")
            if size > 0 and isinstance(buffer, str):
                first.setdefault(buffer, call)
        if len(first) > 1:
            found.append(finding("several_workspaces", list(first.values())[1], count=len(first)))
    return found


@rule("workspace_larger_than_needed", "workspaces", on_request=True)
def workspace_larger_than_needed(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A workspace is larger than the largest answer for the computations that it is given to.

    Of memory from CuPy's own pool on a GPU only the address is known; what the call says of its size stands for it.
    """
    found = []
    for case in calls.by_case.values():
        needs: dict[str, list[int | None]] = {}
        last: dict[str, tuple[Call, int]] = {}
        for call, stated, answers in sized_work(case):
            space = value(call, "workSpace")
            held = integer(space.get("bytes"))
            if isinstance(space.get("id"), str):
                needs.setdefault(space["id"], []).append(answers.needed(call))
                last[space["id"]] = (call, stated if held is None else held)
        for buffer, (call, held) in last.items():
            sizes = [size for size in needs[buffer] if size is not None]
            if len(sizes) == len(needs[buffer]) and held > max(sizes) + ROUNDING:
                found.append(finding("workspace_larger_than_needed", call, bytes=held, needed=max(sizes)))
    return found


@rule("half_compute_type", "forward-convolution", on_request=True)
def half_compute_type(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A convolution sums in half precision."""
    return [
        finding("half_compute_type", call)
        for call in calls.own
        if is_compute(call.name) and succeeded(call) and value(call, "convDesc").get("dtype") == "HALF"
    ]


@rule("one_mode_only", "convolution-descriptors", on_request=True, at_end=True)
def one_mode_only(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """All convolutions of a case have the same mode."""
    found = []
    for case in calls.by_case.values():
        work = [call for call in case if is_compute(call.name) and family(call.name)]
        modes = {str(value(call, "convDesc").get("mode")) for call in work}
        if len(modes) == 1:
            found.append(finding("one_mode_only", work[-1], mode=modes.pop()))
    return found


def other_factors(calls: Sequence[Call], given: Mapping[str, Mapping[str, float]]) -> list[Finding]:
    """Computations with another alpha or beta than the case gives. given: case → factor → value."""
    found = []
    for call in calls:
        for name, wanted in given.get(call.case, {}).items() if is_compute(call.name) and succeeded(call) else ():
            yours = call.args.get(name)
            if isinstance(yours, int | float) and not math.isclose(yours, wanted, rel_tol=1e-5, abs_tol=1e-9):
                data = {"function": call.name, "factor": name, "value": yours, "given": wanted}
                found.append(Finding(FACTOR_NOT_GIVEN, "required", call.index, call.line, data))
                break
    return found


def other_algorithms(calls: Sequence[Call], given: Mapping[str, Mapping[str, Collection[str]]]) -> list[Finding]:
    """Computations by another algorithm than the case gives. given: case → type of algorithm → names."""
    found = []
    for call in calls:
        wanted = given.get(call.case, {}).get(_algorithm_type(call.name)) if is_compute(call.name) else None
        if wanted and succeeded(call) and str(call.args.get("algo")) not in wanted:
            data = {"function": call.name, "algo": call.args.get("algo"), "given": min(wanted)}
            found.append(Finding(ALGORITHM_NOT_GIVEN, "required", call.index, call.line, data))
    return found


def _algorithm_type(function: str) -> str:
    """Type of the function's parameter `algo`; "" where it has none."""
    known = load_api().functions.get(function)
    return next((p.type for p in known.parameters if p.name == "algo"), "") if known else ""
