"""Element types as the exercise names them, and as NumPy holds them. bfloat16 is held as its 16 bits."""

import numpy as np
from numpy.typing import NDArray

_STORAGE = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": np.uint16,
    "int64": np.int64,
    "int32": np.int32,
    "int8": np.int8,
    "uint8": np.uint8,
}
_SIGNALLING = {
    "float64": bytes.fromhex("a5a5a5a5a5a5f5ff"),
    "float32": bytes.fromhex("a5a5a5ff"),
    "float16": bytes.fromhex("a5fd"),
    "bfloat16": bytes.fromhex("a5ff"),
}
"""Bytes of a signalling NaN, in the order of this machine's memory (little-endian)."""
INTEGERS = frozenset({"int64", "int32", "int8", "uint8"})


def storage_dtype(name: str) -> "np.dtype[np.generic]":
    """NumPy type that holds elements of `name`. Raises ValueError for an unknown name."""
    if name not in _STORAGE:
        raise ValueError(f"unknown element type {name[:40]!r}; known: {', '.join(_STORAGE)}")
    return np.dtype(_STORAGE[name])


def encode(values: NDArray[np.float64], dtype: str) -> NDArray[np.generic]:
    """`values` rounded to the element type (to nearest, ties to even), in storage form, C order."""
    storage = storage_dtype(dtype)
    if dtype == "bfloat16":
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    if dtype in INTEGERS:
        limits = np.iinfo(storage.name)
        values = np.clip(np.rint(values), float(limits.min), float(limits.max))
    return np.ascontiguousarray(values).astype(storage)


def decode(stored: NDArray[np.generic], dtype: str) -> NDArray[np.float64]:
    """Values of a storage array as float64 (exact for every type but int64 beyond 2^53)."""
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        if dtype == "bfloat16":
            return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return stored.astype(np.float64)


def from_bytes(data: bytes, dtype: str, shape: tuple[int, ...]) -> NDArray[np.generic]:
    """Array over raw bytes. Raises ValueError where the length does not fit."""
    return np.frombuffer(data, storage_dtype(dtype)).reshape(shape)


def unwritten(shape: tuple[int, ...], dtype: str) -> NDArray[np.generic]:
    """An output before the learner's code: in floating types a NaN that no computation gives.

    It is a signalling one, and arithmetic gives quiet ones, so its bits tell what was never written.
    """
    storage = storage_dtype(dtype)
    bits = _SIGNALLING.get(dtype, bytes([0xA5]) * storage.itemsize)
    return np.frombuffer(bits, storage).repeat(int(np.prod(shape))).reshape(shape)
