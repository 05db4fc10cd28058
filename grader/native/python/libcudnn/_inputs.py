"""Python arguments → what ctypes passes. Every converter takes the value, the other arguments by name, and says in a
TypeError what the parameter expects."""

import ctypes
import operator
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from libcudnn import _native
from libcudnn._types import (
    ENUM_TYPES,
    FLOATS,
    INTEGERS,
    OPAQUE_TYPES,
    Opaque,
    Record,
    c_type,
    enumerator,
    struct_size,
)

Bound = dict[str, Any]
Converter = Callable[[Any, Bound], Any]

CUDNN_DATA = {0: ctypes.c_float, 1: ctypes.c_double, 3: ctypes.c_int8, 4: ctypes.c_int32, 6: ctypes.c_uint8,
              10: ctypes.c_int64}  # fmt: skip
"""cudnnDataType_t → type of one element; HALF and BFLOAT16 go through NumPy bits."""


def expected(what: str, value: Any, hint: str = "") -> TypeError:
    return TypeError(f"must be {what}, not {type(value).__name__}{hint}")


def converter(base: str, pointers: int, role: str, of: Sequence[str]) -> Converter:
    """Converter for a parameter of the API table."""
    if role in ("handle", "descriptor", "event"):
        return lambda value, _: opaque(base, value)
    if role == "stream":
        return lambda value, _: stream(value)
    if role == "enum":
        return lambda value, _: enum(base, value)
    if role == "value":
        return (lambda value, _: real(base, value)) if base in FLOATS else (lambda value, _: integer(base, value))
    if role == "scalar":
        return lambda value, bound: scalar(value, _native.library.fp_recorder_dtype(bound.get(of[0]) or 0) == 1)
    if role == "element":
        return lambda value, bound: element(value, _data_type(bound.get(of[0])))
    if role == "callback":
        return callback
    if role == "user_data":
        return lambda value, bound: 0 if any(map(callable, bound.values())) else address(value)
    if role in ("host_array", "host"):
        return lambda value, bound: array(base, value, _length(of, bound))
    return lambda value, _: address(value)


def opaque(base: str, value: Any) -> int:
    if value is None or isinstance(value, OPAQUE_TYPES[base]):
        return value or 0
    if isinstance(value, int) and not isinstance(value, Opaque) and value == 0:
        return 0
    article = "an" if base[0] in "aeiou" else "a"
    raise expected(f"{article} {base}", value, " (arguments in the wrong order?)" if isinstance(value, Opaque) else "")


def stream(value: Any) -> int:
    """None and 0 are the default stream; CuPy's streams carry their address in `ptr`."""
    if value is None:
        return 0
    value = getattr(value, "ptr", value)
    if isinstance(value, int):
        return value
    raise expected("a cudaStream_t, a cupy.cuda.Stream or None", value)


def enum(base: str, value: Any) -> int:
    if isinstance(value, IntEnum):
        if not isinstance(value, ENUM_TYPES[base]):
            raise expected(base, value, f" ({value.name}; arguments in the wrong order?)")
        return int(value)
    return integer("int", value, base)


def integer(base: str, value: Any, name: str = "an integer") -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise expected(name, value) from None
    bits = ctypes.sizeof(INTEGERS[base]) * 8
    signed = base in ("int", "int32_t", "int64_t")
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= number <= high:
        raise OverflowError(f"{number} does not fit {base} ({low} to {high})")
    return number


def real(base: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise expected(f"a number ({base})", value) from None


def scalar(value: Any, double: bool) -> Any:
    """alpha and beta: a Python number takes the type that the tensor asks for, ctypes and NumPy scalars keep theirs."""
    if isinstance(value, np.generic):
        return _bytes_of(value)
    if isinstance(value, int | float) and not isinstance(value, Opaque):
        return ctypes.byref(ctypes.c_double(value) if double else ctypes.c_float(value))
    if value is None or isinstance(value, ctypes._SimpleCData | ctypes.Array | np.ndarray):
        return address(value)
    raise expected("a number, or a ctypes or NumPy scalar of the type you mean", value)


def element(value: Any, data_type: int) -> Any:
    if not isinstance(value, int | float) or isinstance(value, np.generic):
        return scalar(value, False)
    if data_type == 2:
        return _bytes_of(np.float16(value))
    if data_type == 9:
        return _bytes_of(np.uint16(np.float32(value).view(np.uint32) >> 16))
    number = CUDNN_DATA.get(data_type, ctypes.c_float)
    whole = number not in (ctypes.c_float, ctypes.c_double)
    return ctypes.byref(number(int(value) if whole else value))


def _bytes_of(value: np.generic) -> Any:
    memory = value.tobytes()
    return (ctypes.c_char * len(memory)).from_buffer_copy(memory)


def _data_type(of: Any) -> int:
    """Of a descriptor, or the type itself."""
    return int(_native.library.fp_recorder_dtype(of)) if isinstance(of, Opaque) else int(of or 0)


def _length(of: Sequence[str], bound: Bound) -> int:
    lengths = [bound[name] for name in of if isinstance(bound.get(name), int)]
    return max(min(lengths), 0) if lengths else 0


def array(base: str, value: Any, length: int) -> Any:
    """A host array. A shorter one than the call will read would let the library read beyond its end."""
    if value is None or isinstance(value, int | ctypes.Array):
        return address(value)
    try:
        items = list(value)
    except TypeError:
        raise expected(f"a sequence of {base}", value) from None
    if len(items) < length:
        raise ValueError(f"has {len(items)} elements, and the call reads {length}")
    return (c_type(base) * max(len(items), 1))(*(integer("int", item) for item in items))


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_char_p)
_callbacks: list[Any] = []
"""Kept for good: the library may call one at any time."""


def callback(value: Any, bound: Bound) -> Any:
    """A Python function (severity, udata, debug, message), for cudnnSetCallback; udata is the object itself."""
    if value is None or isinstance(value, int):
        return address(value)
    if not callable(value):
        raise expected("a function (severity, udata, debug, message) or None", value)
    udata = bound.get("udata")

    def called(severity: int, _: Any, debug: Any, message: bytes | None) -> None:
        record = Record("cudnnDebug_t", debug[: struct_size("cudnnDebug_t")]) if debug else None
        value(enumerator("cudnnSeverity_t", severity), udata, record, (message or b"").decode("utf-8", "replace"))

    _callbacks.append(_CALLBACK(called))
    return _callbacks[-1]


def address(value: Any) -> int:
    """Address of memory: None is NULL. A NumPy array gives its host address, which is what the C call would get."""
    if value is None:
        return 0
    if isinstance(value, int):
        return int(value)
    if isinstance(value, np.ndarray):
        return int(value.ctypes.data)
    if isinstance(value, np.integer):
        return int(value)
    if (interface := getattr(value, "__cuda_array_interface__", None)) is not None:
        return int(interface["data"][0])
    if isinstance(pointer := getattr(value, "ptr", None), int):
        return pointer
    return _host_address(value)


def _host_address(value: Any) -> int:
    if isinstance(value, ctypes._SimpleCData | ctypes.Array | ctypes.Structure):
        return ctypes.addressof(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return int(np.frombuffer(value, np.uint8).ctypes.data)
    raise expected("a device pointer: an address, a cupy.ndarray, or None for NULL", value)
