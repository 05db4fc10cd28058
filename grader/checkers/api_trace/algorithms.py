"""Rules on choosing an algorithm."""

from collections.abc import Iterator, Sequence
from typing import Any

from grader.checkers.api_trace.facts import Calls, family, is_compute, outputs, shape_key, succeeded, value
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding


def _entries(call: Call) -> list[dict[str, Any]]:
    results = call.outs.get("perfResults")
    return [entry for entry in results if isinstance(entry, dict)] if isinstance(results, list) else []


def _choices(calls: Calls) -> Iterator[tuple[Call, Call, list[dict[str, Any]]]]:
    """Convolution, the last list of algorithms for it, and the list's entries for the algorithm that runs."""
    lists: dict[object, Call] = {}
    for call in calls.own:
        key = (family(call.name), shape_key(call)) if family(call.name) else None
        if key and succeeded(call) and _entries(call):
            lists[key] = call
        elif key in lists and is_compute(call.name) and "algo" in call.args:
            yield call, lists[key], [e for e in _entries(lists[key]) if e.get("algo") == call.args["algo"]]


@rule("algorithm_status_unchecked", "algorithms")
def algorithm_status_unchecked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An algorithm is used whose entry in the list has a status other than success."""
    found = []
    for call, source, entries in _choices(calls):
        if entries and all(entry.get("status") != "CUDNN_STATUS_SUCCESS" for entry in entries):
            data = {"algo": call.args["algo"], "status": entries[0].get("status"), "list": source.name}
            found.append(finding("algorithm_status_unchecked", call, **data))
    return found


@rule("algorithm_not_from_list", "autotuning", on_request=True)
def algorithm_not_from_list(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A convolution runs with an algorithm that no list for exactly this convolution has named."""
    named: set[object] = set()
    found = []
    for call in calls.own:
        key = (family(call.name), shape_key(call)) if family(call.name) else None
        if key and succeeded(call):
            named |= {(key, str(entry.get("algo"))) for entry in _entries(call)}
        if key and is_compute(call.name) and "algo" in call.args and (key, str(call.args["algo"])) not in named:
            found.append(finding("algorithm_not_from_list", call, algo=call.args["algo"]))
    return found


@rule("math_type_not_set", "algorithms", severity="info")
def math_type_not_set(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The list's entry has a math type that was not set on the convolution descriptor."""
    found = []
    for call, source, entries in _choices(calls):
        usable = [entry.get("mathType") for entry in entries if entry.get("status") == "CUDNN_STATUS_SUCCESS"]
        current = f"CUDNN_{value(call, 'convDesc').get('math', 'DEFAULT_MATH')}"
        if usable and current not in usable:
            data = {"algo": call.args["algo"], "entry": usable[0], "current": current, "list": source.name}
            found.append(finding("math_type_not_set", call, **data))
    return found


@rule("find_in_hot_path", "algorithms", severity="info")
def find_in_hot_path(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The same convolution is measured more than once."""
    found = []
    for case in calls.by_case.values():
        seen: dict[object, list[Call]] = {}
        for call in case:
            if call.name.startswith("cudnnFind") and succeeded(call):
                seen.setdefault((call.name, shape_key(call)), []).append(call)
        repeated = [same for same in seen.values() if len(same) > 1]
        found += [finding("find_in_hot_path", same[1], count=len(same)) for same in repeated]
    return found


@rule("find_overwrites_output", "algorithms", suspicion=True)
def find_overwrites_output(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A Find...Ex call used an output that held a result, and a later beta adds what it left there.

    A suspicion: CuPy may put the values back without a call that is recorded.
    """
    return [entry for case in calls.by_case.values() for entry in _spoilt_outputs(case)]


def _spoilt_outputs(case: Calls) -> Iterator[Finding]:
    written: dict[str, Call] = {}
    spoilt: dict[str, Call] = {}
    for call in case:
        if call.name.startswith("cudaMemcpy"):  # what the search left may be replaced by a copy
            spoilt.pop(str(value(call, "dst").get("id")), None)
        searches = call.name.startswith("cudnnFind") and call.name.endswith("Ex")
        for name in outputs(call.name) if succeeded(call) else ():
            buffer = str(value(call, name).get("id"))
            if searches and buffer in written:
                spoilt[buffer] = call
            elif is_compute(call.name):
                if buffer in spoilt and call.args.get("beta") not in (0, None):
                    data = {"argument": name, "id": buffer, "find": spoilt[buffer].name}
                    yield finding("find_overwrites_output", call, **data)
                spoilt.pop(buffer, None)
                written[buffer] = call


NON_DETERMINISTIC = {
    "CUDNN_CONVOLUTION_BWD_DATA_ALGO_0",
    "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0",
    "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3",
    "CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC",
}
"""Algorithms that cudnn.h and the library's own lists call not deterministic: they sum with atomic additions."""


@rule("non_deterministic_algorithm", "determinism", on_request=True)
def non_deterministic_algorithm(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A result is computed by an algorithm that need not give the same bits each time."""
    return [
        finding("non_deterministic_algorithm", call, algo=algorithm)
        for call in calls.own
        if succeeded(call) and (algorithm := _non_deterministic(call))
    ]


def _non_deterministic(call: Call) -> str:
    """The algorithm or mode of the call that fixes no order of additions; empty where there is none."""
    algorithm = str(call.args.get("algo"))
    if is_compute(call.name) and algorithm in NON_DETERMINISTIC:
        return algorithm
    mode = value(call, "poolingDesc").get("mode") if call.name == "cudnnPoolingBackward" else None
    return "CUDNN_POOLING_MAX" if mode in ("MAX", "CUDNN_POOLING_MAX") else ""
