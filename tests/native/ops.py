"""Helpers for tests of simulated operations: tensors of any layout, and comparison with float64 references."""

import os
import subprocess
import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.native.h200.session import (
    BF16,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT32,
    Array,
    Buffer,
    Library,
    Session,
    to_float,
    to_storage,
)

ROOT = Path(__file__).resolve().parents[2]
SUCCESS, BAD_PARAM, NOT_SUPPORTED = 0, 2000, 3000
FLOATS = (FLOAT, DOUBLE, HALF, BF16)
TOLERANCE = {FLOAT: 2e-5, DOUBLE: 1e-11, HALF: 3e-3, BF16: 2e-2, INT8: 0.51, INT32: 0.51}
"""Allowed error in units of the largest magnitude; for integers the rounding of one value."""
LAYOUTS = ("nchw", "nhwc", "strided")


@cache
def library() -> Library:
    """The simulated libraries, built where needed; FP_TEST_BUILD names another folder, which is taken as it is."""
    folder = os.environ.get("FP_TEST_BUILD")
    if not folder:
        subprocess.run([sys.executable, "-m", "grader.native.build"], cwd=ROOT, check=True)
    build = Path(folder) if folder else ROOT / "build" / "native"
    names = ("lib/libcudnn.so.9", "lib/libcudart.so.12", "generated/api.json")
    return Library(*(build / name for name in names))


def strides_of(dims: Sequence[int], layout: str) -> tuple[int, ...]:
    """Element strides: "nchw", "nhwc" packed, "strided" row-major with gaps after every row."""
    order = [0, *range(2, len(dims)), 1] if layout == "nhwc" else list(range(len(dims)))
    strides, step = [0] * len(dims), 1
    for d in reversed(order):
        strides[d], step = step, step * dims[d] + (2 if layout == "strided" and d == len(dims) - 1 else 0)
    return tuple(strides)


def extent(dims: Sequence[int], strides: Sequence[int]) -> int:
    return 1 + sum((d - 1) * s for d, s in zip(dims, strides, strict=True))


@dataclass(frozen=True)
class Tensor:
    """A tensor descriptor with memory; `values` are what the memory held when it was made."""

    desc: int
    buffer: Buffer
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    values: Array

    @property
    def at(self) -> int:
        return self.buffer.address


class Ops(Session):
    """A session with tensors. Its device memory and its handle are freed once nobody refers to it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.addresses: list[int] = []
        weakref.finalize(self, _free, self.lib, self.handle, self.addresses)

    def upload(self, values: Any, dtype: int = FLOAT) -> Buffer:
        buffer = super().upload(values, dtype)
        self.addresses.append(buffer.address)
        return buffer

    def make(self, values: Array, dtype: int, layout: str = "nchw") -> Tensor:
        """Puts logical values into memory; gaps hold 99."""
        dims = values.shape
        strides = strides_of(dims, layout)
        flat = np.full(extent(dims, strides), 99.0)
        _view(flat, dims, strides)[...] = values
        stored = to_float(to_storage(values, dtype), dtype)
        return Tensor(self.tensor(dtype, dims, strides), self.upload(flat, dtype), dims, strides, stored)

    def draw(self, dims: Sequence[int], dtype: int, layout: str = "nchw", low: float = -1, high: float = 1) -> Tensor:
        return self.make(self.values(int(np.prod(dims)), dtype, low, high).reshape(tuple(dims)), dtype, layout)

    def blank(self, dims: Sequence[int], dtype: int, layout: str = "nchw") -> Tensor:
        """Memory that must not be read: NaN, or 77 in integers."""
        value = 77.0 if dtype in (INT8, INT32) else np.nan
        return self.make(np.full(tuple(dims), value), dtype, layout)

    def fetch(self, tensor: Tensor) -> Array:
        """The logical values now; checks that gaps were left alone."""
        flat = self.download(tensor.buffer)
        gaps = np.ones(flat.size, bool)
        _view(gaps, tensor.dims, tensor.strides)[...] = False
        assert (flat[gaps] == 99).all(), "memory between the elements was written"
        return _view(flat, tensor.dims, tensor.strides).copy()

    def ok(self, function: str, *arguments: Any) -> None:
        status = getattr(self.lib, function)(*arguments)
        assert status == SUCCESS, f"{function}: {status}"
        assert self.lib.cudaDeviceSynchronize() == 0, f"{function} made the device fail"


def _free(lib: Library, handle: int, addresses: list[int]) -> None:
    for address in addresses:
        lib.cudaFree(address)
    lib.cudnnDestroy(handle)


def _view(flat: Array, dims: Sequence[int], strides: Sequence[int]) -> Array:
    return np.lib.stride_tricks.as_strided(flat, dims, [s * flat.itemsize for s in strides])


def session(seed: int = 0) -> Ops:
    return Ops(library(), random=np.random.default_rng(seed))


def check(found: Array, expected: Array, dtype: int, factor: float = 1) -> None:
    """Equal within the rounding of the type; integers saturate."""
    expected = np.asarray(expected, np.float64)
    if dtype == INT8:
        expected = np.clip(expected, -128, 127)
    finite = np.abs(expected[np.isfinite(expected)]).max(initial=1)
    limit = TOLERANCE[dtype] * factor * (1 if dtype in (INT8, INT32) else finite)
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit)
