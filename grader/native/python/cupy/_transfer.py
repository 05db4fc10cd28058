"""Copies between strided device memory and NumPy arrays."""

from typing import Any

import numpy as np
from cupy import _runtime
from libcudnn import _native

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3


class _Geometry:
    """Shape, strides and address for NumPy, which computes views from them without touching the memory."""

    def __init__(self, ptr: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        # An address of zero would make NumPy allocate; only arrays without elements have it.
        self.__array_interface__ = {
            "data": (ptr or 1 << 12, False),
            "shape": shape,
            "strides": strides,
            "typestr": dtype.str,
            "version": 3,
        }


def note(target: int, source: int | None, size: int) -> None:
    """Tells the trace of a copy into device memory, which it does not see. source: None for host memory."""
    if target and size:
        _native.mark_line(2)
        _native.library.fp_recorder_copied(target, source, size)


def geometry(ptr: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """A NumPy array at a device address: for slicing and reshaping only, reading it is a fault."""
    return np.asarray(_Geometry(ptr, shape, strides, dtype))


def address(view: Any) -> int:
    return int(view.__array_interface__["data"][0])


def extent(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """Bytes before and behind the first element that the array spans: (lowest offset, one past the highest)."""
    if 0 in shape:
        return 0, 0
    steps = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    return sum(s for s in steps if s < 0), sum(s for s in steps if s > 0) + itemsize


def read(ptr: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """The elements as a NumPy array of the same strides."""
    low, high = extent(shape, strides, dtype.itemsize)
    memory = np.empty(high - low, np.uint8)
    if high > low:
        _runtime.call("cudaMemcpy", memory.ctypes.data, ptr + low, high - low, DEVICE_TO_HOST)
    return np.ndarray(shape, dtype, memory, -low, strides)


def write(ptr: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any], values: Any) -> None:
    """Writes `values`, broadcast and cast to the array; what lies between its elements stays."""
    low, high = extent(shape, strides, dtype.itemsize)
    if high == low:
        return
    memory = np.empty(high - low, np.uint8)
    if high - low != int(np.prod(shape)) * dtype.itemsize:
        _runtime.call("cudaMemcpy", memory.ctypes.data, ptr + low, high - low, DEVICE_TO_HOST)
    np.ndarray(shape, dtype, memory, -low, strides)[...] = values
    _runtime.call("cudaMemcpy", ptr + low, memory.ctypes.data, high - low, HOST_TO_DEVICE)
