"""How much GPU memory processes hold, asked of the driver through NVML (a library of the driver: no package needed)."""

import ctypes
import functools
from collections.abc import Collection

_NOT_AVAILABLE = 2**64 - 1
_MOST_PROCESSES = 256


class _Process(ctypes.Structure):
    _fields_ = (
        ("pid", ctypes.c_uint),
        ("used", ctypes.c_ulonglong),
        ("gpu_instance", ctypes.c_uint),
        ("compute_instance", ctypes.c_uint),
    )


class _Memory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


@functools.cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    return library if library.nvmlInit_v2() == 0 else None


@functools.cache
def _devices() -> tuple[ctypes.c_void_p, ...]:
    library = _library()
    count = ctypes.c_uint()
    if library is None or library.nvmlDeviceGetCount_v2(ctypes.byref(count)) != 0:
        return ()
    found = []
    for index in range(count.value):
        device = ctypes.c_void_p()
        if library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(device)) == 0:
            found.append(device)
    return tuple(found)


def held_bytes(pids: Collection[int]) -> int | None:
    """Bytes that these processes hold on all GPUs together; None where the driver does not tell."""
    library, total, told = _library(), 0, False
    for device in _devices():
        count = ctypes.c_uint(_MOST_PROCESSES)
        processes = (_Process * _MOST_PROCESSES)()
        if library is None or library.nvmlDeviceGetComputeRunningProcesses_v3(device, ctypes.byref(count), processes):
            continue
        told = True
        mine = [process.used for process in processes[: count.value] if process.pid in pids]
        if _NOT_AVAILABLE in mine:
            return None
        total += sum(mine)
    return total if told else None


def free_bytes() -> list[int]:
    """Free memory of each GPU; empty where the driver does not tell."""
    library, found = _library(), []
    for device in _devices():
        memory = _Memory()
        if library is not None and library.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory)) == 0:
            found.append(memory.free)
    return found
