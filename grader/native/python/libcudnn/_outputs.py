"""Out-parameters: memory for what a call writes, and what becomes of it as a return value."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from libcudnn._inputs import Bound, address
from libcudnn._types import STRUCTS, DevicePointer, Record, c_type, from_c, struct_size

MAX_ELEMENTS = 1024
"""No C array of the API is longer; a wrong count then costs no memory."""
TEXT_BYTES = 1024

ATTRIBUTE_TYPES = {0: ctypes.c_void_p, 2: ctypes.c_bool, 3: ctypes.c_int64, 4: ctypes.c_float, 5: ctypes.c_double,
                   6: ctypes.c_void_p, 15: ctypes.c_void_p}  # fmt: skip
"""cudnnBackendAttributeType_t → element; the others are enums."""
BACKEND_DESCRIPTOR = 15


@dataclass(frozen=True, slots=True)
class Output:
    """make: arguments by name → ctypes memory. read: memory and all memories by name → the value. given: the caller
    may give elements that the call works on."""

    make: Callable[[Bound], Any]
    read: Callable[[Any, Bound, Bound], Any]
    given: bool = False


def output(base: str, role: str, of: Sequence[str]) -> Output:
    """Output for a parameter of the API table."""
    if role == "pointer_out":
        return Output(lambda _: ctypes.c_void_p(), lambda memory, *_: DevicePointer(memory.value or 0))
    if role == "host_array":
        return Output(lambda bound: _array(c_type(base), of, bound), lambda *found: _read_array(base, of, *found))
    if role == "perf":
        size = struct_size(base)
        return Output(
            lambda bound: (ctypes.c_char * (size * _count(["requestedAlgoCount"], bound)))(),
            lambda memory, _, made: _read_records(base, memory, size, int(made[of[0]].value)),
        )
    if role == "attribute":
        return Output(lambda bound: _make_attribute(of, bound), lambda *found: _read_attribute(of, *found), True)
    if base in STRUCTS:
        size = struct_size(base)
        return Output(lambda _: (ctypes.c_char * size)(), lambda memory, *_: Record(base, memory.raw))
    if role == "element":
        return Output(lambda _: ctypes.c_double(), lambda memory, _, made: _read_element(memory, made[of[0]].value))
    return Output(lambda _: c_type(base)(), lambda memory, *_: from_c(base, memory.value))


def _count(of: Sequence[str], bound: Bound) -> int:
    lengths = [int(bound[name]) for name in of if name in bound]
    return min(max(min(lengths, default=0), 0), MAX_ELEMENTS)


def _array(element: Any, of: Sequence[str], bound: Bound) -> Any:
    return (element * max(_count(of, bound), 1))()


def _read_array(base: str, of: Sequence[str], memory: Any, bound: Bound, made: Bound) -> list[Any]:
    returned = {name: made[name].value for name in of if name in made}
    length = min(_count(of, bound | returned), len(memory))
    return [from_c(base, value) for value in memory[:length]]


def _read_records(base: str, memory: Any, size: int, count: int) -> list[Record]:
    count = min(max(count, 0), len(memory) // size)
    return [Record(base, memory.raw[i * size : (i + 1) * size]) for i in range(count)]


def _read_element(memory: Any, data_type: int) -> float:
    raw = bytes(memory)
    return float(ctypes.c_double.from_buffer_copy(raw).value if data_type == 1 else
                 ctypes.c_float.from_buffer_copy(raw[:4]).value)  # fmt: skip


def _make_attribute(of: Sequence[str], bound: Bound) -> Any:
    """Descriptors that the library fills (results of a heuristic, a configuration's engine) come from the caller."""
    kind = ATTRIBUTE_TYPES.get(int(bound[of[0]]), ctypes.c_int)
    memory = _array(kind, of[1:2], bound)
    items, length = list(bound.get("arrayOfElements") or ()), _count(of[1:2], bound)
    if int(bound[of[0]]) == BACKEND_DESCRIPTOR and len(items) < length:
        raise ValueError(f"must be {length} created descriptors for the call to fill, not {len(items)}")
    for i, item in enumerate(items[: len(memory)]):
        memory[i] = address(item) if kind is ctypes.c_void_p else item
    return memory


def _read_attribute(of: Sequence[str], memory: Any, bound: Bound, made: Bound) -> list[Any]:
    """The elements that were written; descriptors are the caller's own, now filled."""
    count = max(min(int(made[of[2]].value), len(memory)), 0)
    if int(bound[of[0]]) == BACKEND_DESCRIPTOR:
        return list(bound["arrayOfElements"] or ())[:count]
    return list(memory[:count])


def attribute_input(value: Any, bound: Bound) -> Any:
    """Elements for cudnnBackendSetAttribute: one value, a sequence of them, or an address."""
    kind = ATTRIBUTE_TYPES.get(int(bound["attributeType"]), ctypes.c_int)
    if value is None or isinstance(value, ctypes.Array):
        return address(value)
    items = list(value) if isinstance(value, list | tuple) else [value]
    if len(items) < int(bound["elementCount"]):
        raise ValueError(f"has {len(items)} elements, but elementCount is {int(bound['elementCount'])}")
    return (kind * max(len(items), 1))(*(address(item) if kind is ctypes.c_void_p else item for item in items))
