"""What the recorder, with its GPU clock, costs a convolution of about 1 ms on a GPU; whether its GPU times are right.

The same convolution past the recorder and through it, in turn: rows of calls without waiting, and calls waited for one
by one. The recorder's `gpu_us` is compared with CUDA events of our own around the direct calls.
"""

import ctypes
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from grader.backends import BackendUnavailableError, find_backend, nvidia
from grader.checkers.trace_reader import read_trace
from grader.paths import native_build

ROUNDS, CALLS = 15, 40
TRACE_BYTES = 64 << 20
N, C, H, K = 96, 64, 56, 64


class Setting:
    """A float 3×3 convolution on arrays that are left as they come (zeros): its time is the same for any numbers."""

    def __init__(self, recorder: ctypes.CDLL) -> None:
        self.recorder = recorder
        recorder.fp_recorder_symbol.restype = ctypes.c_void_p
        self.handle, self.x, self.w, self.conv = (ctypes.c_void_p() for _ in range(4))
        self.call("cudnnCreate", ctypes.byref(self.handle))
        for name, made in (("Tensor", self.x), ("Filter", self.w), ("Convolution", self.conv)):
            self.call(f"cudnnCreate{name}Descriptor", ctypes.byref(made))
        self.call("cudnnSetTensor4dDescriptor", self.x, 0, 0, N, C, H, H)
        self.call("cudnnSetFilter4dDescriptor", self.w, 0, 0, K, C, 3, 3)
        self.call("cudnnSetConvolution2dDescriptor", self.conv, 1, 1, 1, 1, 1, 1, 1, 0)
        self.memory = [self.allocate(4 * size) for size in (N * C * H * H, K * C * 9, N * K * H * H)]
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        space, size = ctypes.c_void_p(None), ctypes.c_size_t(0)
        x, w, y = self.memory
        self.arguments = (self.handle, ctypes.byref(one), self.x, x, self.w, w, self.conv, 0, space, size,
                          ctypes.byref(zero), self.x, y)  # fmt: skip
        self.direct = self.function("cudnnConvolutionForward")

    def function(self, name: str) -> Callable[..., int]:
        address = self.recorder.fp_recorder_symbol(name.encode())
        return ctypes.CFUNCTYPE(ctypes.c_int)(address)

    def call(self, name: str, *arguments: Any) -> None:
        if (status := self.function(name)(*arguments)) != 0:
            raise RuntimeError(f"{name} answers {status}")

    def allocate(self, size: int) -> ctypes.c_void_p:
        pointer = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(pointer), ctypes.c_size_t(size))
        self.call("cudaMemset", pointer, 0, ctypes.c_size_t(size))
        return pointer

    def row(self, forward: Callable[..., int], wait_each: bool) -> float:
        """Milliseconds a call."""
        self.call("cudaDeviceSynchronize")
        started = time.perf_counter()
        for _ in range(CALLS):
            forward(*self.arguments)
            if wait_each:
                self.call("cudaDeviceSynchronize")
        self.call("cudaDeviceSynchronize")
        return (time.perf_counter() - started) * 1e3 / CALLS

    def event_us(self) -> float:
        """Median microseconds of direct calls between two events."""
        start, stop, times = ctypes.c_void_p(), ctypes.c_void_p(), []
        self.call("cudaEventCreate", ctypes.byref(start))
        self.call("cudaEventCreate", ctypes.byref(stop))
        for _ in range(CALLS):
            took = ctypes.c_float()
            self.call("cudaEventRecord", start, None)
            self.direct(*self.arguments)
            self.call("cudaEventRecord", stop, None)
            self.call("cudaDeviceSynchronize")
            self.call("cudaEventElapsedTime", ctypes.byref(took), start, stop)
            times.append(took.value * 1e3)
        return statistics.median(times)


def main() -> None:
    try:
        backend = find_backend("gpu")
    except BackendUnavailableError as error:
        print(f"recorder_gpu: {error}; {error.mend}")
        return
    found = nvidia.libraries()
    os.environ["FP_GPU_CLOCK"] = "1"
    recorder = ctypes.CDLL(str(native_build() / "lib" / "libfp_recorder.so"))
    if recorder.fp_recorder_open(str(found.cudnn).encode(), str(found.cudart).encode()) != 0:
        raise SystemExit("recorder_gpu: the libraries cannot be loaded")
    trace = os.memfd_create("trace")
    os.ftruncate(trace, TRACE_BYTES)
    recorder.fp_recorder_attach(trace)
    setting = Setting(recorder)
    recorded = recorder.cudnnConvolutionForward
    setting.row(setting.direct, False)
    ways = {"rows": False, "one by one": True}
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for way, wait in ways.items():
            for name, forward in (("direct", setting.direct), ("recorded", recorded)):
                times.setdefault((way, name), []).append(setting.row(forward, wait))
                recorder.fp_recorder_gpu_times()
    calls = [call.gpu_us for call in read_trace(os.pread(trace, TRACE_BYTES, 0)).calls]
    told = [value for value in calls if value is not None]
    print(f"{backend.info.device}, cuDNN {backend.info.cudnn_version}; medians of {ROUNDS} rows of {CALLS} calls")
    ratios = {}
    for way in ways:
        direct, through = (statistics.median(times[way, name]) for name in ("direct", "recorded"))
        ratios[way] = through / direct
        print(f"{way:<12} direct {direct:.4f} ms, recorded {through:.4f} ms, ratio {ratios[way]:.4f}")
    print(f"gpu_us: {len(told)} of {len(calls)} calls, median {statistics.median(told):.1f}; ", end="")
    print(f"our events {setting.event_us():.1f}")
    print(f"recorded / direct, waited for one by one: {ratios['one by one']:.4f}")


if __name__ == "__main__":
    main()
