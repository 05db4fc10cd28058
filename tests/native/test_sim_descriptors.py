"""Descriptors and handles: their lives, their edges, and what a refused call leaves behind."""

import ctypes
import json
import os
import signal
from collections.abc import Callable

import pytest

from tests.native.simulator import (
    BAD_PARAM,
    FLOAT,
    NCHW,
    NHWC,
    NOT_SUPPORTED,
    SUCCESS,
    Simulator,
    ints,
    run_program,
)

INT8X4, INT64 = 5, 10
VECTORS = 2
KINDS = ["Tensor", "Filter", "Convolution"]


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


def contents(sim: Simulator, tensor: ctypes.c_void_p) -> tuple[int, list[int], list[int], int]:
    """Type, dims, strides and size in bytes."""
    dtype, rank, size = ctypes.c_int(), ctypes.c_int(), ctypes.c_size_t()
    dims, strides = ints([0] * 8), ints([0] * 8)
    sim.must(sim.dnn.cudnnGetTensorNdDescriptor(tensor, 8, ctypes.byref(dtype), ctypes.byref(rank), dims, strides))
    sim.must(sim.dnn.cudnnGetTensorSizeInBytes(tensor, ctypes.byref(size)))
    return dtype.value, list(dims)[: rank.value], list(strides)[: rank.value], size.value


@pytest.mark.parametrize("kind", KINDS)
def test_null_is_destroyed_without_complaint_and_not_created(sim: Simulator, kind: str) -> None:
    assert getattr(sim.dnn, f"cudnnDestroy{kind}Descriptor")(None) == SUCCESS
    assert getattr(sim.dnn, f"cudnnCreate{kind}Descriptor")(None) == BAD_PARAM
    assert sim.dnn.cudnnDestroy(None) == SUCCESS
    assert sim.dnn.cudnnCreate(None) == BAD_PARAM


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_destroy_is_refused_and_named(native_build: object, kind: str) -> None:
    outcome = run_program(
        f"sim.create('{kind}'); d = sim.create('{kind}')\n"
        f"print([sim.dnn.cudnnDestroy{kind}Descriptor(d) for _ in range(3)])"
    )
    assert outcome.stdout.strip() == "[0, 2000, 2000]"
    notes = [json.loads(line) for line in outcome.notes]
    assert [(note["note"], note["kind"], note["id"]) for note in notes] == [
        ("double_destroy", kind.lower(), f"{kind.lower()}#2")
    ] * 2


def test_use_after_destroy_is_refused_and_named(native_build: object) -> None:
    outcome = run_program(
        """
d = sim.create("Tensor")
sim.dnn.cudnnDestroyTensorDescriptor(d)
print(sim.dnn.cudnnSetTensor4dDescriptor(d, 0, 0, 1, 1, 1, 1), sim.last_error() != "")
h = ctypes.c_void_p(sim.handle.value)
print(sim.dnn.cudnnDestroy(h), sim.dnn.cudnnSetStream(h, None), sim.dnn.cudnnDestroy(h))
"""
    )
    assert outcome.stdout.split() == ["2000", "True", "0", "2000", "2000"]
    named = [(note["note"], note["kind"], note["function"]) for note in map(json.loads, outcome.notes)]
    assert named == [
        ("use_after_destroy", "tensor", "cudnnSetTensor4dDescriptor"),
        ("use_after_destroy", "handle", "cudnnSetStream"),
        ("double_destroy", "handle", "cudnnDestroy"),
    ]


def test_a_descriptor_of_another_kind_is_refused(native_build: object) -> None:
    outcome = run_program(
        """
w = sim.create("Filter")
print(sim.dnn.cudnnSetTensor4dDescriptor(w, 0, 0, 1, 1, 1, 1), sim.dnn.cudnnDestroyTensorDescriptor(w))
print(sim.dnn.cudnnGetTensorSizeInBytes(ctypes.c_void_p(12345), ctypes.byref(ctypes.c_size_t())))
print(sim.dnn.cudnnDestroyFilterDescriptor(w))
"""
    )
    assert outcome.stdout.split() == ["2000", "2000", "2000", "0"]
    assert [json.loads(line)["note"] for line in outcome.notes] == ["not_an_object"] * 3


def test_a_new_descriptor_is_never_mistaken_for_an_old_one(sim: Simulator) -> None:
    seen = set()
    for _ in range(200):
        descriptor = sim.create("Tensor")
        assert descriptor.value not in seen
        seen.add(descriptor.value)
        sim.must(sim.dnn.cudnnDestroyTensorDescriptor(descriptor))


@pytest.mark.parametrize(("layout", "strides"), [(NCHW, [60, 20, 5, 1]), (NHWC, [60, 1, 15, 3])])
def test_layouts(sim: Simulator, layout: int, strides: list[int]) -> None:
    tensor = sim.create("Tensor")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(tensor, layout, FLOAT, 2, 3, 4, 5))
    assert contents(sim, tensor) == (FLOAT, [2, 3, 4, 5], strides, 480)


# Arguments after the descriptor → status.
REFUSED = [
    ((NCHW, FLOAT, 5, 0, 24, 78), BAD_PARAM),  # a batch norm whose channels collapsed to 0
    ((NCHW, FLOAT, 0, 3, 8, 8), BAD_PARAM),  # an empty mini-batch
    ((NCHW, INT64, 1, 1, 1, 1), BAD_PARAM),
    ((9, FLOAT, 1, 1, 1, 1), BAD_PARAM),
    ((NCHW, FLOAT, 2, 1024, 1024, 1024), NOT_SUPPORTED),
    ((VECTORS, FLOAT, 1, 4, 1, 1), BAD_PARAM),
    ((VECTORS, INT8X4, 1, 3, 600, 960), BAD_PARAM),
    ((VECTORS, INT8X4, 1, 4, 600, 960), SUCCESS),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "status"), REFUSED)
def test_refused_tensors(sim: Simulator, arguments: tuple[int, ...], status: int) -> None:
    assert sim.dnn.cudnnSetTensor4dDescriptor(sim.create("Tensor"), *arguments) == status


def test_size_follows_the_strides(sim: Simulator) -> None:
    tensor = sim.create("Tensor")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptorEx(tensor, FLOAT, 2, 3, 4, 5, 100, 30, 6, 1))
    assert contents(sim, tensor)[3] == 4 * (1 + 100 + 60 + 18 + 4)
    assert sim.dnn.cudnnSetTensor4dDescriptorEx(tensor, FLOAT, 2, 3, 4, 5, 0, 30, 6, 1) == BAD_PARAM
    sim.must(sim.dnn.cudnnSetTensor4dDescriptorEx(tensor, FLOAT, 1, 3, 4, 5, 0, 30, 6, 1))


def test_a_fresh_descriptor_is_all_zeros(sim: Simulator) -> None:
    assert contents(sim, sim.create("Tensor")) == (0, [], [], 0)


# Size, window, padding, stride, dilation → output; None where the window does not fit.
OUTPUTS = [
    (224, 7, 3, 2, 1, 112), (7, 3, 1, 2, 1, 4), (8, 3, 0, 1, 2, 4), (8, 3, 10, 1, 1, 26), (4, 5, 0, 2, 1, None),
    (5, 5, 0, 3, 1, 1), (1, 1, 0, 1, 1, 1), (6, 3, 0, 2, 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(("size", "window", "pad", "stride", "dilation", "out"), OUTPUTS)
def test_output_dimensions(
    sim: Simulator, size: int, window: int, pad: int, stride: int, dilation: int, out: int | None
) -> None:
    x, w, conv = sim.create("Tensor"), sim.create("Filter"), sim.create("Convolution")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, FLOAT, 2, 3, size, size))
    sim.must(sim.dnn.cudnnSetFilter4dDescriptor(w, FLOAT, NCHW, 4, 3, window, window))
    sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, dilation, dilation, 1, FLOAT))
    dims = [ctypes.c_int(-1) for _ in range(4)]
    status = sim.dnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w, *map(ctypes.byref, dims))
    expected = [2, 4, 0, 0] if out is None else [2, 4, out, out]
    assert (status, [dim.value for dim in dims]) == (BAD_PARAM if out is None else SUCCESS, expected)


def test_channels_must_match_for_output_dimensions(sim: Simulator) -> None:
    x, w, conv = sim.create("Tensor"), sim.create("Filter"), sim.create("Convolution")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, FLOAT, 2, 4, 8, 8))
    sim.must(sim.dnn.cudnnSetFilter4dDescriptor(w, FLOAT, NCHW, 7, 2, 3, 3))
    sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, 1, FLOAT))
    dims = [ctypes.c_int(-1) for _ in range(4)]
    ask = lambda: sim.dnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w, *map(ctypes.byref, dims))  # noqa: E731
    assert (ask(), [dim.value for dim in dims]) == (BAD_PARAM, [0, 0, 0, 0])
    sim.must(sim.dnn.cudnnSetConvolutionGroupCount(conv, 2))
    assert (ask(), [dim.value for dim in dims]) == (SUCCESS, [2, 7, 8, 8]), "groups need not divide K here"


def test_convolution_descriptor_keeps_math_type_and_groups(sim: Simulator) -> None:
    conv, value = sim.create("Convolution"), ctypes.c_int()
    sim.must(sim.dnn.cudnnSetConvolutionMathType(conv, 3))
    sim.must(sim.dnn.cudnnSetConvolutionGroupCount(conv, 5))
    sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, 1, FLOAT))
    sim.must(sim.dnn.cudnnGetConvolutionMathType(conv, ctypes.byref(value)))
    assert value.value == 3
    sim.must(sim.dnn.cudnnGetConvolutionGroupCount(conv, ctypes.byref(value)))
    assert value.value == 5
    assert sim.dnn.cudnnSetConvolutionGroupCount(conv, 0) == BAD_PARAM
    assert sim.dnn.cudnnSetConvolutionMathType(conv, 4) == BAD_PARAM
    assert sim.dnn.cudnnSetConvolution2dDescriptor(conv, -1, 0, 1, 1, 1, 1, 1, FLOAT) == BAD_PARAM
    assert sim.dnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 0, 1, 1, 1, FLOAT) == BAD_PARAM
    assert sim.dnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, 1, 9) == BAD_PARAM, "bfloat16 cannot sum"


def test_last_error_is_kept_over_a_success_and_read_once(sim: Simulator) -> None:
    tensor = sim.create("Tensor")
    sim.dnn.cudnnSetTensor4dDescriptor(tensor, NCHW, FLOAT, 0, 1, 1, 1)
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(tensor, NCHW, FLOAT, 1, 1, 1, 1))
    short = ctypes.create_string_buffer(4)
    sim.dnn.cudnnGetLastErrorString(short, ctypes.c_size_t(4))
    assert len(short.value) == 3
    assert sim.last_error() == ""


def test_versions_and_names(sim: Simulator) -> None:
    for name in ("cudnnGetVersion", "cudnnGetCudartVersion"):
        getattr(sim.dnn, name).restype = ctypes.c_size_t
    assert (sim.dnn.cudnnGetVersion(), sim.dnn.cudnnGetCudartVersion()) == (91900, 12090)
    value = ctypes.c_int()
    parts = []
    for part in range(3):
        sim.must(sim.dnn.cudnnGetProperty(part, ctypes.byref(value)))
        parts.append(value.value)
    assert parts == [9, 19, 0]
    assert sim.dnn.cudnnGetProperty(3, ctypes.byref(value)) == BAD_PARAM
    sim.dnn.cudnnGetErrorString.restype = ctypes.c_char_p
    names = {code: sim.dnn.cudnnGetErrorString(code).decode() for code in (0, 1001, 2000, 3000, 4003, 5003, 77)}
    assert names == {
        0: "CUDNN_STATUS_SUCCESS",
        1001: "CUDNN_STATUS_NOT_INITIALIZED",
        2000: "CUDNN_STATUS_BAD_PARAM",
        3000: "CUDNN_STATUS_NOT_SUPPORTED",
        4003: "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
        5003: "CUDNN_STATUS_EXECUTION_FAILED_CUDART",
        77: "CUDNN_UNKNOWN_STATUS",
    }
    for library in ("Graph", "Ops", "Cnn", "Adv"):
        assert getattr(sim.dnn, f"cudnn{library}VersionCheck")() == SUCCESS


def signal_of(call: Callable[[], object]) -> int:
    """The signal that ends a copy of this process which makes the call; 0 where it survives."""
    child = os.fork()
    if child == 0:
        call()
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def test_what_a_refused_rank_leaves_is_no_tensor(sim: Simulator) -> None:
    tensor, alpha = ctypes.c_void_p(), ctypes.c_float(1)
    sim.must(sim.dnn.cudnnCreateTensorDescriptor(ctypes.byref(tensor)))
    assert sim.dnn.cudnnSetTensorNdDescriptor(tensor, FLOAT, 5, ints([2, 0, 1, 1, 1]), ints([1] * 5)) == BAD_PARAM
    memory, one = ctypes.c_void_p(), ctypes.byref(alpha)
    sim.must(sim.rt.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(64)))
    given = (one, tensor, memory, tensor, memory, one, tensor, memory)
    assert sim.dnn.cudnnSoftmaxBackward(sim.handle, 1, 1, *given) == BAD_PARAM


@pytest.mark.parametrize("setter", ["Nd", "2d"])
def test_a_query_divides_by_the_stride_that_a_refused_setter_kept(sim: Simulator, setter: str) -> None:
    """Real cuDNN 9.19 dies of SIGFPE here (observed with both setters), so a learner must see the same."""
    x, w, convolution = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    sim.must(sim.dnn.cudnnCreateTensorDescriptor(ctypes.byref(x)))
    sim.must(sim.dnn.cudnnCreateFilterDescriptor(ctypes.byref(w)))
    sim.must(sim.dnn.cudnnCreateConvolutionDescriptor(ctypes.byref(convolution)))
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, FLOAT, 1, 1, 4, 4))
    sim.must(sim.dnn.cudnnSetFilter4dDescriptor(w, FLOAT, NCHW, 1, 1, 1, 1))
    if setter == "2d":
        status = sim.dnn.cudnnSetConvolution2dDescriptor(convolution, 0, 0, 0, 0, 1, 1, 1, FLOAT)
    else:
        no_stride = (ints([0, 0]), ints([0, 0]), ints([1, 1]))
        status = sim.dnn.cudnnSetConvolutionNdDescriptor(convolution, 2, *no_stride, 1, FLOAT)
    assert status == BAD_PARAM
    out = [ctypes.c_int() for _ in range(4)]
    given = (convolution, x, w, *map(ctypes.byref, out))
    assert signal_of(lambda: sim.dnn.cudnnGetConvolution2dForwardOutputDim(*given)) == signal.SIGFPE
