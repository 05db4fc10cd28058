"""What rules ask of a trace: objects and their lives, descriptors in arguments, groups of functions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from grader.contract.api import load_api
from grader.contract.verdict import Call

Value = dict[str, Any]
"""A decoded argument with a `kind`: descriptor, handle, stream, event or pointer."""

MANY = 3
"""Lives of one kind, one after another, that show a loop rather than a few layers."""

EXECUTE = "cudnnBackendExecute"
"""Starts a graph; which memory it works on is in a variant pack."""

FREES = ("cudaFree", "cudaFreeAsync", "cudaFreeHost")
MEMORY = ("device", "pinned")


@dataclass(slots=True)
class Life:
    """One object or buffer that the program created."""

    id: str
    kind: str
    created: Call
    destroyed: Call | None = None
    uses: list[Call] = field(default_factory=list)


class Calls(tuple[Call, ...]):
    """Calls in order, with what many rules ask of all of them, worked out once."""

    @cached_property
    def own(self) -> list[Call]:
        """The learner's calls: those in a case."""
        return [call for call in self if call.case]

    @cached_property
    def computing(self) -> list[Call]:
        """The learner's calls that start work on device memory."""
        return [call for call in self.own if is_compute(call.name)]

    @cached_property
    def by_case(self) -> dict[str, "Calls"]:
        """The learner's calls of each case."""
        cases: dict[str, list[Call]] = {}
        for call in self.own:
            cases.setdefault(call.case, []).append(call)
        return {case: Calls(calls) for case, calls in cases.items()}

    @cached_property
    def lives(self) -> list[Life]:
        """Everything that the learner's calls created, with how each ended, in the order of creation."""
        found: dict[str, Life] = {}
        for call in self:
            for _, argument in objects(call):
                if life := found.get(str(argument.get("id"))):
                    _live_on(life, call)
            if call.name == "cudaDeviceReset" and succeeded(call):
                for life in found.values():
                    if life.kind in (*MEMORY, "stream", "event"):
                        life.destroyed = life.destroyed or call
            if call.case:
                _enter(found, call)
        return list(found.values())


def succeeded(call: Call) -> bool:
    return call.status == 0


def failed(call: Call) -> bool:
    return call.status not in (0, None)


@cache
def roles(function: str) -> dict[str, str]:
    """Parameter → role in the API table; empty for an unknown function."""
    known = load_api().functions.get(function)
    return {p.name: p.role for p in known.parameters} if known else {}


@cache
def is_compute(function: str) -> bool:
    """Whether the function starts work on device memory."""
    known = load_api().functions.get(function)
    if known is None or known.library != "cudnn" or function.startswith("cudnnFind"):
        return False
    writes = {p.access for p in known.parameters if p.role == "device"}
    return "handle" in roles(function).values() and bool(writes & {"out", "inout"})


@cache
def outputs(function: str) -> tuple[str, ...]:
    """Device parameters that the function writes, workspaces apart."""
    known = load_api().functions.get(function)
    found = [p.name for p in known.parameters if p.role == "device" and p.access in ("out", "inout")] if known else []
    return tuple(found)


def is_destroy(name: str) -> bool:
    return "Destroy" in name


def ends_a_life(name: str) -> bool:
    """Whether a function destroys or frees something."""
    return is_destroy(name) or name in FREES or name == "cudaDeviceReset"


def objects(call: Call) -> Iterator[tuple[str, Value]]:
    """Arguments of the call that are objects or pointers, by parameter."""
    for name, value in call.args.items():
        if isinstance(value, dict) and isinstance(value.get("kind"), str):
            yield name, value


def value(call: Call, name: str) -> Value:
    """The object given for a parameter; empty where there is none."""
    found = call.args.get(name)
    return found if isinstance(found, dict) else {}


def integer(found: Any) -> int | None:
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def sizes(descriptor: Value, key: str = "dims") -> list[int]:
    """Numbers in a descriptor; empty where it has none, or anything but numbers."""
    found = descriptor.get(key)
    if not isinstance(found, list) or not all(integer(item) is not None for item in found):
        return []
    return found


def _live_on(life: Life, call: Call) -> None:
    if is_destroy(call.name) or call.name in FREES:
        # Also where it fails: after a fault of the device every call does, and the program has done its part.
        life.destroyed = life.destroyed or call
    else:
        life.uses.append(call)


def _enter(found: dict[str, Life], call: Call) -> None:
    creates = "Create" in call.name or "Malloc" in call.name or call.name == "cudaHostAlloc"
    for out in call.outs.values() if creates and succeeded(call) else ():
        if isinstance(out, dict) and isinstance(out.get("id"), str) and out["id"] != "default":
            found[out["id"]] = Life(out["id"], str(out.get("kind")), call)


def in_turn(found: list[Life]) -> list[Life]:
    """Lives that begin only after the one before has ended, on one thread."""
    chain: list[Life] = []
    for life in found:
        previous = chain[-1] if chain else None
        if previous is None or (
            previous.destroyed is not None
            and previous.destroyed.index < life.created.index
            and previous.created.thread == life.created.thread
        ):
            chain.append(life)
    return chain


def written(call: Call) -> list[str]:
    """Buffers that a call may write into, or hand to a graph that does."""
    if call.name == "cudnnBackendSetAttribute":
        given = call.args.get("arrayOfElements")
        pointers = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
        return [str(pointer["id"]) for pointer in pointers if pointer.get("kind") in MEMORY and "id" in pointer]
    known = load_api().functions.get(call.name)
    names = [p.name for p in known.parameters if p.access != "in"] if known and call.name not in FREES else []
    return [str(value(call, name)["id"]) for name in names if "id" in value(call, name)]


@cache
def family(name: str) -> str:
    """What belongs to one operation: Forward, BackwardData or BackwardFilter of a convolution; "" for others."""
    if "Convolution" not in name or name.startswith(("cudnnSet", "cudnnCreate", "cudnnDestroy")):
        return ""
    for operation in ("BackwardData", "BackwardFilter", "Forward"):
        if operation in name:
            return operation
    return ""


CONTENT = ("dims", "strides", "format", "dtype", "pad", "stride", "dilation", "mode", "groups", "window")


def content(descriptor: Value) -> tuple[Any, ...]:
    """What a descriptor says, without its identity, as something comparable."""
    return tuple(repr(descriptor.get(key)) for key in CONTENT)


def stream_of(call: Call) -> str:
    """Id of the stream that the call's handle works on."""
    stream = value(call, "handle").get("stream")
    found = stream.get("id") if isinstance(stream, dict) else stream
    return found if isinstance(found, str) and found else "default"


def shape_key(call: Call) -> tuple[Any, ...]:
    """Contents of all descriptors that a call was given, in order."""
    kinds = {"tensor", "filter", "convolution", "pooling"}
    return tuple(content(argument) for _, argument in objects(call) if argument["kind"] in kinds)


def noted(calls: Sequence[Call], notes: Sequence[Value], *names: str) -> Iterator[tuple[Value, Call | None]]:
    """Notes of these names that belong to the learner's calls, with the call."""
    by_index = {call.index: call for call in calls}
    for note in notes:
        if note.get("note") in names and note.get("case"):
            number = integer(note.get("call"))
            yield note, by_index.get(number) if number is not None else None


@cache
def described(function: str) -> dict[str, str]:
    """Device parameter → the descriptor of its contents."""
    known = load_api().functions.get(function)
    kinds = roles(function)
    pairs = {p.name: p.of[0] for p in known.parameters if p.role == "device" and p.of} if known else {}
    return {name: of for name, of in pairs.items() if kinds.get(of) == "descriptor"}
