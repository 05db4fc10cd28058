"""The same convolutions in two libraries: statuses, dims, workspaces and results, in all types and directions.

One library a process: ``python -m tests.native.parity.convolutions CUDNN CUDART COUNT SEED ANSWERS`` writes answers;
`compare` reads two of them. Inputs are drawn from the seed, so both libraries get the same numbers.
"""

import ctypes
import math
import pickle
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT, DOUBLE, HALF, INT8, INT32, BFLOAT16 = 0, 1, 2, 3, 4, 9
NAMES = {FLOAT: "float", DOUBLE: "double", HALF: "half", INT8: "int8", INT32: "int32", BFLOAT16: "bfloat16"}
STORAGE = {FLOAT: "f4", DOUBLE: "f8", HALF: "f2", INT8: "i1", INT32: "i4", BFLOAT16: "u2"}
NCHW, NHWC = 0, 1
FORWARD, DATA, FILTER = "Forward", "BackwardData", "BackwardFilter"
ALGORITHMS = {FORWARD: 8, DATA: 6, FILTER: 7}
DEFAULT_MATH, FMA = 0, 3
KINDS = [  # type, layout, compute, type of y, math
    (FLOAT, NCHW, FLOAT, FLOAT, FMA),
    (FLOAT, NCHW, FLOAT, FLOAT, DEFAULT_MATH),
    (FLOAT, NHWC, FLOAT, FLOAT, DEFAULT_MATH),
    (DOUBLE, NCHW, DOUBLE, DOUBLE, DEFAULT_MATH),
    (HALF, NCHW, FLOAT, HALF, DEFAULT_MATH),
    (HALF, NHWC, FLOAT, HALF, DEFAULT_MATH),
    (HALF, NCHW, HALF, HALF, DEFAULT_MATH),
    (HALF, NHWC, HALF, HALF, DEFAULT_MATH),
    (BFLOAT16, NHWC, FLOAT, BFLOAT16, DEFAULT_MATH),
    (INT8, NHWC, INT32, INT8, DEFAULT_MATH),
    (INT8, NHWC, INT32, FLOAT, DEFAULT_MATH),
]
TOLERANCE = {FLOAT: 2e-3, DOUBLE: 1e-12, HALF: 4e-3, BFLOAT16: 2e-2, INT8: 0.0, INT32: 0.0}
"""Of the largest difference over the largest |result|. Float: TF32 rounds inputs to 10 bits; without it, FLOAT_FMA."""
FLOAT_FMA = 2e-5
WINOGRAD_NONFUSED = {(FORWARD, 7), (DATA, 5), (FILTER, 5)}
WINOGRAD = 1e-2
"""Winograd's transforms of a 5×5 window magnify roundings: the H200 itself is 5.7e-3 off float64 there."""

HALF_SUMS = 4e-2
"""Sums in half: as many roundings as products, in an order of each algorithm; up to 400 products."""
EXACT_HALF_SUMS = {(FORWARD, 0), (FORWARD, 1), (DATA, 0)}
"""Here the order is known, and the simulator's sums are equal bit for bit."""


@dataclass(frozen=True)
class Problem:
    dims: tuple[int, ...]
    """n, c, h, w, k, r, s"""
    pad: int
    stride: int
    dilation: int
    groups: int
    kind: tuple[int, int, int, int, int]
    direction: str

    def describe(self) -> str:
        dtype, layout, compute, y, math_type = self.kind
        types = f"{NAMES[dtype]}→{NAMES[y]} {'NHWC' if layout else 'NCHW'} compute {NAMES[compute]} math {math_type}"
        return (
            f"{self.direction} {self.dims} pad {self.pad} stride {self.stride} dilation {self.dilation} "
            f"groups {self.groups} {types}"
        )

    def tolerance(self, algorithm: int) -> float:
        dtype, _, compute, y, math_type = self.kind
        if compute == HALF:
            return 0.0 if (self.direction, algorithm) in EXACT_HALF_SUMS else HALF_SUMS
        if (self.direction, algorithm) in WINOGRAD_NONFUSED:
            return WINOGRAD
        if dtype == FLOAT and math_type == FMA:
            return FLOAT_FMA
        return TOLERANCE[dtype] if dtype != INT8 else TOLERANCE[INT8] + (1e-6 if y == FLOAT else 0.0)


def problems(count: int, seed: int) -> list[Problem]:
    rng = random.Random(seed)
    found = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        groups = rng.choice([1, 1, 1, 2])
        step = 4 if kind[0] == INT8 else 1
        c = groups * step * rng.choice([1, 2, 4, 8]) if kind[0] == INT8 else groups * rng.choice([1, 2, 3, 8, 16])
        k = groups * step * rng.choice([1, 2, 4])
        size, window = rng.choice([4, 7, 9, 16, 20]), rng.choice([1, 2, 3, 3, 5])
        pad, stride, dilation = rng.choice([0, 1, 2]), rng.choice([1, 1, 2]), rng.choice([1, 1, 1, 2])
        h, w = size + rng.choice([0, 3]), size
        directions = [FORWARD] if kind[0] == INT8 else [FORWARD, FORWARD, DATA, FILTER]
        dims = (rng.choice([1, 2, 4]), c, h, w, k, window, rng.choice([window, 1]))
        found.append(Problem(dims, pad, stride, dilation, groups, kind, rng.choice(directions)))
    return found


def bits(values: NDArray[np.float64], dtype: int) -> NDArray[Any]:
    """As stored: bfloat16 by its upper half, rounded to nearest even."""
    if dtype == BFLOAT16:
        whole = values.astype("f4").view("u4")
        return ((whole + 0x7FFF + ((whole >> 16) & 1)) >> 16).astype("u2")
    return values.astype(STORAGE[dtype])


def numbers(stored: NDArray[Any], dtype: int) -> NDArray[np.float64]:
    if dtype == BFLOAT16:
        return (stored.astype("u4") << 16).view("f4").astype("f8")
    return stored.astype("f8")


class Library:
    def __init__(self, cudnn: str, cudart: str) -> None:
        self.cudart = ctypes.CDLL(cudart)
        self.cudnn = ctypes.CDLL(cudnn)
        self.cudnn.cudnnGetVersion.restype = ctypes.c_size_t
        self.handle = ctypes.c_void_p()
        if (status := self.cudnn.cudnnCreate(ctypes.byref(self.handle))) != 0:
            raise SystemExit(f"cudnnCreate answers {status}")

    def create(self, kind: str) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        assert getattr(self.cudnn, f"cudnnCreate{kind}Descriptor")(ctypes.byref(made)) == 0
        return made

    def device(self, size: int) -> ctypes.c_void_p:
        pointer = ctypes.c_void_p()
        assert self.cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(max(size, 256))) == 0
        return pointer

    def upload(self, array: NDArray[Any]) -> ctypes.c_void_p:
        pointer = self.device(array.nbytes)
        source = np.ascontiguousarray(array)
        assert self.cudart.cudaMemcpy(pointer, source.ctypes.data_as(ctypes.c_void_p), source.nbytes, 1) == 0
        return pointer

    def download(self, pointer: ctypes.c_void_p, like: NDArray[Any]) -> NDArray[Any]:
        result = np.empty_like(like)
        assert self.cudart.cudaMemcpy(result.ctypes.data_as(ctypes.c_void_p), pointer, result.nbytes, 2) == 0
        return result


class Run:
    """One problem in one library."""

    def __init__(self, library: Library, problem: Problem, seed: int) -> None:
        self.lib, self.problem = library, problem
        n, c, h, w, k, r, s = problem.dims
        dtype, layout, compute, y_dtype, math_type = problem.kind
        cudnn = library.cudnn
        self.x, self.w, self.conv, self.y = (
            library.create(kind) for kind in ("Tensor", "Filter", "Convolution", "Tensor")
        )
        p = problem
        self.set_up = [
            cudnn.cudnnSetTensor4dDescriptor(self.x, layout, dtype, n, c, h, w),
            cudnn.cudnnSetFilter4dDescriptor(self.w, dtype, layout, k, c // p.groups, r, s),
            cudnn.cudnnSetConvolution2dDescriptor(
                self.conv, p.pad, p.pad, p.stride, p.stride, p.dilation, p.dilation, 1, compute
            ),
            cudnn.cudnnSetConvolutionGroupCount(self.conv, p.groups),
            cudnn.cudnnSetConvolutionMathType(self.conv, math_type),
        ]
        out = (ctypes.c_int * 4)()
        places = [ctypes.byref(out, 4 * i) for i in range(4)]
        self.set_up.append(cudnn.cudnnGetConvolution2dForwardOutputDim(self.conv, self.x, self.w, *places))
        self.out = tuple(out)
        if self.set_up[-1] == 0:
            self.set_up.append(cudnn.cudnnSetTensor4dDescriptor(self.y, layout, y_dtype, *self.out))
        rng = np.random.default_rng(seed)
        shapes = {"x": (n, c, h, w), "w": (k, c // p.groups, r, s), "y": self.out}
        self.arrays = {
            name: bits(self._draw(rng, shape, dtype if name != "y" else y_dtype), dtype if name != "y" else y_dtype)
            for name, shape in shapes.items()
        }

    @staticmethod
    def _draw(rng: np.random.Generator, shape: tuple[int, ...], dtype: int) -> NDArray[np.float64]:
        if dtype in (INT8, INT32):
            return rng.integers(-4, 5, shape).astype("f8")
        return rng.standard_normal(shape)

    def answers(self) -> dict[str, Any]:
        if self.set_up[-1] != 0 or min(self.out) < 1:
            return {"statuses": self.set_up, "dims": self.out, "algorithms": []}
        rows = [self._algorithm(number) for number in range(ALGORITHMS[self.problem.direction])]
        return {"statuses": self.set_up, "dims": self.out, "algorithms": rows}

    def _algorithm(self, number: int) -> dict[str, Any]:
        cudnn, direction = self.lib.cudnn, self.problem.direction
        order = {
            FORWARD: (self.x, self.w, self.conv, self.y),
            DATA: (self.w, self.y, self.conv, self.x),
            FILTER: (self.x, self.y, self.conv, self.w),
        }[direction]
        size = ctypes.c_size_t(0)
        query = getattr(cudnn, f"cudnnGetConvolution{direction}WorkspaceSize")
        row: dict[str, Any] = {
            "query": query(self.lib.handle, *order, number, ctypes.byref(size)),
            "workspace": size.value,
        }
        if row["query"] != 0:
            return row
        return row | self._execute(number, order, size)

    def _execute(self, number: int, order: tuple[ctypes.c_void_p, ...], size: ctypes.c_size_t) -> dict[str, Any]:
        direction = self.problem.direction
        first, second, result = {FORWARD: "xwy", DATA: "wyx", FILTER: "xyw"}[direction]
        real = ctypes.c_double if self.problem.kind[0] == DOUBLE else ctypes.c_float
        one, zero = real(1), real(0)
        blank = np.full_like(self.arrays[result], 77)
        memory = [self.lib.upload(a) for a in (self.arrays[first], self.arrays[second], blank)]
        space = self.lib.device(size.value)
        status = getattr(self.lib.cudnn, f"cudnnConvolution{direction}")(
            self.lib.handle, ctypes.byref(one), order[0], memory[0], order[1], memory[1], order[2], number, space, size,
            ctypes.byref(zero), order[3], memory[2],
        )  # fmt: skip
        synchronized = self.lib.cudart.cudaDeviceSynchronize()
        found = {"status": status, "synchronize": synchronized}
        if status == 0 and synchronized == 0:
            found["result"] = self.lib.download(memory[2], blank)
        for pointer in (*memory, space):
            self.lib.cudart.cudaFree(pointer)
        return found


def main(cudnn: str, cudart: str, count: str, seed: str, out: str) -> None:
    library = Library(cudnn, cudart)
    found = [Run(library, problem, number).answers() for number, problem in enumerate(problems(int(count), int(seed)))]
    Path(out).write_bytes(pickle.dumps({"version": library.cudnn.cudnnGetVersion(), "answers": found}))


@dataclass
class Agreement:
    """What two libraries' answers have in common."""

    convolutions: int = 0
    """Results that both gave, one an algorithm."""
    within: int = 0
    statuses: int = 0
    same_statuses: int = 0
    workspaces: int = 0
    same_workspaces: int = 0
    dims: int = 0
    same_dims: int = 0

    def __post_init__(self) -> None:
        self.worst: dict[str, float] = {}
        self.differences: list[str] = []
        self.status_differences: Counter[str] = Counter()


def compare(wanted: list[Problem], real: list[dict[str, Any]], simulated: list[dict[str, Any]]) -> Agreement:
    found = Agreement()
    for problem, a, b in zip(wanted, real, simulated, strict=True):
        found.dims += 1
        found.same_dims += a["dims"] == b["dims"]
        _statuses(found, problem, a["statuses"], b["statuses"], "descriptors")
        for number, (x, y) in enumerate(zip(a["algorithms"], b["algorithms"], strict=False)):
            label = f"algorithm {number}"
            _statuses(found, problem, [x["query"]], [y["query"]], f"query of {label}")
            if "status" in x and "status" in y:
                found.workspaces += 1
                found.same_workspaces += x["workspace"] == y["workspace"]
                _statuses(found, problem, [x["status"], x["synchronize"]], [y["status"], y["synchronize"]], label)
            if "result" in x and "result" in y:
                _result(found, problem, number, x["result"], y["result"])
    return found


def _statuses(found: Agreement, problem: Problem, a: list[int], b: list[int], where: str) -> None:
    for x, y in zip(a, b, strict=False):
        found.statuses += 1
        found.same_statuses += x == y
        if x != y:
            found.status_differences[f"{where}, {NAMES[problem.kind[0]]}: real {x}, simulated {y}"] += 1
            found.differences.append(f"{problem.describe()}, {where}: real {x}, simulated {y}")


def _result(found: Agreement, problem: Problem, algorithm: int, a: NDArray[Any], b: NDArray[Any]) -> None:
    dtype = problem.kind[3] if problem.direction == FORWARD else problem.kind[0]
    x, y = numbers(a, dtype), numbers(b, dtype)
    scale = float(np.abs(x).max()) or 1.0
    error = float(np.abs(x - y).max()) / scale
    error = error if math.isfinite(error) else math.inf
    name = f"{NAMES[problem.kind[0]]}{' FMA' if problem.kind[4] == FMA else ''}"
    name += " sums" if problem.kind[2] == HALF else ""
    name += " in order" if problem.kind[2] == HALF and (problem.direction, algorithm) in EXACT_HALF_SUMS else ""
    name += " Winograd" if (problem.direction, algorithm) in WINOGRAD_NONFUSED else ""
    found.worst[name] = max(found.worst.get(name, 0.0), error)
    found.convolutions += 1
    found.within += error <= problem.tolerance(algorithm)
    if error > problem.tolerance(algorithm):
        text = f"algorithm {algorithm}: largest difference {error:.2e} of {scale:.3g}"
        found.differences.append(f"{problem.describe()}, {text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
