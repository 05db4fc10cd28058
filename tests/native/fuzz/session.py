"""The session that sequences run in, and the sequences whose answers on an H200 are stored."""

import ctypes
import importlib
from collections.abc import Callable, Sequence
from typing import Any

from tests.native.fuzz.mutate import Mutator
from tests.native.h200 import record
from tests.native.h200.differences import NOT_TAUGHT
from tests.native.h200.session import FLOAT, HALF, Buffer, Session

LARGEST = 1 << 26
"""Bytes of the largest buffer: a size that a changed call gave may be anything."""
Sequence_ = Callable[[Session], None]


class FuzzSession(Session):
    """Tells the mutator how long host memory is; refuses to fill memory of absurd sizes."""

    lib: Mutator  # type: ignore[assignment]

    def scalar(self, value: float, dtype: int = FLOAT) -> int:
        return self._sized(super().scalar(value, dtype))

    def ints(self, values: Sequence[int]) -> int:
        return self._sized(super().ints(values))

    def _sized(self, address: int) -> int:
        self.lib.host_sizes[address] = ctypes.sizeof(self.keep[-1])
        return address

    def space(self, size: int) -> int | None:
        if size > LARGEST:
            raise RuntimeError(f"a space of {size} bytes")
        return super().space(size)

    def filled(self, count: int, dtype: int = FLOAT, value: float = 7) -> Buffer:
        if count > LARGEST // 8:
            raise RuntimeError(f"a buffer of {count} elements")
        return super().filled(count, dtype, value)

    def refuse(self) -> None:
        """Descriptors with a rank but without dimensions or strides, as setters leave them that were refused."""
        zeros, lib = self.ints([0] * 4), self.lib
        for dtype in (FLOAT, HALF):
            lib.cudnnSetTensorNdDescriptor(self.create("Tensor"), dtype, 4, zeros, zeros)
            lib.cudnnSetFilterNdDescriptor(self.create("Filter"), dtype, 0, 4, zeros)
        lib.cudnnSetConvolution2dDescriptor(self.create("Convolution"), 0, 0, 0, 0, 0, 0, 1, FLOAT)
        lib.cudnnSetPooling2dDescriptor(self.create("Pooling"), 0, 0, 0, 0, 0, 0, 0, 0)

    def sized_space(self, function: str, *arguments: Any) -> tuple[int | None, int]:
        """Memory of the size that a query gives, and the size; null and 0 where it fails."""
        size = ctypes.c_size_t()
        getattr(self.lib, function)(*arguments, ctypes.byref(size))
        return self.space(size.value), size.value


def recorded_sequences() -> list[Sequence_]:
    """The scenarios whose answers on an H200 are stored (all of each descriptor's edges, types, layouts)."""
    found = []
    for name, module in record.scenarios().items():
        if name not in NOT_TAUGHT:
            found.append(getattr(importlib.import_module(f"tests.native.h200.scenarios_{module}"), name))
    return found
