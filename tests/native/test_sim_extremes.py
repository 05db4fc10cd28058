"""Null pointers, NaN and numbers that wrap: cuDNN 9.19 gave each answer to the same call."""

import ctypes
from collections.abc import Sequence

import pytest

from tests.native.simulator import BAD_PARAM, FLOAT, NCHW, NOT_SUPPORTED, SUCCESS, Simulator, ints

HALF, INT8X4 = 2, 5


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"lengths": None, "type": INT8X4}, BAD_PARAM),  # the lengths come before the type
        ({"layout": 3, "longest": 65536}, BAD_PARAM),  # the most steps come last
        ({"width": 0, "longest": 65536}, BAD_PARAM),
        ({"longest": 65536}, NOT_SUPPORTED),
    ],
)
def test_rnn_data_is_refused_for_what_is_looked_at_first(
    sim: Simulator, changed: dict[str, int | None], status: int
) -> None:
    given = {"type": FLOAT, "layout": 0, "longest": 4, "batch": 2, "width": 3, "lengths": ints([4, 2])} | changed
    assert sim.dnn.cudnnSetRNNDataDescriptor(sim.create("RNNData"), *given.values(), None) == status


@pytest.mark.parametrize("missing", [1, 2, 3, 4, 5, 7, 8])
def test_rnn_data_is_read_back_whole_or_not_at_all(sim: Simulator, missing: int) -> None:
    data, numbers = sim.create("RNNData"), [ints([-7] * 8) for _ in range(9)]
    sim.must(sim.dnn.cudnnSetRNNDataDescriptor(data, FLOAT, 0, 4, 2, 3, ints([4, 2]), None))
    arguments = [data, *numbers[1:6], 3, *numbers[7:]]
    assert sim.dnn.cudnnGetRNNDataDescriptor(*arguments) == SUCCESS
    arguments[missing] = None
    numbers[1 if missing != 1 else 2][0] = -7
    assert sim.dnn.cudnnGetRNNDataDescriptor(*arguments) == BAD_PARAM
    assert numbers[1 if missing != 1 else 2][0] == -7


def test_arrays_may_be_null_where_nothing_is_asked_of_them(sim: Simulator) -> None:
    tensor, out = sim.tensor(FLOAT, [2, 3, 4, 5], [60, 20, 5, 1]), [ctypes.c_int() for _ in range(2)]
    assert sim.dnn.cudnnGetTensorNdDescriptor(tensor, 0, *map(ctypes.byref, out), None, None) == SUCCESS
    assert out[1].value == 4
    assert sim.dnn.cudnnSetTensorNdDescriptor(tensor, FLOAT, 9, None, None) == NOT_SUPPORTED  # the rank comes first


def test_what_stands_before_a_null_array_is_kept(sim: Simulator) -> None:
    convolution, mode = sim.create("Convolution"), ctypes.c_int()
    pad, padding = ints([-1, 0, 0]), ints([7] * 3)
    assert sim.dnn.cudnnSetConvolutionNdDescriptor(convolution, 3, pad, ints([2] * 3), None, 0, FLOAT) == BAD_PARAM
    rank = ctypes.c_int()
    sim.must(
        sim.dnn.cudnnGetConvolutionNdDescriptor(
            convolution, 3, ctypes.byref(rank), padding, None, None, ctypes.byref(mode), None
        )
    )
    assert (rank.value, mode.value, padding[0]) == (3, 0, -1)


@pytest.mark.parametrize(("beta", "k"), [(float("nan"), 1.0), (0.75, float("nan"))])
def test_a_nan_passes_the_limits_of_lrn(sim: Simulator, beta: float, k: float) -> None:
    given = [ctypes.c_double(number) for number in (1e-4, beta, k)]
    assert sim.dnn.cudnnSetLRNDescriptor(sim.create("LRN"), 5, *given) == SUCCESS


@pytest.mark.parametrize(
    ("window", "pad", "dims", "status"),
    [
        ((3, 1), (2**31 - 1, 0), (1, 7), BAD_PARAM),  # 2 · pad is -2 in 32 bits
        ((1, 3), (0, 2), (24, 2**31 - 1), BAD_PARAM),
        ((3, 3), (1, 1), (24, 7), SUCCESS),
    ],
)
def test_pooled_sizes_wrap(
    sim: Simulator, window: Sequence[int], pad: Sequence[int], dims: Sequence[int], status: int
) -> None:
    pooling, out = sim.create("Pooling"), [ctypes.c_int() for _ in range(4)]
    tensor = sim.create("Tensor")
    sim.dnn.cudnnSetTensorNdDescriptor(tensor, FLOAT, 4, ints([1, 2, *dims]), ints([1] * 4))
    sim.must(sim.dnn.cudnnSetPooling2dDescriptor(pooling, 0, 0, *window, *pad, 2, 3))
    assert sim.dnn.cudnnGetPooling2dForwardOutputDim(pooling, tensor, *map(ctypes.byref, out)) == status


def test_lrn_compares_what_it_has_before_it_misses_a_tensor(sim: Simulator) -> None:
    x, other = sim.tensor(FLOAT, [2, 8, 4, 4], [128, 16, 4, 1]), sim.tensor(FLOAT, [2, 8, 4, 5], [160, 20, 5, 1])
    memory, one = sim.malloc(4096), ctypes.byref(ctypes.c_float(1))
    for dy, status in ((x, BAD_PARAM), (other, NOT_SUPPORTED)):
        given = (sim.handle, sim.create("LRN"), 0, one, x, memory, dy, memory, x, memory, one, None, memory)
        assert sim.dnn.cudnnLRNCrossChannelBackward(*given) == status
    sim.free(memory)


@pytest.mark.parametrize(("layout", "status"), [(NCHW, BAD_PARAM), (2, NOT_SUPPORTED)])
def test_lrn_knows_no_vectors_of_channels(sim: Simulator, layout: int, status: int) -> None:
    x, memory, one = sim.create("Tensor"), sim.malloc(4096), ctypes.byref(ctypes.c_float(1))
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(x, layout, FLOAT, 4, ints([2, 8, 4, 4])))
    given = (None, sim.create("LRN"), 0, one, x, memory, one, x, memory)  # without a handle, which is looked at later
    assert sim.dnn.cudnnLRNCrossChannelForward(*given) == status
    sim.free(memory)


@pytest.mark.parametrize(
    ("dims", "strides", "status"),
    [
        ([2, 3, 4, 5], [60, 1, 15, 3], BAD_PARAM),  # channels innermost: the parameters are looked at, and do not fit
        ([2, 3, 4, 5], [12, 1, 12, 2], BAD_PARAM),  # also where it has gaps or overlaps
        ([4, 1, 3, 3], [12, 2, 3, 2], BAD_PARAM),
        ([2, 3, 4, 5], [60, 20, 5, 1], NOT_SUPPORTED),
        ([3, 1, 1, 1], [12, 1, 1, 12], NOT_SUPPORTED),  # the strides do not fall, though nothing is stepped over
    ],
)
def test_a_fused_gradient_asks_for_channels_innermost_first(
    sim: Simulator, dims: Sequence[int], strides: Sequence[int], status: int
) -> None:
    x, memory = sim.tensor(FLOAT, dims, strides), sim.malloc(4096)
    params, relu, one = sim.tensor(HALF, [1, 3], [3, 1]), sim.create("Activation"), ctypes.byref(ctypes.c_float(1))
    sim.must(sim.dnn.cudnnSetActivationDescriptor(relu, 1, NCHW, ctypes.c_double(0)))
    tensors = [argument for _ in range(5) for argument in (x, memory)]
    given = (params, *[memory] * 4, ctypes.c_double(1e-4), memory, memory, relu, None, ctypes.c_size_t(0), None)
    scalars = (one, one, one, one)
    found = sim.dnn.cudnnBatchNormalizationBackwardEx(None, 2, 1, *scalars, *tensors, *given, ctypes.c_size_t(0))
    assert found == status
    sim.free(memory)


@pytest.mark.parametrize(
    ("dtype", "status", "channels"), [(INT8X4, SUCCESS, 32), (7, BAD_PARAM, 8), (FLOAT, BAD_PARAM, 8)]
)
def test_pooled_dims_of_vectors_are_told_for_int8_only(sim: Simulator, dtype: int, status: int, channels: int) -> None:
    x, pooling, out = sim.create("Tensor"), sim.create("Pooling"), [ctypes.c_int(7) for _ in range(4)]
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(x, 2, dtype, 4, ints([2, 32, 4, 4])))
    sim.must(sim.dnn.cudnnSetPooling2dDescriptor(pooling, 0, 0, 2, 2, 1, 1, 1, 1))
    assert sim.dnn.cudnnGetPooling2dForwardOutputDim(pooling, x, *map(ctypes.byref, out)) == status
    assert [value.value for value in out] == [2, channels, *([5, 5] if status == SUCCESS else [0, 0])]


@pytest.mark.parametrize(
    ("stride", "pad", "rows"), [(-1, 0, -1), (-1, 2, -5), (-2, 0, 0), (-2, 1, -1), (-3, 2, -1), (-3, 3, -2)]
)
def test_a_negative_stride_that_a_refused_setter_left_divides(sim: Simulator, stride: int, pad: int, rows: int) -> None:
    conv, out = sim.create("Convolution"), [ctypes.c_int() for _ in range(4)]
    x, w = sim.tensor(FLOAT, [1, 8, 1, 1], [8, 1, 1, 1]), sim.filter(FLOAT, NCHW, [1, 8, 1, 1])
    sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, 1, FLOAT))
    assert sim.dnn.cudnnSetConvolution2dDescriptor(conv, pad, 0, stride, 1, 1, 1, 1, FLOAT) == BAD_PARAM
    sim.must(sim.dnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w, *map(ctypes.byref, out)))
    assert out[2].value == rows


def test_reductions_count_what_a_refused_setter_left(sim: Simulator) -> None:
    a, c, reduction, size = sim.create("Tensor"), sim.create("Tensor"), sim.create("ReduceTensor"), ctypes.c_size_t(7)
    assert sim.dnn.cudnnSetTensorNdDescriptor(a, FLOAT, 5, ints([3, 5, 0, 2, 2]), ints([1] * 5)) == BAD_PARAM
    sim.must(sim.dnn.cudnnSetReduceTensorDescriptor(reduction, 0, FLOAT, 0, 0, 0))
    sim.must(sim.dnn.cudnnGetReductionWorkspaceSize(None, reduction, a, c, ctypes.byref(size)))
    assert size.value == 0


def test_a_parameter_descriptor_is_derived_before_the_other_one_is_missed(sim: Simulator) -> None:
    x, derived, out = (
        sim.tensor(FLOAT, [2, 3, 4, 5], [60, 20, 5, 1]),
        sim.create("Tensor"),
        [ctypes.c_int() for _ in range(9)],
    )
    assert sim.dnn.cudnnDeriveNormTensorDescriptor(derived, None, x, 1, 1) == BAD_PARAM
    sim.must(sim.dnn.cudnnGetTensor4dDescriptor(derived, *map(ctypes.byref, out)))
    assert [value.value for value in out[1:5]] == [1, 3, 1, 1]


@pytest.mark.parametrize(("given", "status"), [(True, NOT_SUPPORTED), (False, BAD_PARAM)])
def test_gradients_of_rnn_weights_miss_x_before_the_mode(sim: Simulator, given: bool, status: int) -> None:
    data, size = sim.create("RNNData") if given else None, ctypes.c_size_t(0)
    arguments = (
        sim.handle,
        sim.create("RNN"),
        1,
        None,
        data,
        None,
        None,
        None,
        data,
        None,
        size,
        None,
        size,
        None,
        size,
    )
    assert sim.dnn.cudnnRNNBackwardWeights_v8(*arguments, None) == status
