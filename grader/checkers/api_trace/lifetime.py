"""Rules on what is created and destroyed."""

from collections.abc import Callable, Sequence

from grader.checkers.api_trace.facts import (
    FREES,
    MANY,
    MEMORY,
    Calls,
    Life,
    in_turn,
    is_compute,
    is_destroy,
    objects,
    shape_key,
    succeeded,
    value,
)
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Finding

CROWD = 8
"""Handles of one thread at a time that are more than a program needs."""
OTHERS = ("handle", "stream", "event", *MEMORY)


def _leaks(code: str, calls: Calls, belongs: Callable[[str], bool]) -> list[Finding]:
    """One finding for each function whose objects stay: at the first of them."""
    found: dict[str, Finding] = {}
    for life in calls.lives:
        if life.destroyed or not belongs(life.kind):
            continue
        first = found.setdefault(life.created.name, finding(code, life.created, id=life.id, kind=life.kind, count=0))
        first.data["count"] += 1
    return list(found.values())


@rule("leaks_handle", "handles", at_end=True)
def leaks_handle(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A handle that cudnnCreate gave is never destroyed."""
    return _leaks("leaks_handle", calls, lambda kind: kind == "handle")


@rule("leaks_descriptor", "tensor-descriptors", at_end=True)
def leaks_descriptor(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A descriptor is never destroyed."""
    return _leaks("leaks_descriptor", calls, lambda kind: kind not in OTHERS)


@rule("leaks_memory", "workspaces", at_end=True)
def leaks_memory(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Memory of cudaMalloc is never freed."""
    return _leaks("leaks_memory", calls, lambda kind: kind in MEMORY)


@rule("leaks_stream_or_event", "handles", at_end=True)
def leaks_stream_or_event(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A stream or an event is never destroyed."""
    return _leaks("leaks_stream_or_event", calls, lambda kind: kind in ("stream", "event"))


@rule("double_destroy", "tensor-descriptors")
def double_destroy(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Something is destroyed or freed a second time."""
    found = []
    for call in calls.own:
        if is_destroy(call.name) or call.name in FREES:
            dead = [argument for _, argument in objects(call) if argument.get("live") is False]
            found += [finding("double_destroy", call, id=a.get("id"), kind=a["kind"]) for a in dead]
    return found


@rule("use_after_destroy", "tensor-descriptors")
def use_after_destroy(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A destroyed handle, descriptor, stream or event is given to a call."""
    found = []
    for call in calls.own:
        if is_destroy(call.name):
            continue
        for name, argument in objects(call):
            if argument.get("live") is False and argument["kind"] not in MEMORY:
                found.append(finding("use_after_destroy", call, argument=name, id=argument.get("id")))
    return found


@rule("use_after_free", "workspaces")
def use_after_free(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Freed memory is given to a call."""
    found = []
    for call in calls.own:
        for name, argument in objects(call) if call.name not in FREES else ():
            if argument.get("live") is False and argument["kind"] in MEMORY:
                found.append(finding("use_after_free", call, argument=name, id=argument.get("id")))
    return found


@rule("handle_per_call", "handles", severity="info")
def handle_per_call(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Handles are created one after another within a case, where one would do."""
    found = []
    for case in calls.by_case.values():
        chain = in_turn([life for life in case.lives if life.kind == "handle"])
        used = [life for life in chain if any(is_compute(call.name) for call in life.uses)]
        if len(used) > 1:
            found.append(finding("handle_per_call", used[1].created, count=len(used)))
    return found


@rule("descriptor_per_call", "tensor-descriptors", severity="info")
def descriptor_per_call(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The same descriptor is made anew for each of several equal calls."""
    found = []
    for case in calls.by_case.values():
        groups: dict[tuple[str, object], list[Life]] = {}
        for life in case.lives:
            work = next((call for call in life.uses if is_compute(call.name) and succeeded(call)), None)
            if work is not None and life.kind not in OTHERS:
                groups.setdefault((life.created.name, (work.name, shape_key(work))), []).append(life)
        for group in groups.values():
            chain = in_turn(group)
            if len(chain) >= MANY:
                found.append(finding("descriptor_per_call", chain[1].created, kind=chain[1].kind, count=len(chain)))
                break
    return found


@rule("handles_at_once", "handles", severity="info")
def handles_at_once(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """One thread holds many handles at the same time."""
    alive: dict[int, set[str]] = {}
    found: dict[int, Finding] = {}
    ends = {life.destroyed.index: life.id for life in calls.lives if life.kind == "handle" and life.destroyed}
    starts = {life.created.index: life.id for life in calls.lives if life.kind == "handle"}
    for call in calls:
        held = alive.setdefault(call.thread, set())
        if call.index in starts:
            held.add(starts[call.index])
            if len(held) >= CROWD:
                entry = found.setdefault(call.thread, finding("handles_at_once", call, count=0))
                entry.data["count"] = max(entry.data["count"], len(held))
        for others in alive.values():
            others.discard(ends.get(call.index, ""))
    return list(found.values())


@rule("handle_used_by_threads", "handles")
def handle_used_by_threads(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Two threads use one handle, and at least one of them gives it a stream."""
    threads: dict[str, set[int]] = {}
    moved: set[str] = set()
    found: dict[str, Finding] = {}
    for call in calls.own:
        used = str(value(call, "handle").get("id", ""))
        if not used or is_destroy(call.name):
            continue
        threads.setdefault(used, set()).add(call.thread)
        if call.name == "cudnnSetStream":
            moved.add(used)
        if used in moved and len(threads[used]) > 1:
            found.setdefault(used, finding("handle_used_by_threads", call, id=used))
    return list(found.values())


@rule("used_after_reset", "handles")
def used_after_reset(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A handle of before cudaDeviceReset is used or destroyed after it: its context is gone."""
    found = []
    made: set[str] = set()
    dead: set[str] = set()
    for call in calls.own:
        if call.name == "cudnnCreate":
            made |= {str(out.get("id")) for out in call.outs.values() if isinstance(out, dict)}
        elif call.name == "cudaDeviceReset" and succeeded(call):
            dead |= made
        for name, argument in objects(call):
            if argument["kind"] == "handle" and argument.get("id") in dead:
                found.append(finding("used_after_reset", call, argument=name, id=argument.get("id")))
    return found[:1]
