"""What the recording programs share: cuDNN through ctypes, convolutions in their three directions, times, comparisons.

PyTorch only gives memory, events and its copy of libcudnn. Times are milliseconds, sizes are bytes.
"""

import ctypes
import datetime
import fcntl
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

FLOAT, DOUBLE, HALF, INT8, INT32, BFLOAT16 = 0, 1, 2, 3, 4, 9
TYPES = {FLOAT: "float", DOUBLE: "double", HALF: "half", INT8: "int8", INT32: "int32", BFLOAT16: "bfloat16"}
TORCH_TYPE = {FLOAT: torch.float32, DOUBLE: torch.float64, HALF: torch.float16, INT8: torch.int8, INT32: torch.int32,
              BFLOAT16: torch.bfloat16}
NCHW, NHWC = 0, 1
LAYOUTS = ["NCHW", "NHWC"]
DEFAULT_MATH, TENSOR_OP, ALLOW_CONVERSION, FMA = 0, 1, 2, 3
MATHS = ["DEFAULT", "TENSOR_OP", "ALLOW_CONVERSION", "FMA"]
FORWARD, DATA, FILTER = "Forward", "BackwardData", "BackwardFilter"
ALGORITHMS = {
    FORWARD: ["IMPLICIT_GEMM", "IMPLICIT_PRECOMP_GEMM", "GEMM", "DIRECT", "FFT", "FFT_TILING", "WINOGRAD",
              "WINOGRAD_NONFUSED"],
    DATA: ["ALGO_0", "ALGO_1", "FFT", "FFT_TILING", "WINOGRAD", "WINOGRAD_NONFUSED"],
    FILTER: ["ALGO_0", "ALGO_1", "FFT", "ALGO_3", "WINOGRAD", "WINOGRAD_NONFUSED", "FFT_TILING"],
}


@dataclass(frozen=True)
class Shape:
    """Of one layer; the filter is k × c/groups × r × s."""

    n: int
    c: int
    h: int
    w: int
    k: int
    r: int
    s: int
    pad: int = 0
    stride: int = 1
    dilation: int = 1
    groups: int = 1

    def described(self) -> dict[str, list[int]]:
        return {"x": [self.n, self.c, self.h, self.w], "w": [self.k, self.c // self.groups, self.r, self.s],
                "pad, stride, dilation, groups": [self.pad, self.stride, self.dilation, self.groups]}


LAYER = Shape(32, 64, 56, 56, 64, 3, 3, pad=1)


class Perf(ctypes.Structure):
    _fields_ = (("algo", ctypes.c_int), ("status", ctypes.c_int), ("time", ctypes.c_float),
                ("memory", ctypes.c_size_t), ("determinism", ctypes.c_int), ("mathType", ctypes.c_int),
                ("reserved", ctypes.c_int * 3))


def load() -> ctypes.CDLL:
    import nvidia.cudnn

    library = ctypes.CDLL(str(Path(next(iter(nvidia.cudnn.__path__))) / "lib" / "libcudnn.so.9"))
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return library


lib = load()


def new_handle() -> ctypes.c_void_p:
    handle = ctypes.c_void_p()
    assert lib.cudnnCreate(ctypes.byref(handle)) == 0
    return handle


def descriptor(kind: str) -> ctypes.c_void_p:
    made = ctypes.c_void_p()
    assert getattr(lib, f"cudnnCreate{kind}Descriptor")(ctypes.byref(made)) == 0
    return made


def tensor4d(layout: int, dtype: int, *dims: int) -> ctypes.c_void_p:
    made = descriptor("Tensor")
    assert lib.cudnnSetTensor4dDescriptor(made, layout, dtype, *dims) == 0
    return made


def pointer(tensor: torch.Tensor | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(tensor.data_ptr() if tensor is not None else None)


def random(shape: tuple[int, ...], dtype: int, layout: int) -> torch.Tensor:
    """Normally distributed, int8 evenly from -127 to 127; in memory as the layout says."""
    if dtype == INT8:
        made = torch.randint(-127, 128, shape, device="cuda").to(torch.int8)
    else:
        made = torch.randn(*shape, device="cuda").to(TORCH_TYPE[dtype])
    return made.contiguous(memory_format=torch.channels_last) if layout == NHWC else made


def empty(shape: tuple[int, ...], dtype: int, layout: int) -> torch.Tensor:
    made = torch.empty(*shape, device="cuda", dtype=TORCH_TYPE[dtype])
    return made.contiguous(memory_format=torch.channels_last) if layout == NHWC else made


class Conv:
    """One convolution with its data, in the three directions. Inputs are those of seed 0."""

    def __init__(self, shape: Shape, dtype: int, layout: int, compute: int, math: int, y_dtype: int | None = None) -> None:
        self.shape, self.dtype, self.layout, self.compute, self.math = shape, dtype, layout, compute, math
        self.y_dtype = dtype if y_dtype is None else y_dtype
        a = shape
        self.x = tensor4d(layout, dtype, a.n, a.c, a.h, a.w)
        self.w, self.conv = descriptor("Filter"), descriptor("Convolution")
        assert lib.cudnnSetFilter4dDescriptor(self.w, dtype, layout, a.k, a.c // a.groups, a.r, a.s) == 0
        sizes = (a.pad, a.pad, a.stride, a.stride, a.dilation, a.dilation)
        assert lib.cudnnSetConvolution2dDescriptor(self.conv, *sizes, 1, compute) == 0
        assert lib.cudnnSetConvolutionGroupCount(self.conv, a.groups) == 0
        assert lib.cudnnSetConvolutionMathType(self.conv, math) == 0
        out = (ctypes.c_int * 4)()
        assert lib.cudnnGetConvolution2dForwardOutputDim(
            self.conv, self.x, self.w, *(ctypes.byref(out, 4 * i) for i in range(4))) == 0
        self.out = tuple(out)
        self.y = tensor4d(layout, self.y_dtype, *self.out)
        torch.manual_seed(0)
        self.X = random((a.n, a.c, a.h, a.w), dtype, layout)
        self.W = random((a.k, a.c // a.groups, a.r, a.s), dtype, layout)
        self.Y = empty(self.out, self.y_dtype, layout)
        self.dY = random(self.out, self.y_dtype, layout) if self.y_dtype not in (INT8, INT32) else self.Y
        self.dX = torch.empty_like(self.X)
        self.dW = torch.empty_like(self.W)
        real = ctypes.c_double if dtype == DOUBLE else ctypes.c_float
        self.alpha, self.beta = real(1), real(0)

    def described(self) -> dict[str, Any]:
        return {**self.shape.described(), "type": TYPES[self.dtype], "y type": TYPES[self.y_dtype],
                "layout": LAYOUTS[self.layout], "compute": TYPES[self.compute], "math": MATHS[self.math]}

    def descriptors(self, direction: str) -> list[ctypes.c_void_p]:
        order = {FORWARD: [self.x, self.w, self.conv, self.y], DATA: [self.w, self.y, self.conv, self.x],
                 FILTER: [self.x, self.y, self.conv, self.w]}
        return order[direction]

    def result(self, direction: str) -> torch.Tensor:
        return {FORWARD: self.Y, DATA: self.dX, FILTER: self.dW}[direction]

    def workspace(self, handle: ctypes.c_void_p, algo: int, direction: str = FORWARD) -> tuple[int, int]:
        """Status and bytes of the workspace query."""
        size = ctypes.c_size_t(0)
        query = getattr(lib, f"cudnnGetConvolution{direction}WorkspaceSize")
        return query(handle, *self.descriptors(direction), algo, ctypes.byref(size)), size.value

    def run(
        self, handle: ctypes.c_void_p, algo: int, space: torch.Tensor | None, size: int, direction: str = FORWARD
    ) -> int:
        first, second = {FORWARD: (self.X, self.W), DATA: (self.W, self.dY), FILTER: (self.X, self.dY)}[direction]
        a, b, conv, out = self.descriptors(direction)
        return getattr(lib, f"cudnnConvolution{direction}")(
            handle, ctypes.byref(self.alpha), a, pointer(first), b, pointer(second), conv, algo,
            pointer(space if size else None), ctypes.c_size_t(size), ctypes.byref(self.beta), out,
            pointer(self.result(direction)))

    def listed(self, handle: ctypes.c_void_p, find: bool, direction: str = FORWARD) -> tuple[float, list[dict[str, Any]]]:
        """Milliseconds and entries of Find, or of Get_v7."""
        name = f"cudnnFindConvolution{direction}Algorithm" if find else f"cudnnGetConvolution{direction}Algorithm_v7"
        perf, count = (Perf * 10)(), ctypes.c_int(0)
        torch.cuda.synchronize()
        start = time.perf_counter()
        assert getattr(lib, name)(handle, *self.descriptors(direction), 10, ctypes.byref(count), perf) == 0
        took = (time.perf_counter() - start) * 1e3
        return took, entries(perf[: count.value], direction)


def entries(perfs: list[Perf], direction: str = FORWARD) -> list[dict[str, Any]]:
    return [{"algo": ALGORITHMS[direction][p.algo], "status": p.status, "time": round(p.time, 4), "memory": p.memory,
             "determinism": p.determinism, "math": MATHS[p.mathType]} for p in perfs]


def chosen(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The first entry that works; empty where none does."""
    return next((entry for entry in found if entry["status"] == 0), {})


def median_ms(work: Callable[[], object], runs: int = 30, before: int = 5) -> float:
    """Median time on the device between two events, each run on its own."""
    for _ in range(before):
        work()
    times = []
    for _ in range(runs):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        a.record()
        work()
        b.record()
        torch.cuda.synchronize()
        times.append(a.elapsed_time(b))
    return round(statistics.median(times), 5)


def host_ms(work: Callable[[], object]) -> float:
    """Time until the device is idle again, read on the host."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return round((time.perf_counter() - start) * 1e3, 4)


class Fingerprint:
    """Of tensors of one shape: equal bits give equal numbers; different bits almost surely different ones."""

    def __init__(self, like: torch.Tensor) -> None:
        generator = torch.Generator(device="cuda").manual_seed(12345)
        self.bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[like.element_size()]
        self.factors = torch.randint(-(2**62), 2**62, (like.numel(),), device="cuda", generator=generator) | 1

    def of(self, tensor: torch.Tensor) -> int:
        flat = tensor.contiguous().view(-1).view(self.bits).long()
        return int((flat * self.factors).sum().item())


def repeat(work: Callable[[], object], result: torch.Tensor, runs: int) -> dict[str, Any]:
    """How many different results `runs` runs give, and how far they lie from the first."""
    fingerprint = Fingerprint(result)
    seen: set[int] = set()
    largest, elements, first = 0.0, 0, torch.empty(0)
    for number in range(runs):
        work()
        torch.cuda.synchronize()
        mark = fingerprint.of(result)
        if number == 0:
            first = result.clone()
        elif mark not in seen:
            difference = (result.double() - first.double()).abs()
            largest = max(largest, difference.max().item())
            elements = max(elements, int((difference > 0).sum().item()))
        seen.add(mark)
    scale = first.double().abs().max().item()
    return {"runs": runs, "distinct": len(seen), "max_difference": largest,
            "max_difference / max|y|": largest / scale if scale else 0.0, "elements_that_differ": elements,
            "elements": result.numel()}


def in_fresh_processes(script: str, arguments: list[list[str]]) -> list[Any]:
    """What `python script ARGUMENTS` prints as JSON in its last line, each in a process of its own, up to ten at once.

    A process calls `alone()` before it measures, so that only one of them uses the device.
    """
    answers: list[Any] = []
    for start in range(0, len(arguments), 10):
        started = [subprocess.Popen([sys.executable, script, *words], stdout=subprocess.PIPE, text=True)
                   for words in arguments[start : start + 10]]
        for process in started:
            lines = process.communicate()[0].splitlines()
            answers.append(json.loads(lines[-1]) if lines and process.returncode == 0 else {"problem": process.returncode})
    return answers


def alone() -> None:
    """Waits until no other recording process measures; holds until this process ends."""
    torch.zeros(1, device="cuda")
    stream = open("/tmp/record.lock", "w")  # noqa: SIM115
    fcntl.flock(stream, fcntl.LOCK_EX)
    globals()["_lock"] = stream


def facts() -> dict[str, Any]:
    """What every record begins with."""
    driver = Path("/proc/driver/nvidia/version")
    words = driver.read_text().split() if driver.exists() else []
    return {"device": torch.cuda.get_device_name(), "cudnn": lib.cudnnGetVersion(), "torch": torch.__version__,
            "driver": next((word for word in words if word[0].isdigit() and "." in word), ""),
            "date": datetime.date.today().isoformat(),
            "units": "milliseconds and bytes; statuses are cudnnStatus_t; times are medians of 30 runs after 5"}


def write_parts(path: str, parts: dict[str, Callable[[], Any]]) -> None:
    """Runs each part and writes the record anew after it. A part that fails is written as its problem."""
    record: dict[str, Any] = facts()
    for name, part in parts.items():
        start = time.perf_counter()
        try:
            record[name] = part()
        except Exception as problem:  # a part that fails must not lose the others
            record[name] = {"problem": repr(problem)[:500]}
            print(f"{name}: {problem!r}", flush=True)
        torch.cuda.empty_cache()
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
        Path(path).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
