"""Forward convolution of the simulator against NumPy in float64, over random problems."""

import ctypes
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tests.native.simulator import (
    BFLOAT16,
    CONVOLUTION,
    CROSS_CORRELATION,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT32,
    NCHW,
    NHWC,
    Simulator,
    ints,
    packed_strides,
)

PROBLEMS = 600
EPSILON = {FLOAT: 2.0**-23, DOUBLE: 2.0**-52, HALF: 2.0**-10, BFLOAT16: 2.0**-7}
ALGORITHMS = range(8)


@dataclass(slots=True)
class Problem:
    images: int
    groups: int
    inputs: int  # channels of a group
    outputs: int  # filters of a group
    size: list[int]
    window: list[int]
    pad: list[int]
    stride: list[int]
    dilation: list[int]
    mode: int
    dtype: int
    compute: int
    layout: int
    alpha: float
    beta: float
    gaps: bool  # y has strides with gaps
    seed: int
    out: list[int] = field(default_factory=list)

    def dims(self) -> tuple[list[int], list[int], list[int]]:
        x = [self.images, self.groups * self.inputs, *self.size]
        w = [self.groups * self.outputs, self.inputs, *self.window]
        return x, w, [self.images, self.groups * self.outputs, *self.out]


def draw(rng: np.random.Generator, seed: int) -> Problem:
    rank = int(rng.choice([2, 2, 2, 2, 3]))
    pick = lambda low, high: [int(v) for v in rng.integers(low, high, rank)]  # noqa: E731
    dtype, compute = [(FLOAT, FLOAT), (FLOAT, FLOAT), (DOUBLE, DOUBLE), (HALF, FLOAT), (HALF, HALF), (BFLOAT16, FLOAT)][
        int(rng.integers(6))
    ]
    large = rng.random() < 0.3 and rank == 2
    window = pick(1, 5)
    dilation = pick(1, 3) if rng.random() < 0.3 else [1] * rank
    pad = pick(0, 4)
    reach = [(k - 1) * d + 1 for k, d in zip(window, dilation, strict=True)]
    size = [
        int(rng.integers(max(1, r - 2 * p), max(1, r - 2 * p) + (24 if large else 8)))
        for r, p in zip(reach, pad, strict=True)
    ]
    stride = pick(1, 4)
    problem = Problem(
        images=int(rng.integers(1, 4)),
        groups=int(rng.choice([1, 1, 1, 2, 3])),
        inputs=int(rng.integers(1, 24 if large else 5)),
        outputs=int(rng.integers(1, 24 if large else 5)),
        size=size,
        window=window,
        pad=pad,
        stride=stride,
        dilation=dilation,
        mode=int(rng.choice([CONVOLUTION, CROSS_CORRELATION])),
        dtype=dtype,
        compute=compute,
        layout=NCHW if rank == 3 else int(rng.choice([NCHW, NHWC])),
        alpha=float(rng.choice([1.0, 0.5, -2.0])),
        beta=float(rng.choice([0.0, 0.0, 1.0, 0.25])),
        gaps=bool(rng.random() < 0.2),
        seed=seed,
    )
    problem.out = [1 + (n + 2 * p - r) // s for n, p, r, s in zip(size, pad, reach, stride, strict=True)]
    return problem


def reference(problem: Problem, x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Convolution in float64 by its definition; x, w in N,C,… and K,C,… order."""
    if problem.mode == CONVOLUTION:
        w = np.flip(w, axis=tuple(range(2, w.ndim)))
    padded = np.pad(x, [(0, 0), (0, 0), *[(p, p) for p in problem.pad]])
    y = np.zeros((problem.images, problem.groups, problem.outputs, *problem.out))
    grouped = w.reshape(problem.groups, problem.outputs, problem.inputs, *problem.window)
    for tap in itertools.product(*[range(k) for k in problem.window]):
        window = tuple(
            slice(t * d, t * d + (o - 1) * s + 1, s)
            for t, d, o, s in zip(tap, problem.dilation, problem.out, problem.stride, strict=True)
        )
        seen = padded[(slice(None), slice(None), *window)]
        seen = seen.reshape(problem.images, problem.groups, problem.inputs, *problem.out)
        y += np.einsum("ngc...,gkc->ngk...", seen, grouped[(slice(None), slice(None), slice(None), *tap)])
    return y.reshape(problem.images, -1, *problem.out)


def encode(values: np.ndarray, dtype: int) -> np.ndarray:
    """float64 values as elements of a cuDNN type, rounded to nearest even."""
    if dtype == BFLOAT16:
        bits = values.astype(np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return values.astype(
        {FLOAT: np.float32, DOUBLE: np.float64, HALF: np.float16, INT8: np.int8, INT32: np.int32}[dtype]
    )


def decode(elements: np.ndarray, dtype: int) -> np.ndarray:
    if dtype == BFLOAT16:
        return (elements.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return elements.astype(np.float64)


def lay_out(values: np.ndarray, strides: list[int], dtype: int, fill: float) -> np.ndarray:
    """Memory of a strided tensor; what no element covers holds `fill`."""
    span = 1 + sum((d - 1) * s for d, s in zip(values.shape, strides, strict=True))
    memory = encode(np.full(span, fill), dtype)
    view = np.lib.stride_tricks.as_strided(memory, values.shape, [s * memory.itemsize for s in strides])
    view[...] = encode(values, dtype)
    return memory


def pick_out(memory: np.ndarray, dims: list[int], strides: list[int], dtype: int) -> np.ndarray:
    view = np.lib.stride_tricks.as_strided(memory, dims, [s * memory.itemsize for s in strides])
    return decode(view.copy(), dtype)


class Run:
    """One problem on the simulator, and the answer it should give."""

    def __init__(self, sim: Simulator, problem: Problem) -> None:
        self.sim, self.problem = sim, problem
        rng = np.random.default_rng(problem.seed)
        x_dims, w_dims, y_dims = problem.dims()
        self.y_dims = y_dims
        draw_values = lambda dims: decode(encode(rng.standard_normal(dims), problem.dtype), problem.dtype)  # noqa: E731
        self.x, self.w, self.old = draw_values(x_dims), draw_values(w_dims), draw_values(y_dims)
        x_strides = packed_strides(x_dims, problem.layout)
        self.y_strides = packed_strides(y_dims, problem.layout)
        if problem.gaps:
            self.y_strides = [2 * stride for stride in self.y_strides]
        dtype = problem.dtype
        self.x_desc = sim.tensor(dtype, x_dims, x_strides)
        self.w_desc = sim.filter(dtype, problem.layout, w_dims)
        self.y_desc = sim.tensor(dtype, y_dims, self.y_strides)
        self.conv = sim.create("Convolution")
        sim.must(
            sim.dnn.cudnnSetConvolutionNdDescriptor(
                self.conv,
                len(problem.pad),
                ints(problem.pad),
                ints(problem.stride),
                ints(problem.dilation),
                problem.mode,
                problem.compute,
            )
        )
        sim.must(sim.dnn.cudnnSetConvolutionGroupCount(self.conv, problem.groups))
        w_strides = packed_strides(w_dims, problem.layout)
        self.device_x = sim.to_device(lay_out(self.x, x_strides, dtype, 0.0))
        self.device_w = sim.to_device(lay_out(self.w, w_strides, dtype, 0.0))

    def algorithms(self) -> list[int]:
        size = ctypes.c_size_t()
        query = self.sim.dnn.cudnnGetConvolutionForwardWorkspaceSize
        descriptors = (self.sim.handle, self.x_desc, self.w_desc, self.conv, self.y_desc)
        return [a for a in ALGORITHMS if query(*descriptors, a, ctypes.byref(size)) == 0]

    def forward(self, algorithm: int) -> np.ndarray:
        problem, sim = self.problem, self.sim
        size = ctypes.c_size_t()
        descriptors = (sim.handle, self.x_desc, self.w_desc, self.conv, self.y_desc)
        sim.must(sim.dnn.cudnnGetConvolutionForwardWorkspaceSize(*descriptors, algorithm, ctypes.byref(size)))
        workspace = sim.malloc(size.value) if size.value else ctypes.c_void_p()
        # With beta 0 the old content may be anything, NaN too.
        old = self.old if problem.beta else np.full(self.y_dims, 1.0 if problem.dtype in (INT8, INT32) else np.nan)
        memory = lay_out(old, self.y_strides, problem.dtype, 7.0)
        device_y = sim.to_device(memory)
        scalar: Any = ctypes.c_double if problem.dtype == DOUBLE else ctypes.c_float
        sim.must(
            sim.dnn.cudnnConvolutionForward(
                sim.handle,
                ctypes.byref(scalar(problem.alpha)),
                self.x_desc,
                self.device_x,
                self.w_desc,
                self.device_w,
                self.conv,
                algorithm,
                workspace,
                size,
                ctypes.byref(scalar(problem.beta)),
                self.y_desc,
                device_y,
            )
        )
        after = sim.to_host(device_y, memory)
        sim.free(device_y, workspace)
        self.check_gaps(memory, after)
        return pick_out(after, self.y_dims, self.y_strides, problem.dtype)

    def check_gaps(self, before: np.ndarray, after: np.ndarray) -> None:
        untouched = np.ones(before.shape, dtype=bool)
        strides = [stride * untouched.itemsize for stride in self.y_strides]
        np.lib.stride_tricks.as_strided(untouched, self.y_dims, strides)[...] = False
        assert np.array_equal(before[untouched], after[untouched]), "wrote between the elements of y"

    def expected(self) -> np.ndarray:
        result = self.problem.alpha * reference(self.problem, self.x, self.w)
        return result + (self.problem.beta * self.old if self.problem.beta else 0.0)

    def tolerance(self) -> np.ndarray:
        """Error bound: rounding of the sum of |products|, and of the element that it is stored in."""
        problem = self.problem
        magnitude = reference(problem, np.abs(self.x), np.abs(self.w))
        sums = EPSILON[DOUBLE if problem.dtype == DOUBLE else HALF if problem.compute == HALF else FLOAT]
        stored = EPSILON[problem.dtype]
        return abs(problem.alpha) * magnitude * sums * 8 + (np.abs(self.expected()) + 1e-6) * stored * 2

    def close(self) -> None:
        dnn = self.sim.dnn
        self.sim.free(self.device_x, self.device_w)
        dnn.cudnnDestroyTensorDescriptor(self.x_desc)
        dnn.cudnnDestroyTensorDescriptor(self.y_desc)
        dnn.cudnnDestroyFilterDescriptor(self.w_desc)
        dnn.cudnnDestroyConvolutionDescriptor(self.conv)


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


def test_random_problems_agree_with_numpy(sim: Simulator, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(20261201)
    runs, wrong, worst = 0, [], 0.0
    for number in range(PROBLEMS):
        problem = draw(rng, number)
        run = Run(sim, problem)
        expected, tolerance = run.expected(), run.tolerance()
        algorithms = run.algorithms()
        assert algorithms, f"no algorithm supports {problem}"
        for algorithm in algorithms:
            error = np.abs(run.forward(algorithm) - expected) / tolerance
            runs += 1
            worst = max(worst, float(error.max()))
            if not error.max() <= 1.0:
                wrong.append((problem, algorithm, float(error.max())))
        run.close()
    with capsys.disabled():
        print(
            f"\nforward convolution: {runs - len(wrong)} of {runs} runs of {PROBLEMS} problems agree with NumPy float64"
            f" (largest error is {worst:.2f} of the tolerance)"
        )
    assert not wrong, wrong[:3]


@pytest.mark.parametrize("y_dtype", [INT8, FLOAT, INT32])
def test_integer_convolution_is_exact(sim: Simulator, y_dtype: int) -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(-9, 9, (2, 8, 7, 6)).astype(np.float64)
    w = rng.integers(-3, 3, (4, 8, 3, 3)).astype(np.float64)
    problem = Problem(
        2,
        1,
        8,
        4,
        [7, 6],
        [3, 3],
        [1, 1],
        [1, 1],
        [1, 1],
        CROSS_CORRELATION,
        INT8,
        INT32,
        NHWC,
        1.0,
        0.0,
        False,
        0,
        [7, 6],
    )
    expected = reference(problem, x, w)
    if y_dtype == INT8:
        expected = np.clip(expected, -128, 127)
    run = Run(sim, problem)
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(run.y_desc, NHWC, y_dtype, 2, 4, 7, 6))
    device_x = sim.to_device(lay_out(x, packed_strides(x.shape, NHWC), INT8, 0))
    device_w = sim.to_device(lay_out(w, packed_strides(w.shape, NHWC), INT8, 0))
    memory = lay_out(np.zeros(expected.shape), packed_strides(expected.shape, NHWC), y_dtype, 0)
    device_y = sim.to_device(memory)
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    sim.must(
        sim.dnn.cudnnConvolutionForward(
            sim.handle,
            ctypes.byref(one),
            run.x_desc,
            device_x,
            run.w_desc,
            device_w,
            run.conv,
            0,
            None,
            ctypes.c_size_t(0),
            ctypes.byref(zero),
            run.y_desc,
            device_y,
        )
    )
    after = sim.to_host(device_y, memory)
    got = pick_out(after, list(expected.shape), packed_strides(expected.shape, NHWC), y_dtype)
    assert np.array_equal(got, expected)


def test_cross_correlation_and_convolution_differ_by_the_flip(sim: Simulator) -> None:
    x = np.arange(10, dtype=np.float64).reshape(1, 1, 5, 2)
    w = np.array([1.0, 2.0]).reshape(1, 1, 2, 1)
    answers = {}
    for mode in (CROSS_CORRELATION, CONVOLUTION):
        problem = Problem(
            1, 1, 1, 1, [5, 2], [2, 1], [0, 0], [1, 1], [1, 1], mode, FLOAT, FLOAT, NCHW, 1.0, 0.0, False, 0, [4, 2]
        )
        run = Run(sim, problem)
        run.device_x, run.device_w = sim.to_device(x.astype(np.float32)), sim.to_device(w.astype(np.float32))
        answers[mode] = run.forward(0)[0, 0].tolist()
    assert answers[CROSS_CORRELATION] == [[4, 7], [10, 13], [16, 19], [22, 25]]
    assert answers[CONVOLUTION] == [[2, 5], [8, 11], [14, 17], [20, 23]]


def test_float_scalars_for_double_tensors_give_garbage_not_an_error(sim: Simulator) -> None:
    problem = Problem(
        1,
        1,
        2,
        2,
        [4, 4],
        [3, 3],
        [1, 1],
        [1, 1],
        [1, 1],
        CROSS_CORRELATION,
        DOUBLE,
        DOUBLE,
        NCHW,
        1.0,
        0.0,
        False,
        1,
        [4, 4],
    )
    run = Run(sim, problem)
    scalars = (ctypes.c_float * 4)(1.0, 0.0, 0.0, 0.0)  # a float 1 and zeros, read as a double: about 5e-315
    memory = np.zeros((1, 2, 4, 4))
    device_y = sim.to_device(memory)
    sim.must(
        sim.dnn.cudnnConvolutionForward(
            sim.handle,
            ctypes.byref(scalars),
            run.x_desc,
            run.device_x,
            run.w_desc,
            run.device_w,
            run.conv,
            0,
            None,
            ctypes.c_size_t(0),
            ctypes.byref(ctypes.c_double(0)),
            run.y_desc,
            device_y,
        )
    )
    assert np.abs(sim.to_host(device_y, memory)).max() < 1e-300
