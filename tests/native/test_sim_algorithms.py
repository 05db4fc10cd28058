"""Forward algorithms: support, workspaces, lists and refusals, against what cuDNN 9.19 answered on an H200."""

import ctypes
from dataclasses import dataclass

import numpy as np
import pytest

from tests.native.simulator import (
    BAD_PARAM,
    BFLOAT16,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT32,
    NCHW,
    NHWC,
    NOT_SUPPORTED,
    SUCCESS,
    Perf,
    Simulator,
)

IMPLICIT, PRECOMP, GEMM, DIRECT, FFT, TILING, WINOGRAD, NONFUSED = range(8)
DEFAULT_MATH, TENSOR_OP, ALLOW_CONVERSION, FMA = range(4)
NO = None  # not supported
UNEXPECTED_VALUE = 4002


@dataclass(frozen=True)
class Case:
    """A problem with 16x16 outputs, and the workspace of each algorithm on the H200."""

    name: str
    sizes: list[int | None]
    images: int = 2
    inputs: int = 8
    outputs: int = 16
    size: int = 16
    window: int = 3
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    dtype: int = FLOAT
    compute: int = FLOAT
    math: int = DEFAULT_MATH
    x_layout: int = NCHW
    w_layout: int = NCHW
    y_layout: int = NCHW

    def output(self) -> int:
        reach = (self.window - 1) * self.dilation + 1
        pad = reach // 2
        return 1 + (self.size + 2 * pad - reach) // self.stride


NHWC_ALL = {"x_layout": NHWC, "w_layout": NHWC, "y_layout": NHWC}
HALF_NHWC = {"dtype": HALF, **NHWC_ALL}
CASES = [
    Case("float", [0, 1024, 0, NO, 1257984, 765952, NO, 903168]),
    Case("float-fma", [0, 1024, 0, NO, 1257984, 765952, NO, 903168], math=FMA),
    Case("float-5x5", [0, 1024, 0, NO, 1266176, 765952, NO, 1124864], window=5),
    Case("float-7x7-stride-2", [0, 1024, 0, NO, NO, 539648, NO, NO], inputs=3, size=32, window=7, stride=2),
    Case("float-dilation-2", [0, 1024, 0, NO, NO, NO, NO, NO], dilation=2),
    Case("float-depthwise", [0, 0, 0, NO, 242176, 206976, NO, 590976], outputs=8, groups=8),
    Case("float-groups-2", [0, 51232, 0, NO, 747808, 536608, NO, 893952], groups=2),
    Case("float-nhwc", [0, 0, NO, NO, NO, NO, NO, NO], **NHWC_ALL),
    Case("float-x-nchw-w-nhwc", [NO] * 8, w_layout=NHWC),
    Case("float-y-nhwc", [0, 21008, 0, NO, NO, NO, NO, 903168], y_layout=NHWC),
    Case("half-float-nchw", [0, 0, 0, NO, 1257984, 765952, NO, 903168], dtype=HALF),
    Case("half-float-nhwc-tensor-op", [0, 64, NO, NO, NO, NO, NO, NO], math=TENSOR_OP, **HALF_NHWC),
    Case("half-float-nhwc-3-channels", [0, 64, NO, NO, NO, NO, NO, NO], inputs=3, math=TENSOR_OP, **HALF_NHWC),
    Case("half-half-nchw", [0, 0, NO, NO, NO, NO, NO, 451584], dtype=HALF, compute=HALF),
    Case("bfloat16-nhwc", [0, 0, NO, NO, NO, NO, NO, NO], dtype=BFLOAT16, **NHWC_ALL),
    Case("double", [0, 0, 0, NO, NO, NO, NO, NO], dtype=DOUBLE, compute=DOUBLE),
    Case("double-float", [NO] * 8, dtype=DOUBLE, compute=FLOAT),
    Case("int8-nhwc", [0, 0, NO, NO, NO, NO, NO, NO], dtype=INT8, compute=INT32, **NHWC_ALL),
    Case("int8-nchw", [NO] * 8, dtype=INT8, compute=INT32),
    Case("int8-nhwc-3-channels", [NO] * 8, inputs=3, dtype=INT8, compute=INT32, **NHWC_ALL),
]
# The heuristic's order on the H200, as (algorithm, math type).
FAILING = [GEMM, TILING, FFT, NONFUSED, WINOGRAD, DIRECT]


def with_math(algorithms: list[int], math: int = DEFAULT_MATH) -> list[tuple[int, int]]:
    return [(algorithm, math) for algorithm in algorithms]


RANKED = {
    "float": with_math([PRECOMP, IMPLICIT, GEMM, FFT, TILING, NONFUSED, WINOGRAD, DIRECT]),
    "float-fma": with_math([PRECOMP, IMPLICIT, GEMM, FFT, TILING, NONFUSED, WINOGRAD, DIRECT], FMA),
    "float-7x7-stride-2": with_math([PRECOMP, IMPLICIT, GEMM, TILING, FFT, NONFUSED, WINOGRAD, DIRECT]),
    "float-nhwc": with_math([PRECOMP, IMPLICIT, *FAILING]),
    "half-float-nchw": with_math([PRECOMP, IMPLICIT, GEMM, TILING, FFT, NONFUSED, WINOGRAD, DIRECT]),
    "half-float-nhwc-tensor-op": [
        (PRECOMP, TENSOR_OP),
        *with_math([PRECOMP, IMPLICIT, *FAILING]),
        (NONFUSED, TENSOR_OP),
    ],
    "half-half-nchw": with_math([PRECOMP, IMPLICIT, NONFUSED, GEMM, TILING, FFT, WINOGRAD, DIRECT]),
    "double": with_math([PRECOMP, IMPLICIT, *FAILING]),
}


class Problem:
    """The descriptors of a case."""

    def __init__(self, sim: Simulator, case: Case) -> None:
        self.sim, self.case = sim, case
        self.x, self.y = sim.create("Tensor"), sim.create("Tensor")
        self.w, self.conv = sim.create("Filter"), sim.create("Convolution")
        dnn, out = sim.dnn, case.output()
        pad = ((case.window - 1) * case.dilation + 1) // 2
        sim.must(
            dnn.cudnnSetTensor4dDescriptor(
                self.x, case.x_layout, case.dtype, case.images, case.inputs, case.size, case.size
            )
        )
        sim.must(dnn.cudnnSetTensor4dDescriptor(self.y, case.y_layout, case.dtype, case.images, case.outputs, out, out))
        sim.must(
            dnn.cudnnSetFilter4dDescriptor(
                self.w, case.dtype, case.w_layout, case.outputs, case.inputs // case.groups, case.window, case.window
            )
        )
        sim.must(
            dnn.cudnnSetConvolution2dDescriptor(
                self.conv, pad, pad, case.stride, case.stride, case.dilation, case.dilation, 1, case.compute
            )
        )
        sim.must(dnn.cudnnSetConvolutionGroupCount(self.conv, case.groups))
        sim.must(dnn.cudnnSetConvolutionMathType(self.conv, case.math))

    def workspace(self, algorithm: int) -> tuple[int, int]:
        size = ctypes.c_size_t(77)
        status = self.sim.dnn.cudnnGetConvolutionForwardWorkspaceSize(
            self.sim.handle, self.x, self.w, self.conv, self.y, algorithm, ctypes.byref(size)
        )
        return status, size.value

    def listed(self, function: str, requested: int = 10) -> tuple[int, list[Perf]]:
        perfs, count = (Perf * 10)(), ctypes.c_int(-1)
        status = getattr(self.sim.dnn, function)(
            self.sim.handle, self.x, self.w, self.conv, self.y, requested, ctypes.byref(count), perfs
        )
        return status, list(perfs[: max(count.value, 0)])

    def buffers(self) -> tuple[ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]:
        x, w = np.zeros(1 << 18, np.uint8), np.zeros(1 << 18, np.uint8)
        return self.sim.to_device(x), self.sim.to_device(w), self.sim.to_device(np.zeros(1 << 20, np.uint8))

    def forward(self, algorithm: int, workspace: ctypes.c_void_p | None, size: int) -> int:
        x, w, y = self.buffers()
        scalar = ctypes.c_double if self.case.dtype == DOUBLE else ctypes.c_float
        status = self.sim.dnn.cudnnConvolutionForward(
            self.sim.handle,
            ctypes.byref(scalar(1)),
            self.x,
            x,
            self.w,
            w,
            self.conv,
            algorithm,
            workspace,
            ctypes.c_size_t(size),
            ctypes.byref(scalar(0)),
            self.y,
            y,
        )
        assert self.sim.rt.cudaDeviceSynchronize() == 0
        self.sim.free(x, w, y)
        return int(status)


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_support_and_workspaces(sim: Simulator, case: Case) -> None:
    problem = Problem(sim, case)
    answers = [problem.workspace(algorithm) for algorithm in range(8)]
    assert [size if status == SUCCESS else NO for status, size in answers] == case.sizes
    assert all(status in (SUCCESS, NOT_SUPPORTED) for status, _ in answers)
    assert all(size == 77 for status, size in answers if status != SUCCESS), "a refused query must not write"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_supported_runs_and_what_is_not_is_refused(sim: Simulator, case: Case) -> None:
    problem = Problem(sim, case)
    for algorithm, size in enumerate(case.sizes):
        workspace = sim.malloc(size) if size else None
        assert problem.forward(algorithm, workspace, size or 0) == (NOT_SUPPORTED if size is NO else SUCCESS)


@pytest.mark.parametrize("name", RANKED)
def test_heuristic_list(sim: Simulator, name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    status, perfs = Problem(sim, case).listed("cudnnGetConvolutionForwardAlgorithm_v7")
    assert status == SUCCESS
    assert [(perf.algo, perf.mathType) for perf in perfs] == RANKED[name]
    assert all(perf.time == -1 and perf.determinism == 1 for perf in perfs)
    for perf in perfs:
        expected = case.sizes[perf.algo] if perf.mathType == case.math or case.math != TENSOR_OP else 0
        supported = case.sizes[perf.algo] is not NO
        assert perf.status == (SUCCESS if supported else NOT_SUPPORTED)
        assert perf.memory == (expected or 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_search_lists_the_same_entries_by_time(sim: Simulator, case: Case) -> None:
    problem = Problem(sim, case)
    _, ranked = problem.listed("cudnnGetConvolutionForwardAlgorithm_v7")
    status, found = problem.listed("cudnnFindConvolutionForwardAlgorithm")
    assert status == SUCCESS
    key = lambda perf: (perf.algo, perf.mathType, perf.status, perf.memory)  # noqa: E731
    assert sorted(map(key, found)) == sorted(map(key, ranked))
    times = [perf.time for perf in found if perf.status == SUCCESS]
    assert times == sorted(times)
    assert all(time > 0 for time in times)
    failed = [perf.status != SUCCESS for perf in found]
    assert failed == sorted(failed), "what failed comes last"
    assert all(perf.time == -1 for perf in found if perf.status != SUCCESS)


# Algorithm, its workspace less so many bytes -> status on the H200.
SMALL = [
    ("float", PRECOMP, 0, SUCCESS), ("float", PRECOMP, 1, SUCCESS), ("float", PRECOMP, 1024, SUCCESS),
    ("float", FFT, 0, SUCCESS), ("float", FFT, 1, BAD_PARAM), ("float", FFT, 1257984, BAD_PARAM),
    ("float", TILING, 1, BAD_PARAM), ("float", TILING, 765952, BAD_PARAM),
    ("float", NONFUSED, 1, BAD_PARAM), ("float", NONFUSED, 903168, BAD_PARAM),
    ("float-groups-2", PRECOMP, 1, SUCCESS), ("float-groups-2", PRECOMP, 51232, BAD_PARAM),
    ("float-y-nhwc", PRECOMP, 1, BAD_PARAM), ("float-y-nhwc", PRECOMP, 21008, BAD_PARAM),
    ("half-float-nhwc-tensor-op", PRECOMP, 1, SUCCESS), ("half-float-nhwc-tensor-op", PRECOMP, 64, SUCCESS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "algorithm", "less", "status"), SMALL)
def test_a_workspace_that_is_too_small(sim: Simulator, name: str, algorithm: int, less: int, status: int) -> None:
    case = next(case for case in CASES if case.name == name)
    size = (case.sizes[algorithm] or 0) - less
    assert Problem(sim, case).forward(algorithm, sim.malloc(max(size, 1)), size) == status


def test_a_null_workspace_is_refused_whatever_size_is_claimed(sim: Simulator) -> None:
    assert Problem(sim, CASES[0]).forward(FFT, None, 1257984) == BAD_PARAM


@pytest.mark.parametrize("algorithm", [-1, 8, 99])
def test_unknown_algorithms(sim: Simulator, algorithm: int) -> None:
    problem = Problem(sim, CASES[0])
    assert problem.workspace(algorithm) == (NOT_SUPPORTED, 77)
    assert problem.forward(algorithm, None, 0) == NOT_SUPPORTED


@pytest.mark.parametrize(("requested", "count"), [(-1, 8), (0, 0), (1, 1), (3, 3), (8, 8), (10, 8)])
def test_heuristic_list_length(sim: Simulator, requested: int, count: int) -> None:
    status, perfs = Problem(sim, CASES[0]).listed("cudnnGetConvolutionForwardAlgorithm_v7", requested)
    assert (status, len(perfs)) == (SUCCESS, count)


@pytest.mark.parametrize("requested", [-1, 0])
def test_a_search_for_nothing_is_refused(sim: Simulator, requested: int) -> None:
    status, _ = Problem(sim, CASES[0]).listed("cudnnFindConvolutionForwardAlgorithm", requested)
    assert status == BAD_PARAM


def test_greatest_number_of_entries(sim: Simulator) -> None:
    count = ctypes.c_int()
    sim.must(sim.dnn.cudnnGetConvolutionForwardAlgorithmMaxCount(sim.handle, ctypes.byref(count)))
    assert count.value == 10
    assert sim.dnn.cudnnGetConvolutionForwardAlgorithmMaxCount(sim.handle, None) == BAD_PARAM
    assert sim.dnn.cudnnGetConvolutionForwardAlgorithmMaxCount(None, ctypes.byref(count)) == BAD_PARAM


# Dimensions that do not belong together: how y or x is changed.
MISFITS = {
    "y-narrow": ("y", (2, 16, 16, 15)), "y-channels": ("y", (2, 15, 16, 16)), "y-images": ("y", (3, 16, 16, 16)),
    "x-channels": ("x", (2, 9, 16, 16)), "filter-larger": ("x", (2, 8, 0 + 1, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", MISFITS)
def test_dimensions_that_do_not_fit(sim: Simulator, name: str) -> None:
    problem = Problem(sim, CASES[0])
    which, dims = MISFITS[name]
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(getattr(problem, which), NCHW, FLOAT, *dims))
    assert problem.workspace(IMPLICIT) == (BAD_PARAM, 77)
    assert problem.listed("cudnnGetConvolutionForwardAlgorithm_v7")[0] == BAD_PARAM
    assert problem.forward(IMPLICIT, None, 0) == BAD_PARAM


def test_types_that_do_not_fit_are_not_supported(sim: Simulator) -> None:
    problem = Problem(sim, CASES[0])
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(problem.x, NCHW, HALF, 2, 8, 16, 16))
    assert problem.workspace(IMPLICIT) == (NOT_SUPPORTED, 77)
    assert problem.forward(IMPLICIT, None, 0) == NOT_SUPPORTED


def test_strided_tensors(sim: Simulator) -> None:
    problem = Problem(sim, CASES[0])
    sim.must(sim.dnn.cudnnSetTensor4dDescriptorEx(problem.x, FLOAT, 2, 8, 16, 16, 4096, 512, 32, 2))
    statuses = [problem.workspace(algorithm)[0] for algorithm in (IMPLICIT, PRECOMP, GEMM, FFT, NONFUSED)]
    assert statuses == [SUCCESS, SUCCESS, SUCCESS, NOT_SUPPORTED, SUCCESS]
    sim.must(sim.dnn.cudnnSetTensor4dDescriptorEx(problem.x, FLOAT, 2, 8, 16, 16, 2048, 256, 17, 1))
    assert problem.workspace(IMPLICIT)[0] == BAD_PARAM, "overlapping elements"
    sim.must(sim.dnn.cudnnSetTensor4dDescriptorEx(problem.x, FLOAT, 2, 8, 16, 16, 2048, 256, 16, -1))
    assert problem.workspace(IMPLICIT)[0] == BAD_PARAM, "a negative stride"


def test_search_with_memory_overwrites_y_and_reports_what_lacks_workspace(sim: Simulator) -> None:
    problem = Problem(sim, CASES[0])
    x, w = sim.to_device(np.ones(4096, np.float32)), sim.to_device(np.ones(1152, np.float32))
    before = np.full(8192, 7, np.float32)
    y, workspace = sim.to_device(before), sim.malloc(4096)
    perfs, count = (Perf * 10)(), ctypes.c_int()
    sim.must(
        sim.dnn.cudnnFindConvolutionForwardAlgorithmEx(
            sim.handle,
            problem.x,
            x,
            problem.w,
            w,
            problem.conv,
            problem.y,
            y,
            10,
            ctypes.byref(count),
            perfs,
            workspace,
            ctypes.c_size_t(4096),
        )
    )
    statuses = {perf.algo: perf.status for perf in perfs[: count.value]}
    assert statuses == {
        IMPLICIT: SUCCESS, PRECOMP: SUCCESS, GEMM: SUCCESS, FFT: UNEXPECTED_VALUE, TILING: UNEXPECTED_VALUE,
        NONFUSED: UNEXPECTED_VALUE, WINOGRAD: NOT_SUPPORTED, DIRECT: NOT_SUPPORTED,
    }  # fmt: skip
    after = sim.to_host(y, before)
    assert after[17] == 72, "y holds the convolution of ones"
    assert not np.array_equal(before, after)
