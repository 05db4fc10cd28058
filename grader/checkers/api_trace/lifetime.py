"""Rules on what is created and destroyed."""

from collections.abc import Callable, Sequence

from grader.checkers.api_trace.facts import (
    FREES,
    MANY,
    MEMORY,
    Life,
    by_case,
    in_turn,
    is_compute,
    is_destroy,
    lives,
    objects,
    own,
    shape_key,
    succeeded,
)
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

OTHERS = ("handle", "stream", "event", *MEMORY)


def _leaks(code: str, calls: Sequence[Call], belongs: Callable[[str], bool]) -> list[Finding]:
    """One finding for each function whose objects stay: at the first of them."""
    found: dict[str, Finding] = {}
    for life in lives(calls):
        if life.destroyed or not belongs(life.kind):
            continue
        first = found.setdefault(life.created.name, finding(code, life.created, id=life.id, kind=life.kind, count=0))
        first.data["count"] += 1
    return list(found.values())


@rule("leaks_handle", "handles", at_end=True)
def leaks_handle(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """A handle that cudnnCreate gave is never destroyed."""
    return _leaks("leaks_handle", calls, lambda kind: kind == "handle")


@rule("leaks_descriptor", "tensor-descriptors", at_end=True)
def leaks_descriptor(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """A descriptor is never destroyed."""
    return _leaks("leaks_descriptor", calls, lambda kind: kind not in OTHERS)


@rule("leaks_memory", "workspaces", at_end=True)
def leaks_memory(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """Memory of cudaMalloc is never freed."""
    return _leaks("leaks_memory", calls, lambda kind: kind in MEMORY)


@rule("leaks_stream_or_event", "handles", at_end=True)
def leaks_stream_or_event(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """A stream or an event is never destroyed."""
    return _leaks("leaks_stream_or_event", calls, lambda kind: kind in ("stream", "event"))


@rule("double_destroy", "tensor-descriptors")
def double_destroy(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """Something is destroyed or freed a second time."""
    found = []
    for call in own(calls):
        if is_destroy(call.name) or call.name in FREES:
            dead = [argument for _, argument in objects(call) if argument.get("live") is False]
            found += [finding("double_destroy", call, id=a.get("id"), kind=a["kind"]) for a in dead]
    return found


@rule("use_after_destroy", "tensor-descriptors")
def use_after_destroy(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """A destroyed handle, descriptor, stream or event is given to a call."""
    found = []
    for call in own(calls):
        if is_destroy(call.name):
            continue
        for name, argument in objects(call):
            if argument.get("live") is False and argument["kind"] not in MEMORY:
                found.append(finding("use_after_destroy", call, argument=name, id=argument.get("id")))
    return found


@rule("use_after_free", "workspaces")
def use_after_free(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """Freed memory is given to a call."""
    found = []
    for call in own(calls):
        for name, argument in objects(call) if call.name not in FREES else ():
            if argument.get("live") is False and argument["kind"] in MEMORY:
                found.append(finding("use_after_free", call, argument=name, id=argument.get("id")))
    return found


@rule("handle_per_call", "handles", severity="info")
def handle_per_call(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """Handles are created one after another within a case, where one would do."""
    found = []
    for case in by_case(calls).values():
        chain = in_turn([life for life in lives(case) if life.kind == "handle"])
        used = [life for life in chain if any(is_compute(call.name) for call in life.uses)]
        if len(used) > 1:
            found.append(finding("handle_per_call", used[1].created, count=len(used)))
    return found


@rule("descriptor_per_call", "tensor-descriptors", severity="info")
def descriptor_per_call(calls: Sequence[Call], notes: Sequence[Note]) -> list[Finding]:
    """The same descriptor is made anew for each of several equal calls."""
    found = []
    for case in by_case(calls).values():
        groups: dict[tuple[str, object], list[Life]] = {}
        for life in lives(case):
            work = next((call for call in life.uses if is_compute(call.name) and succeeded(call)), None)
            if work is not None and life.kind not in OTHERS:
                groups.setdefault((life.created.name, (work.name, shape_key(work))), []).append(life)
        for group in groups.values():
            chain = in_turn(group)
            if len(chain) >= MANY:
                found.append(finding("descriptor_per_call", chain[1].created, kind=chain[1].kind, count=len(chain)))
                break
    return found
