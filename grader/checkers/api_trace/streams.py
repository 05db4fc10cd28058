"""Rules on streams, events and waiting."""

from collections.abc import Sequence

from grader.checkers.api_trace.facts import Calls, failed, is_compute, is_destroy, stream_of, succeeded, value
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

NON_BLOCKING = 1
FAR = 200
"""Calls between work and the reading of its result; beyond it nothing is inferred."""


COPIES = ("cudaMemcpy", "cudaMemcpy2D")
"""They wait for the default stream; with Async at the end they do not."""


def _to_host(call: Call) -> bool:
    return call.name.startswith("cudaMemcpy") and call.args.get("kind") == "cudaMemcpyDeviceToHost"


def _waits(call: Call, stream: object) -> bool:
    """Whether a call waits for the work on a stream."""
    if not succeeded(call):
        return False
    if call.name in ("cudaDeviceSynchronize", "cudaDeviceReset", "cudaEventSynchronize", "cudaFree", "cudnnDestroy"):
        return True
    if call.name in ("cudaStreamSynchronize", "cudaStreamQuery"):
        return value(call, "stream").get("id") == stream
    return call.name == "cudaEventQuery" or (call.name in COPIES and stream == "default")


@rule("not_synchronised_before_read", "handles", at_end=True)
def not_synchronised_before_read(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Results are read on the host before the work that makes them is known to be finished."""
    free_running = _non_blocking(calls)
    found = []
    for case in calls.by_case.values():
        for position, call in enumerate(case):
            if _to_host(call) and call.name.endswith("Async") and succeeded(call):
                stream = value(call, "stream").get("id")
                if not any(_waits(later, stream) for later in case[position + 1 :]):
                    found.append(finding("not_synchronised_before_read", call, stream=stream))
            elif _to_host(call) and call.name in COPIES:
                found += _unfinished(call, case[:position], free_running)
    return found


def _non_blocking(calls: Calls) -> set[object]:
    """Streams that the default stream does not wait for."""
    made = [c for c in calls.own if c.name == "cudaStreamCreateWithFlags" and c.args.get("flags") == NON_BLOCKING]
    return {out.get("id") for c in made for out in c.outs.values() if isinstance(out, dict)}


def _unfinished(copy: Call, earlier: Sequence[Call], free_running: set[object]) -> list[Finding]:
    """A copy on the default stream after work on a stream that it does not wait for."""
    for call in reversed(earlier[-FAR:]):
        stream = stream_of(call)
        if is_compute(call.name) and stream in free_running:
            after = [other for other in earlier[-FAR:] if other.index > call.index]
            waited = any(_waits(other, stream) or other.name == "cudaStreamWaitEvent" for other in after)
            data = {"stream": stream, "work": call.name}
            return [] if waited else [finding("not_synchronised_before_read", copy, **data)]
    return []


@rule("never_synchronised", "handles", at_end=True, on_request=True)
def never_synchronised(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The program never waits for its last work."""
    found = []
    for case in calls.by_case.values():
        work = [call for call in case if is_compute(call.name) and succeeded(call)]
        if not work:
            continue
        stream = stream_of(work[-1])
        if not any(_waits(other, stream) for other in case if other.index > work[-1].index):
            found.append(finding("never_synchronised", work[-1], stream=stream))
    return found


@rule("event_not_recorded", "handles")
def event_not_recorded(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Time is taken, or waited for, with an event that was never recorded."""
    found = []
    mine = {life.id for life in calls.lives if life.kind == "event"}
    recorded: set[object] = set()
    for call in calls:
        if call.name == "cudaEventRecord" and succeeded(call):
            recorded.add(value(call, "event").get("id"))
        elif call.case and call.name in ("cudaEventElapsedTime", "cudaEventSynchronize", "cudaStreamWaitEvent"):
            for name in ("start", "end", "event"):
                event = value(call, name).get("id")
                if event in mine and event not in recorded:
                    found.append(finding("event_not_recorded", call, argument=name, id=event))
    return found


@rule("sets_stream_missing", "handles", at_end=True)
def sets_stream_missing(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A stream is created and waited for, but nothing was ever put on it: the handle still works on another."""
    work = next((call for call in calls.own if is_compute(call.name)), None)
    found = []
    for life in calls.lives if work else ():
        uses = [use for use in life.uses if not is_destroy(use.name)]
        waits = [use for use in uses if use.name in ("cudaStreamSynchronize", "cudaStreamQuery") and not failed(use)]
        if life.kind == "stream" and waits and len(waits) == len(uses):
            found.append(finding("sets_stream_missing", waits[0], id=life.id))
    return found
