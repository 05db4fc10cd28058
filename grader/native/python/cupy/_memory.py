"""Device memory owned by Python objects and freed with the last reference."""

import ctypes
from typing import Any

from cupy import _runtime, _transfer
from libcudnn._native import library

MEMORY_ALLOCATION = 2  # cudaErrorMemoryAllocation


class OutOfMemoryError(MemoryError):
    """Device memory is exhausted."""


class Memory:
    """One allocation. ptr is 0 for size 0."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.ptr = 0
        if size:
            self.ptr = _allocate(size)
            library.fp_recorder_buffer(self.ptr, size, None)
        _pool.used += size

    def __del__(self) -> None:
        if getattr(self, "ptr", 0):
            _pool.used -= self.size
            library.fp_recorder_buffer_end(self.ptr)
            _runtime.status_of("cudaFree", self.ptr)


def _allocate(size: int) -> int:
    try:
        return int(_runtime.get("cudaMalloc", ctypes.c_void_p, size))
    except _runtime.CUDARuntimeError as error:
        if error.status != MEMORY_ALLOCATION:
            raise
        message = f"Out of memory allocating {size:,} bytes (allocated so far: {_pool.used:,} bytes)."
        raise OutOfMemoryError(message) from None


class UnownedMemory:
    """Memory that something else frees; `owner` is kept alive."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        self.ptr, self.size, self.owner = ptr, size, owner


class MemoryPointer:
    """An address within `mem`, which it keeps alive."""

    def __init__(self, mem: Any, offset: int) -> None:
        self.mem = mem
        self.ptr: int = mem.ptr + offset

    def __int__(self) -> int:
        return self.ptr

    def __add__(self, offset: int) -> "MemoryPointer":
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    def memset(self, value: int, size: int) -> None:
        _runtime.call("cudaMemset", self.ptr, value, size)

    def copy_from_host(self, mem: Any, size: int) -> None:
        _runtime.call("cudaMemcpy", self.ptr, int(getattr(mem, "value", mem)), size, 1)
        _transfer.note(self.ptr, None, size)

    def copy_to_host(self, mem: Any, size: int) -> None:
        _runtime.call("cudaMemcpy", int(getattr(mem, "value", mem)), self.ptr, size, 2)

    def copy_from_device(self, src: "MemoryPointer", size: int) -> None:
        _runtime.call("cudaMemcpy", self.ptr, src.ptr, size, 3)
        _transfer.note(self.ptr, src.ptr, size)


class MemoryPool:
    """Counts what is allocated. Nothing is cached: memory goes back as soon as its last reference does."""

    def __init__(self) -> None:
        self.used = 0
        self.limit = 0

    def malloc(self, size: int) -> MemoryPointer:
        if self.limit and self.used + size > self.limit:
            raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes (limit set to: {self.limit:,} bytes).")
        return MemoryPointer(Memory(size), 0)

    def used_bytes(self) -> int:
        return self.used

    def total_bytes(self) -> int:
        return self.used

    def free_bytes(self) -> int:
        return 0

    def n_free_blocks(self) -> int:
        return 0

    def free_all_blocks(self, stream: Any = None) -> None:
        """Nothing is held back."""

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        if fraction is not None:
            size = int(fraction * _total_memory())
        self.limit = size or 0

    def get_limit(self) -> int:
        return self.limit


class PinnedMemoryPool:
    """Host arrays are ordinary memory here, so the pool is always empty."""

    def n_free_blocks(self) -> int:
        return 0

    def free_all_blocks(self) -> None:
        """Nothing is held back."""


def _total_memory() -> int:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    _runtime.call("cudaMemGetInfo", ctypes.addressof(free), ctypes.addressof(total))
    return total.value


_pool = MemoryPool()
_pinned_pool = PinnedMemoryPool()


def get_default_memory_pool() -> MemoryPool:
    return _pool


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    return _pinned_pool


def alloc(size: int) -> MemoryPointer:
    return _pool.malloc(int(size))
