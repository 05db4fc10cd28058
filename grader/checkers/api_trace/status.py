"""Rules on statuses: failures that the program went on after, and errors that appear late."""

from collections.abc import Sequence

from grader.checkers.api_trace.facts import (
    Calls,
    failed,
    is_compute,
    is_destroy,
    objects,
    roles,
    shape_key,
    succeeded,
    value,
)
from grader.checkers.api_trace.graph import refused_and_used
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

ANSWERS = ("cudaGetLastError", "cudaPeekAtLastError", "cudaStreamQuery", "cudaEventQuery")
"""Functions whose status is an answer about something else."""
STICKY = range(700, 721)
"""CUDA errors of kernels: every later call fails with them too."""
FAR = 200
"""Calls after a failure in which its consequence is looked for."""
EXECUTION_FAILED = range(5000, 6000)


def _own_failure(call: Call) -> bool:
    """Whether a call failed for a reason of its own."""
    return failed(call) and call.name not in ANSWERS and call.status not in STICKY


def _subject(call: Call) -> object:
    """Id of the descriptor that a setter fills."""
    for name, argument in objects(call):
        if roles(call.name).get(name) == "descriptor":
            return argument.get("id")
    return None


def _used_unset(call: Call, later: Sequence[Call]) -> Call | None:
    """First use of a descriptor whose setter failed, unless it was set again before."""
    subject = _subject(call)
    for other in later:
        if subject is None or is_destroy(other.name):
            continue
        if subject == _subject(other) and other.name.startswith("cudnnSet"):
            if succeeded(other):
                return None
        elif any(argument.get("id") == subject for _, argument in objects(other)):
            return other
    return None


def _used_unsupported(call: Call, later: Sequence[Call]) -> Call | None:
    """First computation with the algorithm for which the workspace query failed."""
    for other in later:
        same = is_compute(other.name) and other.args.get("algo") == call.args.get("algo")
        if same and shape_key(other) == shape_key(call):
            return other
    return None


def _used_unknown_size(call: Call, later: Sequence[Call]) -> Call | None:
    """First computation with the descriptor whose output size could not be told."""
    subject = _subject(call)
    for other in later:
        if other.name == call.name and succeeded(other):
            return None
        if is_compute(other.name) and any(argument.get("id") == subject for _, argument in objects(other)):
            return other
    return None


def _went_on(call: Call, later: Sequence[Call]) -> Call | None:
    """First further work after a computation or allocation failed and was not repeated with success."""
    if any(other.name == call.name and succeeded(other) for other in later):
        return None
    for other in later:
        reads = other.name.startswith("cudaMemcpy") and other.args.get("kind") == "cudaMemcpyDeviceToHost"
        if is_compute(other.name) or reads:
            return other
    return None


def _consequence(call: Call, later: Sequence[Call]) -> Call | None:
    if call.name.startswith("cudnnSet") and "descriptor" in roles(call.name).values():
        return _used_unset(call, later)
    if call.name.endswith("WorkspaceSize"):
        return _used_unsupported(call, later)
    if call.name.endswith("OutputDim"):
        return _used_unknown_size(call, later)
    if is_compute(call.name) or call.name.startswith("cudaMalloc") or call.name == "cudnnBackendExecute":
        return _went_on(call, later)
    return None


@rule("status_ignored", "status-and-errors")
def status_ignored(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A call failed, and the program went on as if it had not."""
    found = []
    for case in calls.by_case.values():
        refused = refused_and_used(case)
        for position, call in enumerate(case):
            if not _own_failure(call):
                continue
            if later := refused.get(call.index) or _consequence(call, case[position + 1 : position + FAR]):
                data = {"status": call.status_name, "later": later.name, "later_call": later.index}
                found.append(finding("status_ignored", call, **data))
                break  # what follows a first ignored failure mostly follows from it
    return found


@rule("asynchronous_error", "status-and-errors")
def asynchronous_error(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An error of earlier work appears at a call that is not its cause. Marks the first such call."""
    for call in calls.own:
        if call.status in STICKY or (call.status in EXECUTION_FAILED and not is_compute(call.name)):
            suspect = _suspect(calls, call)
            data = {"cause": suspect.name, "cause_call": suspect.index} if suspect else {}
            return [finding("asynchronous_error", call, status=call.status_name, **data)]
    return []


def _suspect(calls: Calls, call: Call) -> Call | None:
    """The last computation before the error that was given anything but device memory; else the last one."""
    earlier = [other for other in calls.own if other.index < call.index and is_compute(other.name)]
    for other in reversed(earlier):
        for name, role in roles(other.name).items():
            if role == "device" and value(other, name).get("kind") in ("host", "unknown"):
                return other
    return earlier[-1] if earlier else None
