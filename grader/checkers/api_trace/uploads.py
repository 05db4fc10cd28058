"""Outputs of the exercise's function that were copied from host memory, where cuDNN was to compute them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from grader.checkers.api_trace.facts import (
    EXECUTE,
    Calls,
    Value,
    integer,
    is_compute,
    outputs,
    succeeded,
    value,
    written,
)
from grader.checkers.api_trace.rule import Note
from grader.contract.verdict import Call, Finding

OUTPUT_FROM_THE_HOST = "output_from_the_host"
"""Code of the finding about an output whose last content comes from host memory."""

COPIES = ("cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync")


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy into device memory. call: None where CuPy's stand-in made it, which the trace has as a note."""

    target: str
    source: str | None
    """Id of the device buffer that is read; None for host memory."""
    whole: bool
    line: int
    call: Call | None = None


@dataclass(slots=True)
class Contents:
    """Which device buffers hold what came from the host, by the copy that brought it."""

    uploads: dict[str, Copy] = field(default_factory=dict)
    packs: dict[str, set[str]] = field(default_factory=dict)
    """Variant pack → buffers that its graph works on."""

    def copied(self, copy: Copy) -> None:
        if copy.source is None or copy.source in self.uploads:
            self.uploads[copy.target] = copy
        elif copy.whole:
            self.uploads.pop(copy.target, None)

    def called(self, call: Call) -> None:
        if copy := _copy(call):
            self.copied(copy)
        elif call.name == "cudaMallocManaged" and (buffer := _id(call.outs.get("devPtr"))):
            self.uploads[buffer] = Copy(buffer, None, True, call.line, call)
        elif call.name == "cudnnBackendSetAttribute":
            self.packs.setdefault(str(value(call, "descriptor").get("id")), set()).update(written(call))
        for buffer in self._computed(call):
            self.uploads.pop(buffer, None)

    def _computed(self, call: Call) -> Collection[str]:
        if call.name == EXECUTE:
            return self.packs.get(str(value(call, "variantPack").get("id")), set())
        return [str(value(call, name).get("id")) for name in outputs(call.name)] if is_compute(call.name) else []


def outputs_from_the_host(calls: Sequence[Call], notes: Sequence[Note], names: Collection[str]) -> list[Finding]:
    """Outputs into which the last copy came from the host, and no cuDNN call wrote after it.

    names: the function's arguments that are device memory to be computed by cuDNN. One finding a case and argument.
    """
    found = []
    for case, own in Calls(calls).by_case.items() if names else ():
        contents = Contents()
        for step in _in_order(own, [note for note in notes if note.get("case") == case]):
            contents.called(step) if isinstance(step, Call) else contents.copied(step)
        for name in names:
            if copy := contents.uploads.get(name):
                data = {"function": copy.call.name} if copy.call else {}
                index = copy.call.index if copy.call else None
                found.append(Finding(OUTPUT_FROM_THE_HOST, "required", index, copy.line, data | {"argument": name}))
    return found


def _in_order(calls: Calls, notes: Sequence[Note]) -> Iterator[Call | Copy]:
    """Successful calls, and noted copies each behind the call that was the last before it."""
    copies = [(integer(note.get("call")), copy) for note in notes if (copy := _noted(note))]
    for call in calls:
        while copies and (copies[0][0] is None or copies[0][0] < call.index):
            yield copies.pop(0)[1]
        if succeeded(call):
            yield call
    yield from (copy for _, copy in copies)


def _id(found: object) -> str | None:
    """Id of a device buffer."""
    return str(found.get("id")) if isinstance(found, dict) and found.get("kind") == "device" else None


def _copy(call: Call) -> Copy | None:
    target = _id(value(call, "dst")) if call.name in COPIES else None
    if target is None:
        return None
    kind, source = call.args.get("kind"), _id(value(call, "src"))
    from_host = kind == "cudaMemcpyHostToDevice" or source is None
    whole = _whole(value(call, "dst"), call.args.get("count"))
    return Copy(target, None if from_host else source, whole, call.line, call)


def _noted(note: Note) -> Copy | None:
    target = _id(note.get("dst")) if note.get("note") == "copied" else None
    if target is None:
        return None
    whole = _whole(note["dst"], note.get("bytes"))
    return Copy(target, _id(note.get("src")), whole, integer(note.get("line")) or 0)


def _whole(target: Value, count: object) -> bool:
    """Whether a copy of so many bytes replaces all of a buffer."""
    return integer(target.get("offset")) == 0 and (integer(count) or 0) >= (integer(target.get("bytes")) or 0) > 0
