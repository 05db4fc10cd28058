"""Python classes for the C types: enums, opaque objects, device pointers and structs."""

import ctypes
import struct
from enum import IntEnum
from typing import Any

from libcudnn._table import ENUMS, OPAQUES, STRUCTS

INTEGERS = {
    "char": ctypes.c_char,
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "unsigned": ctypes.c_uint,
    "unsigned int": ctypes.c_uint,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "unsigned long long": ctypes.c_ulonglong,
}
FLOATS = {"float": ctypes.c_float, "double": ctypes.c_double}

ENUM_TYPES: dict[str, type[IntEnum]] = {name: IntEnum(name, values) for name, (_, values) in ENUMS.items()}


class Opaque(int):
    """The address of something that the library keeps to itself. Zero is NULL."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({hex(self)})"


OPAQUE_TYPES: dict[str, type[Opaque]] = {name: type(name, (Opaque,), {"__slots__": ()}) for name in OPAQUES}


class DevicePointer(int):
    """An address in device memory; adding bytes gives another one."""

    def __repr__(self) -> str:
        return f"DevicePointer({hex(self)})"

    def __add__(self, offset: int) -> "DevicePointer":
        return DevicePointer(int(self) + offset)


def c_type(base: str) -> Any:
    """ctypes type of a value: an enum is an int, an opaque object an address."""
    if base in ENUM_TYPES:
        return ctypes.c_int
    return INTEGERS.get(base) or FLOATS.get(base) or ctypes.c_void_p


def from_c(base: str, value: Any) -> Any:
    """A C value as Python shows it: an enumerator where the enum has it, an object of its class."""
    if base in ENUM_TYPES:
        return enumerator(base, value)
    if base in OPAQUE_TYPES:
        return OPAQUE_TYPES[base](value or 0)
    return value


def enumerator(enum: str, value: int) -> int:
    try:
        return ENUM_TYPES[enum](value)
    except ValueError:
        return value


class Record:
    """A C struct, read once into attributes."""

    def __init__(self, type_name: str, memory: bytes) -> None:
        self._type_name = type_name
        for name, base, offset, count in STRUCTS[type_name][1]:
            if name != "reserved":
                setattr(self, name, _field(base, memory, offset, count))

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={getattr(v, 'name', v)}" for k, v in vars(self).items() if k != "_type_name")
        return f"{self._type_name}({fields})"


_FORMATS = {"float": "f", "double": "d", "size_t": "Q", "unsigned long long": "Q", "int64_t": "q", "unsigned": "I",
            "unsigned int": "I", "uint32_t": "I", "int": "i", "int32_t": "i"}  # fmt: skip


def _field(base: str, memory: bytes, offset: int, count: int) -> Any:
    if base == "char":
        return memory[offset : offset + count].split(b"\0")[0].decode("utf-8", "replace")
    pointer = base.endswith("*") or base in OPAQUE_TYPES
    code = "Q" if pointer else _FORMATS.get(base, "i")
    values = [from_c(base, value) for value in struct.unpack_from(f"<{count}{code}", memory, offset)]
    return values[0] if count == 1 else tuple(values)


def struct_size(type_name: str) -> int:
    return int(STRUCTS[type_name][0])
