"""Calls cuDNN's C functions through ctypes, on the simulator or on a GPU, and keeps what came back by name.

Nothing here checks anything: `record.py` stores the results of a GPU, the tests compare the simulator's with them.
"""

import ctypes
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

FLOAT, DOUBLE, HALF, INT8, INT32, INT8X4, UINT8, BF16 = 0, 1, 2, 3, 4, 5, 6, 9
NCHW, NHWC = 0, 1
STORAGE: dict[int, Any] = {
    FLOAT: np.float32,
    DOUBLE: np.float64,
    HALF: np.float16,
    INT8: np.int8,
    INT32: np.int32,
    INT8X4: np.int8,
    UINT8: np.uint8,
    BF16: np.uint16,
    10: np.int64,
}
NAMES = {FLOAT: "f32", DOUBLE: "f64", HALF: "f16", INT8: "i8", INT32: "i32", INT8X4: "i8x4", UINT8: "u8", BF16: "bf16"}
Array = npt.NDArray[Any]
CTYPES = {
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "unsigned": ctypes.c_uint,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "unsigned long long": ctypes.c_ulonglong,
    "unsigned int": ctypes.c_uint,
}


def to_storage(values: Array, dtype: int) -> Array:
    """Float values as the type's elements; bfloat16 as its bits, rounded to nearest even."""
    if dtype == BF16:
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.ascontiguousarray(values).astype(STORAGE[dtype])


def to_float(stored: Array, dtype: int) -> Array:
    """Elements of the type as float64."""
    if dtype == BF16:
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return stored.astype(np.float64)


@dataclass(frozen=True)
class Buffer:
    """Device memory: its address, number of elements and element type."""

    address: int
    count: int
    dtype: int


class Library:
    """The functions of one cuDNN and CUDA runtime, typed by the API table."""

    def __init__(self, cudnn: Path, cudart: Path, table: Path) -> None:
        self._runtime = ctypes.CDLL(str(cudart), mode=ctypes.RTLD_GLOBAL)
        self._cudnn = ctypes.CDLL(str(cudnn))
        api = json.loads(table.read_text("utf-8"))
        enums = {enum["name"] for enum in api["enums"]}
        for function in api["functions"]:
            source = self._cudnn if function["library"] == "cudnn" else self._runtime
            call = getattr(source, function.get("symbol") or function["name"], None)
            if call is None:
                continue
            call.argtypes = [_argument(p["type"], enums) for p in function["parameters"]]
            call.restype = ctypes.c_size_t if function["returns"] == "size_t" else ctypes.c_int
            setattr(self, function["name"], call)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name} is not exported or not in the API table")


def _argument(text: str, enums: set[str]) -> Any:
    base = text.replace("const ", "").replace(" const", "").strip()
    if base in enums or base in ("cudaError_t", "libraryPropertyType"):
        return ctypes.c_int
    return CTYPES.get(base, ctypes.c_void_p)


class DeviceFault(RuntimeError):
    """The device reported an error that no later call can undo."""


@dataclass
class Session:
    """One handle and the results by name. Inputs are drawn from a generator of a fixed seed."""

    lib: Library
    results: dict[str, Any] = field(default_factory=dict)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(20250601))
    keep: list[Any] = field(default_factory=list)
    log: IO[str] | None = None
    skip: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        handle = ctypes.c_void_p()
        status = self.lib.cudnnCreate(ctypes.byref(handle))
        if status:
            raise RuntimeError(f"cudnnCreate: {status}")
        self.handle = handle.value

    # ---- device memory
    def upload(self, values: Any, dtype: int = FLOAT) -> Buffer:
        stored = to_storage(np.asarray(values), dtype).ravel()
        pointer = ctypes.c_void_p()
        status = self.lib.cudaMalloc(ctypes.byref(pointer), max(stored.nbytes, 1))
        status = status or self.lib.cudaMemcpy(pointer, stored.ctypes.data, stored.nbytes, 1)
        if status:
            raise RuntimeError(f"upload: {status}")
        return Buffer(pointer.value or 0, stored.size, dtype)

    def values(self, count: int, dtype: int = FLOAT, low: float = -1, high: float = 1) -> Array:
        """Random values that the type holds exactly, as float64."""
        if dtype in (INT8, INT32, INT8X4, UINT8):
            whole = self.random.integers(0 if dtype == UINT8 else -9, 10, count)
            return whole.astype(np.float64)
        return to_float(to_storage(self.random.uniform(low, high, count), dtype), dtype)

    def random_buffer(self, count: int, dtype: int = FLOAT, low: float = -1, high: float = 1) -> Buffer:
        return self.upload(self.values(count, dtype, low, high), dtype)

    def filled(self, count: int, dtype: int = FLOAT, value: float = 7) -> Buffer:
        return self.upload(np.full(count, value), dtype)

    def space(self, size: int) -> int | None:
        """A workspace of so many bytes; null for 0."""
        return self.upload(np.zeros(size), UINT8).address if size > 0 else None

    def download(self, buffer: Buffer) -> Array:
        stored = np.empty(buffer.count, STORAGE[buffer.dtype])
        status = self.lib.cudaMemcpy(stored.ctypes.data, buffer.address, stored.nbytes, 2)
        if status:
            raise RuntimeError(f"download: {status}")
        return to_float(stored, buffer.dtype)

    # ---- arguments
    def scalar(self, value: float, dtype: int = FLOAT) -> int:
        """Host address of alpha or beta for tensors of this type."""
        memory = (ctypes.c_double if dtype == DOUBLE else ctypes.c_float)(value)
        self.keep.append(memory)
        return ctypes.addressof(memory)

    def ints(self, values: Sequence[int]) -> int:
        memory = (ctypes.c_int * max(len(values), 1))(*values)
        self.keep.append(memory)
        return ctypes.addressof(memory)

    def create(self, kind: str) -> int:
        """A new descriptor, e.g. of kind "Tensor"."""
        pointer = ctypes.c_void_p()
        status = getattr(self.lib, f"cudnnCreate{kind}Descriptor")(ctypes.byref(pointer))
        if status or not pointer.value:
            raise RuntimeError(f"cudnnCreate{kind}Descriptor: {status}")
        return pointer.value

    def tensor(self, dtype: int, dims: Sequence[int], layout: int | Sequence[int] = NCHW) -> int:
        """A tensor descriptor; `layout` is a format or strides."""
        desc = self.create("Tensor")
        if isinstance(layout, int):
            status = self.lib.cudnnSetTensorNdDescriptorEx(desc, layout, dtype, len(dims), self.ints(dims))
        else:
            status = self.lib.cudnnSetTensorNdDescriptor(desc, dtype, len(dims), self.ints(dims), self.ints(layout))
        if status:
            raise RuntimeError(f"tensor {dtype} {dims} {layout}: {status}")
        return desc

    def filter(self, dtype: int, dims: Sequence[int], layout: int = NCHW) -> int:
        desc = self.create("Filter")
        status = self.lib.cudnnSetFilterNdDescriptor(desc, dtype, layout, len(dims), self.ints(dims))
        if status:
            raise RuntimeError(f"filter {dtype} {dims}: {status}")
        return desc

    def activation(self, mode: int, coef: float = 0.0, propagate: int = 0) -> int:
        desc = self.create("Activation")
        self.lib.cudnnSetActivationDescriptor(desc, mode, propagate, coef)
        return desc

    # ---- results
    def call(self, key: str, function: str, *arguments: Any) -> int:
        """Calls, and keeps the status under `key`. A call that once ended the process or the device is left out."""
        if key in self.skip:
            return -1
        self._note("begin", key, 0)
        status = int(getattr(self.lib, function)(*arguments))
        self.put(key, status)
        fault = self.lib.cudaDeviceSynchronize()
        if fault:
            self._note("fault", key, [status, int(fault)])
            raise DeviceFault(f"{key}: {fault}")
        return status

    def attempt(self, key: str, action: Callable[..., Any], *arguments: Any) -> Any:
        """Keeps what `action` returns; left out where it once ended the process."""
        if key in self.skip:
            return None
        self._note("begin", key, 0)
        value = action(*arguments)
        self.put(key, value)
        return value

    def put(self, key: str, value: Any) -> None:
        if key in self.results:
            raise KeyError(f"two results are named {key}")
        self.results[key] = value
        self._note("result", key, value)

    def _note(self, kind: str, key: str, value: Any) -> None:
        if self.log:
            self.log.write(json.dumps([kind, key, value]) + "\n")
            self.log.flush()

    def size(self, key: str, function: str, *arguments: Any) -> int:
        """Calls a query whose last argument is a size_t; keeps [status, size]."""
        size = ctypes.c_size_t(12345)
        if key in self.skip:
            return 0
        self._note("begin", key, 0)
        status = int(getattr(self.lib, function)(*arguments, ctypes.byref(size)))
        self.put(key, [status, size.value])
        return size.value if status == 0 else 0

    def output(self, key: str, status: int, buffer: Buffer) -> None:
        """Keeps the contents of a buffer if the call succeeded."""
        if status == 0:
            self.put(f"{key} →", [buffer.dtype, [float(f"{v:.9g}") for v in self.download(buffer)]])


def count_of(dims: Sequence[int]) -> int:
    return int(np.prod(dims))
