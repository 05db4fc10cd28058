"""The CUDA runtime functions that CuPy exposes, under its names. They raise CUDARuntimeError."""

import ctypes
from typing import Any

from cupy import _transfer
from cupy._runtime import CUDARuntimeError as CUDARuntimeError
from cupy._runtime import call, get, status_of
from libcudnn._types import Record, struct_size

memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice, memcpyDefault = range(5)
streamDefault, streamNonBlocking, streamLegacy, streamPerThread = 0, 1, 1, 2
eventDefault, eventBlockingSync, eventDisableTiming, eventInterprocess = 0, 1, 2, 4
_NOT_READY = 600


def malloc(size: int) -> int:
    return int(get("cudaMalloc", ctypes.c_void_p, size) or 0)


def free(ptr: int) -> None:
    call("cudaFree", ptr)


def _note(dst: int, src: int, size: int, kind: int) -> None:
    if kind in (memcpyHostToDevice, memcpyDeviceToDevice, memcpyDefault):
        _transfer.note(dst, None if kind == memcpyHostToDevice else src, size)


def memcpy(dst: int, src: int, size: int, kind: int) -> None:
    call("cudaMemcpy", dst, src, size, kind)
    _note(dst, src, size, kind)


def memcpyAsync(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    call("cudaMemcpyAsync", dst, src, size, kind, stream)
    _note(dst, src, size, kind)


def memcpy2D(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int) -> None:
    """Copies `height` rows of `width` bytes whose begins lie `dpitch` and `spitch` bytes apart."""
    call("cudaMemcpy2D", dst, dpitch, src, spitch, width, height, kind)
    _note(dst, src, width * height, kind)


def memcpy2DAsync(
    dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int
) -> None:
    call("cudaMemcpy2DAsync", dst, dpitch, src, spitch, width, height, kind, stream)
    _note(dst, src, width * height, kind)


def memset(ptr: int, value: int, size: int) -> None:
    call("cudaMemset", ptr, value, size)


def memsetAsync(ptr: int, value: int, size: int, stream: int) -> None:
    call("cudaMemsetAsync", ptr, value, size, stream)


def memGetInfo() -> tuple[int, int]:
    """Free and total bytes of the device."""
    free_bytes, total = ctypes.c_size_t(), ctypes.c_size_t()
    call("cudaMemGetInfo", ctypes.addressof(free_bytes), ctypes.addressof(total))
    return free_bytes.value, total.value


def deviceSynchronize() -> None:
    call("cudaDeviceSynchronize")


def getDeviceCount() -> int:
    return int(get("cudaGetDeviceCount", ctypes.c_int))


def getDevice() -> int:
    return int(get("cudaGetDevice", ctypes.c_int))


def setDevice(device: int) -> None:
    call("cudaSetDevice", device)


def deviceGetAttribute(attrib: int, device: int) -> int:
    return int(get("cudaDeviceGetAttribute", ctypes.c_int, attrib, device))


def getDeviceProperties(device: int) -> dict[str, Any]:
    memory = ctypes.create_string_buffer(struct_size("cudaDeviceProp"))
    call("cudaGetDeviceProperties_v2", ctypes.addressof(memory), device)
    properties = {k: v for k, v in vars(Record("cudaDeviceProp", memory.raw)).items() if not k.startswith("_")}
    return properties | {"name": properties["name"].encode()}


def runtimeGetVersion() -> int:
    return int(get("cudaRuntimeGetVersion", ctypes.c_int))


def driverGetVersion() -> int:
    return int(get("cudaDriverGetVersion", ctypes.c_int))


def streamCreate() -> int:
    return int(get("cudaStreamCreate", ctypes.c_void_p) or 0)


def streamCreateWithFlags(flags: int) -> int:
    return int(get("cudaStreamCreateWithFlags", ctypes.c_void_p, flags) or 0)


def streamDestroy(stream: int) -> None:
    call("cudaStreamDestroy", stream)


def streamSynchronize(stream: int) -> None:
    call("cudaStreamSynchronize", stream)


def streamQuery(stream: int) -> int:
    return _query("cudaStreamQuery", stream)


def streamWaitEvent(stream: int, event: int, flags: int = 0) -> None:
    call("cudaStreamWaitEvent", stream, event, flags)


def eventCreate() -> int:
    return eventCreateWithFlags(0)


def eventCreateWithFlags(flags: int) -> int:
    return int(get("cudaEventCreateWithFlags", ctypes.c_void_p, flags) or 0)


def eventDestroy(event: int) -> None:
    call("cudaEventDestroy", event)


def eventRecord(event: int, stream: int) -> None:
    call("cudaEventRecord", event, stream)


def eventSynchronize(event: int) -> None:
    call("cudaEventSynchronize", event)


def eventQuery(event: int) -> int:
    return _query("cudaEventQuery", event)


def eventElapsedTime(start: int, end: int) -> float:
    """Milliseconds between two recorded events."""
    return float(get("cudaEventElapsedTime", ctypes.c_float, start, end))


def _query(name: str, target: int) -> int:
    """0 when finished, 600 (cudaErrorNotReady) when not."""
    status = status_of(name, target)
    if status not in (0, _NOT_READY):
        raise CUDARuntimeError(status)
    return status
