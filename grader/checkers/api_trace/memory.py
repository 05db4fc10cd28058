"""Rules on pointers and on what the simulator saw of memory."""

from collections.abc import Sequence

from grader.checkers.api_trace.facts import (
    Calls,
    Value,
    described,
    failed,
    integer,
    is_compute,
    noted,
    objects,
    outputs,
    roles,
    sizes,
    value,
)
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

ELEMENT_BYTES = {"FLOAT": 4, "DOUBLE": 8, "HALF": 2, "BFLOAT16": 2, "INT8": 1, "UINT8": 1, "INT32": 4, "INT64": 8}


@rule("host_pointer_given", "forward-convolution")
def host_pointer_given(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Host memory is given where cuDNN wants device memory."""
    found = []
    for call in calls.own:
        if not is_compute(call.name):
            continue
        for name, role in roles(call.name).items():
            if role == "device" and value(call, name).get("kind") == "host":
                found.append(finding("host_pointer_given", call, argument=name))
    return found


@rule("host_dereference", "status-and-errors")
def host_dereference(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The program itself reads or writes device memory (the simulator sees the access)."""
    found = []
    for note, _ in noted(calls, notes, "host_dereference"):
        entry = finding("host_dereference", None, access=str(note.get("access", "read")))
        entry.line = integer(note.get("line")) or 0
        found.append(entry)
    return found


def extent_bytes(descriptor: Value) -> int:
    """Bytes from the first element of a tensor or filter to the end of the last; 0 where the content tells nothing."""
    dims = sizes(descriptor)
    element = ELEMENT_BYTES.get(str(descriptor.get("dtype")), 0)
    if not dims or any(n <= 0 for n in dims) or not element:
        return 0
    if descriptor.get("kind") == "filter":
        count = 1
        for n in dims:
            count *= n
        return count * element
    strides = sizes(descriptor, "strides")
    if len(strides) != len(dims) or any(s < 0 for s in strides):
        return 0
    return (1 + sum((n - 1) * s for n, s in zip(dims, strides, strict=True))) * element


@rule("buffer_too_small", "tensor-descriptors")
def buffer_too_small(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A buffer has fewer bytes than its descriptor says, or a copy goes beyond the end of one."""
    found = []
    for call in calls.own:
        for name, of in described(call.name).items() if is_compute(call.name) else ():
            room = _room(value(call, name))
            needed = extent_bytes(value(call, of))
            if room is not None and room < needed:
                data = {"argument": name, "descriptor": of, "bytes": room, "needed": needed}
                found.append(finding("buffer_too_small", call, **data))
    seen = {entry.call for entry in found}
    for note, owner in noted(calls, notes, "out_of_bounds", "copy_out_of_bounds"):
        if note.get("argument") == "workSpace":
            continue  # workspace_too_small says it better
        if owner is None or owner.index not in seen:
            found.append(_overrun(note, owner))
    return found


def _overrun(note: Note, call: Call | None) -> Finding:
    room = (integer(note.get("buffer_bytes")) or 0) - (integer(note.get("offset")) or 0)
    data: dict[str, int | str] = {"bytes": max(room, 0), "needed": integer(note.get("bytes")) or 0}
    if argument := note.get("argument"):
        data["argument"] = str(argument)
    entry = finding("buffer_too_small", call, **data)
    if call is None:
        entry.data["function"] = str(note.get("function", ""))
    return entry


def _room(pointer: Value) -> int | None:
    """Bytes from the pointer to the end of its buffer; None where the recorder does not know."""
    size, offset = integer(pointer.get("bytes")), integer(pointer.get("offset"))
    if pointer.get("kind") != "device" or size is None or offset is None or pointer.get("live") is False:
        return None
    return max(size - offset, 0)


@rule("uninitialised_read", "forward-convolution")
def uninitialised_read(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A call reads device memory that nothing was written to (the simulator sees it)."""
    found = []
    missed = {buffer: call for call in calls.own if is_compute(call.name) and failed(call) for buffer in _written(call)}
    for note, owner in noted(calls, notes, "uninitialised_read"):
        argument = str(note.get("argument", ""))
        if owner is not None and (_adds_old(owner, argument) or any(d.get("id") in missed for _, d in objects(owner))):
            continue  # beta_nonzero_on_fresh_output or status_ignored say it better
        entry = finding("uninitialised_read", owner, argument=argument)
        entry.data["function"] = str(note.get("function", ""))
        found.append(entry)
    return found


def _adds_old(call: Call, argument: str) -> bool:
    if argument == "dweightSpace":
        return True  # rnn_gradient_not_cleared
    return argument == "y" and call.args.get("beta") not in (0, None)


def _written(call: Call) -> list[str]:
    """Buffers that a call would have written."""
    return [str(value(call, name)["id"]) for name in outputs(call.name) if "id" in value(call, name)]


@rule("not_an_object", "tensor-descriptors")
def not_an_object(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Something that is no handle or descriptor of the kind is given as one (the simulator sees it)."""
    found = []
    for note, owner in noted(calls, notes, "not_an_object"):
        entry = finding("not_an_object", owner, kind=str(note.get("kind", "")))
        entry.data["function"] = str(note.get("function", ""))
        found.append(entry)
    return found
