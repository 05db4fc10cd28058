"""Streams, events, devices, memory and the runtime functions."""

from cupy._memory import Memory as Memory
from cupy._memory import MemoryPointer as MemoryPointer
from cupy._memory import MemoryPool as MemoryPool
from cupy._memory import OutOfMemoryError, UnownedMemory, alloc
from cupy.cuda import runtime as runtime
from cupy.cuda.device import Device as Device
from cupy.cuda.device import get_device_id as get_device_id
from cupy.cuda.stream import Event as Event
from cupy.cuda.stream import ExternalStream as ExternalStream
from cupy.cuda.stream import Stream as Stream
from cupy.cuda.stream import get_current_stream as get_current_stream
from cupy.cuda.stream import get_elapsed_time as get_elapsed_time


class memory:
    """Names that programs reach as `cupy.cuda.memory`."""

    OutOfMemoryError = OutOfMemoryError
    MemoryPointer = MemoryPointer
    Memory = Memory
    UnownedMemory = UnownedMemory
    alloc = staticmethod(alloc)


def is_available() -> bool:
    return runtime.getDeviceCount() > 0


__all__ = ["Device", "Event", "ExternalStream", "Memory", "MemoryPointer", "MemoryPool", "OutOfMemoryError", "Stream",
           "UnownedMemory", "alloc", "get_current_stream", "get_device_id", "get_elapsed_time", "is_available",
           "memory", "runtime"]  # fmt: skip
