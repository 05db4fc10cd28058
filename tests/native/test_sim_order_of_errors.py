"""What a refused call answers where two things are wrong with it; cuDNN 9.19 gave each answer to the same call."""

import ctypes

import pytest

from tests.native.simulator import BAD_PARAM, FLOAT, INT8, NCHW, NOT_SUPPORTED, SUCCESS, Simulator, ints

DOUBLE, HALF, INT32, BFLOAT16 = 1, 2, 4, 9
RNN = {"algo": 0, "cell": 2, "bias": 2, "direction": 0, "input": 0, "type": FLOAT, "precision": FLOAT, "math": 0,
       "inputs": 4, "hidden": 4, "projected": 4, "layers": 1}  # fmt: skip
ATTENTION = {"mode": 0, "heads": 1, "scale": 1.0, "type": FLOAT, "precision": FLOAT, "math": 0, "dropouts": None,
             "output": None, "q": 4, "k": 4, "v": 4, "qp": 4, "kp": 4, "vp": 4, "op": 4, "q_longest": 2,
             "kv_longest": 2, "batch": 1, "beam": 1}  # fmt: skip


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


def created(sim: Simulator, kind: str) -> ctypes.c_void_p:
    pointer = ctypes.c_void_p()
    sim.must(getattr(sim.dnn, f"cudnnCreate{kind}Descriptor")(ctypes.byref(pointer)))
    return pointer


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"algo": 2, "bias": 1}, NOT_SUPPORTED),
        ({"algo": 2, "bias": 1, "hidden": 0}, BAD_PARAM),  # sizes come before the bias of a persistent algorithm
        ({"algo": 2, "bias": 1, "projected": 0}, NOT_SUPPORTED),
        ({"algo": 2, "type": DOUBLE, "precision": DOUBLE}, SUCCESS),
        ({"algo": 1, "type": DOUBLE, "precision": DOUBLE}, NOT_SUPPORTED),
        ({"algo": 3, "type": HALF, "precision": HALF}, NOT_SUPPORTED),
    ],
)
def test_an_rnn_is_refused_for_what_is_looked_at_first(sim: Simulator, changed: dict[str, int], status: int) -> None:
    values = (RNN | changed).values()
    assert sim.dnn.cudnnSetRNNDescriptor_v8(created(sim, "RNN"), *values, created(sim, "Dropout"), 0) == status


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"type": DOUBLE, "q": 0}, NOT_SUPPORTED),  # types that do not fit come before the sizes
        ({"precision": BFLOAT16}, BAD_PARAM),
        ({"qp": 0}, SUCCESS),  # queries as they are, as long as projected keys
        ({"qp": 0, "q": 5}, BAD_PARAM),
        ({"mode": 1, "beam": 2}, NOT_SUPPORTED),
        ({"beam": 2}, SUCCESS),
    ],
)
def test_attention_is_refused_for_what_is_looked_at_first(sim: Simulator, changed: dict[str, int], status: int) -> None:
    values = [ctypes.c_double(v) if isinstance(v, float) else v for v in (ATTENTION | changed).values()]
    assert sim.dnn.cudnnSetAttnDescriptor(created(sim, "Attn"), *values) == status


def test_a_refused_clip_keeps_the_old_one_and_v9_propagates_nan(sim: Simulator) -> None:
    rnn, nan, mode, low, high = (
        created(sim, "RNN"),
        ctypes.c_int(),
        ctypes.c_int(),
        ctypes.c_double(),
        ctypes.c_double(),
    )
    out = [ctypes.byref(value) for value in (mode, nan, low, high)]
    assert sim.dnn.cudnnRNNSetClip_v8(rnn, 1, 1, ctypes.c_double(2), ctypes.c_double(1)) == BAD_PARAM
    sim.must(sim.dnn.cudnnRNNGetClip_v8(rnn, *out))
    assert nan.value == 0
    sim.must(sim.dnn.cudnnRNNSetClip_v9(rnn, 1, ctypes.c_double(-1), ctypes.c_double(1)))
    sim.must(sim.dnn.cudnnRNNGetClip_v8(rnn, *out))
    assert (mode.value, nan.value, low.value, high.value) == (1, 1, -1, 1)


@pytest.mark.parametrize(("dtype", "derived"), [(FLOAT, FLOAT), (HALF, FLOAT), (DOUBLE, DOUBLE), (INT32, INT32)])
def test_parameters_of_batch_normalization_widen_narrow_types_only(sim: Simulator, dtype: int, derived: int) -> None:
    x, params, out = created(sim, "Tensor"), created(sim, "Tensor"), [ctypes.c_int() for _ in range(9)]
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, dtype, 2, 4, 3, 3))
    sim.must(sim.dnn.cudnnDeriveBNTensorDescriptor(params, x, 1))
    sim.must(sim.dnn.cudnnGetTensor4dDescriptor(params, *map(ctypes.byref, out)))
    assert [value.value for value in out[:5]] == [derived, 1, 4, 1, 1]


def test_dropout_reserves_for_no_more_elements_than_an_int_counts(sim: Simulator) -> None:
    x, size = created(sim, "Tensor"), ctypes.c_size_t()
    assert sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, FLOAT, 65536, 32768, 1, 1) == NOT_SUPPORTED
    assert sim.dnn.cudnnDropoutGetReserveSpaceSize(x, ctypes.byref(size)) == NOT_SUPPORTED


@pytest.mark.parametrize(("dtype", "dims"), [(INT8, (1, 1, 1, 1)), (FLOAT, (65536, 32768, 1, 1))])
def test_dropout_looks_at_the_tensor_before_a_null_size(sim: Simulator, dtype: int, dims: tuple[int, ...]) -> None:
    x = created(sim, "Tensor")
    sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, dtype, *dims)  # too large a one is refused, and yet stored
    assert sim.dnn.cudnnDropoutGetReserveSpaceSize(x, None) == NOT_SUPPORTED


def test_a_refused_rank_leaves_the_channels_vectorised(sim: Simulator) -> None:
    x, out = created(sim, "Tensor"), [ctypes.c_int() for _ in range(9)]
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(x, 0, HALF, 4, ints([1, 2, 16, 4])))
    assert sim.dnn.cudnnSetTensorNdDescriptorEx(x, 2, FLOAT, 12, ints([4] * 12)) == NOT_SUPPORTED
    assert sim.dnn.cudnnGetTensor4dDescriptor(x, *map(ctypes.byref, out)) == BAD_PARAM


@pytest.mark.parametrize(("groups", "ops", "algo", "status"), [(1, 0, 1, 3000), (2, 99, 1, 3000), (1, 99, 1, 2000)])
def test_a_normalization_names_its_variant_before_the_handle(
    sim: Simulator, groups: int, ops: int, algo: int, status: int
) -> None:
    x, size = created(sim, "Tensor"), ctypes.c_size_t()
    given = (None, 0, ops, algo, None, x, ctypes.byref(size), groups)
    assert sim.dnn.cudnnGetNormalizationTrainingReserveSpaceSize(*given) == status


def test_describing_a_network_takes_its_clip_away(sim: Simulator) -> None:
    rnn, low, high = created(sim, "RNN"), ctypes.c_double(), ctypes.c_double()
    mode = ctypes.c_int()
    describe = (rnn, *RNN.values(), created(sim, "Dropout"))
    sim.must(sim.dnn.cudnnRNNSetClip_v9(rnn, 1, ctypes.c_double(-1), ctypes.c_double(2)))
    assert sim.dnn.cudnnSetRNNDescriptor_v8(*describe, 9) == BAD_PARAM  # refused: the clip stays
    sim.must(sim.dnn.cudnnRNNGetClip_v9(rnn, *map(ctypes.byref, (mode, low, high))))
    assert (mode.value, low.value, high.value) == (1, -1, 2)
    sim.must(sim.dnn.cudnnSetRNNDescriptor_v8(*describe, 0))
    sim.must(sim.dnn.cudnnRNNGetClip_v9(rnn, *map(ctypes.byref, (mode, low, high))))
    assert (mode.value, low.value, high.value) == (0, 0, 0)


@pytest.mark.parametrize("missing", ["pooling", "tensor"])
def test_a_refused_question_about_pooled_dims_answers_zeros(sim: Simulator, missing: str) -> None:
    pooling, tensor = created(sim, "Pooling"), created(sim, "Tensor")
    dims = [ctypes.c_int(7) for _ in range(4)]
    given = (None, tensor) if missing == "pooling" else (pooling, None)
    assert sim.dnn.cudnnGetPooling2dForwardOutputDim(*given, *map(ctypes.byref, dims)) == BAD_PARAM
    assert [dim.value for dim in dims] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("dims", "indexed", "workspace", "indices"),
    [
        ((65536, 32768), 0, -(2**33), 0),  # 2^31 elements: the count wraps, as in the real library
        ((65536, 65536), 0, 0, 0),
        ((2**31 - 1, 420), 1, -1680, 4),
        ((262143, 1), 1, 4 * (262143 + 512), 4),
        ((262144, 1), 1, 4 * (262144 + 256), 4),  # pieces of 1,024 from here on
        ((2**30 - 1, 1), 1, 4 * (2**30 - 1 + 32264), 4),
    ],
)
def test_the_workspace_of_a_reduction_is_counted_in_32_bits(
    sim: Simulator, dims: tuple[int, int], indexed: int, workspace: int, indices: int
) -> None:
    a, c, reduce = created(sim, "Tensor"), created(sim, "Tensor"), created(sim, "ReduceTensor")
    sim.dnn.cudnnSetTensorNdDescriptorEx(a, 0, FLOAT, 4, ints([*dims, 1, 1]))  # 3000 where too large, and yet stored
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(c, 0, FLOAT, 4, ints([1, 1, 1, 1])))
    sim.must(sim.dnn.cudnnSetReduceTensorDescriptor(reduce, 3, FLOAT, 0, indexed, 0))
    size = ctypes.c_size_t()
    sim.must(sim.dnn.cudnnGetReductionWorkspaceSize(None, reduce, a, c, ctypes.byref(size)))
    assert size.value == workspace % 2**64
    sim.must(sim.dnn.cudnnGetReductionIndicesSize(None, reduce, a, c, ctypes.byref(size)))
    assert size.value == indices


@pytest.mark.parametrize(
    ("dtype", "dims", "mode", "epsilon", "status"),
    [
        (INT32, (2, 4, 3, 3), 1, 0.0, NOT_SUPPORTED),  # the type comes before epsilon, the shapes and the handle
        (INT32, (2, 4, 3, 3, 3, 3), 1, 0.1, NOT_SUPPORTED),
        (INT32, (2, 4, 3, 3), 7, 0.1, BAD_PARAM),  # the mode comes before all that
        (FLOAT, (2, 4, 3, 3, 3, 3), 1, 0.1, BAD_PARAM),
        (FLOAT, (70000, 4, 1, 1), 1, 0.1, NOT_SUPPORTED),  # too many images for a spatial mode
        (FLOAT, (2, 4, 3, 3), 1, 0.1, BAD_PARAM),  # nothing but the handle is wrong
    ],
)
def test_inference_with_batch_statistics_looks_at_the_handle_last(
    sim: Simulator, dtype: int, dims: tuple[int, ...], mode: int, epsilon: float, status: int
) -> None:
    x, params, memory = created(sim, "Tensor"), created(sim, "Tensor"), sim.malloc(64)
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(x, NCHW, dtype, len(dims), ints(dims)))
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(params, NCHW, FLOAT, len(dims), ints([1, 4, *[1] * (len(dims) - 2)])))
    scalar = ctypes.byref(ctypes.c_float(1))
    given = (None, mode, scalar, scalar, x, memory, x, memory, params, *[memory] * 4, ctypes.c_double(epsilon))
    assert sim.dnn.cudnnBatchNormalizationForwardInference(*given) == status


@pytest.mark.parametrize(
    ("ops", "mode", "algo", "channels", "status"),
    [
        (0, 0, 1, 4, NOT_SUPPORTED),  # the persistent algorithm is for channels only
        (0, 0, 1, 3, BAD_PARAM),  # scale and mean of other dims are seen before that
        (1, 0, 1, 3, NOT_SUPPORTED),  # and a fused operation before both
    ],
)
def test_inference_of_a_normalization_compares_scale_and_mean_before_its_variant(
    sim: Simulator, ops: int, mode: int, algo: int, channels: int, status: int
) -> None:
    x, scale, mean, memory = (*(created(sim, "Tensor") for _ in range(3)), sim.malloc(64))
    for desc, count in ((x, 4), (scale, 4), (mean, channels)):
        sim.must(sim.dnn.cudnnSetTensor4dDescriptor(desc, NCHW, FLOAT, 1, count, 1, 1))
    one = ctypes.byref(ctypes.c_float(1))
    given = (None, mode, ops, algo, one, one, x, memory, scale, memory, memory, mean, memory, memory,
             None, None, None, x, memory, ctypes.c_double(0.1), 1)  # fmt: skip
    assert sim.dnn.cudnnNormalizationForwardInference(*given) == status


def test_a_rank_that_was_refused_still_widens_the_channels(sim: Simulator) -> None:
    x, dtype, rank = created(sim, "Tensor"), ctypes.c_int(), ctypes.c_int()
    dims, strides = ints([5] * 4), ints([5] * 4)
    assert sim.dnn.cudnnSetTensorNdDescriptorEx(x, 2, FLOAT, 12, ints([4] * 12)) == NOT_SUPPORTED
    sim.must(sim.dnn.cudnnGetTensorNdDescriptor(x, 4, ctypes.byref(dtype), ctypes.byref(rank), dims, strides))
    assert (rank.value, list(dims), list(strides)) == (0, [5, 20, 5, 5], [5] * 4)


def fused_gradient(sim: Simulator, ops: int, mode: int = 2, **changed: object) -> int:
    """Status of cudnnBatchNormalizationBackwardEx without a handle; `changed`: a format, or None for what is null."""
    formats = {"x": 1, "dx": 1, "dy": 1, "dz": 1} | {k: v for k, v in changed.items() if k in ("x", "dx", "dy", "dz")}
    tensors: dict[str, ctypes.c_void_p | None] = {}
    for name, layout in formats.items():
        tensors[name] = None if layout is None else created(sim, "Tensor")
        if layout is not None:
            sim.must(sim.dnn.cudnnSetTensor4dDescriptor(tensors[name], layout, changed.get("type", FLOAT), 2, 4, 3, 3))
    params, activation = created(sim, "Tensor"), created(sim, "Activation")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(params, NCHW, FLOAT, 1, 4, 1, 1))
    sim.must(sim.dnn.cudnnSetActivationDescriptor(activation, changed.get("activation", 1), 0, ctypes.c_double(1)))
    memory, one = sim.malloc(4096), ctypes.byref(ctypes.c_float(1))
    data = changed.get("data", memory)
    given = (None, mode, ops, one, one, one, one, tensors["x"], data, tensors["dx"], memory, tensors["dy"], memory,
             tensors["dz"], memory, tensors["dx"], memory, params, memory, memory, memory, memory,
             ctypes.c_double(changed.get("epsilon", 0.1)), memory, memory, activation, memory, ctypes.c_size_t(4096),
             memory, ctypes.c_size_t(4096))  # fmt: skip
    return int(sim.dnn.cudnnBatchNormalizationBackwardEx(*given))


@pytest.mark.parametrize(
    ("ops", "changed", "status"),
    [
        (1, {"x": 0, "data": None}, BAD_PARAM),  # memory that is null comes before the layouts
        (1, {"x": 0, "epsilon": 0.0}, NOT_SUPPORTED),  # the layouts before epsilon
        (1, {"x": 0, "dy": None}, NOT_SUPPORTED),  # the layout of x before dy is asked for
        (2, {"dx": 0, "dy": None}, NOT_SUPPORTED),  # and that of dx
        (2, {"dy": None}, BAD_PARAM),
        (2, {"mode": 1}, NOT_SUPPORTED),
        (2, {"activation": 0}, NOT_SUPPORTED),  # a sigmoid is not fused
        (2, {}, BAD_PARAM),  # nothing but the handle is wrong
        (1, {}, NOT_SUPPORTED),  # without z, a missing handle answers so too
        (0, {"type": INT32, "epsilon": 0.0}, NOT_SUPPORTED),  # the type before epsilon
        (0, {"epsilon": 0.0}, BAD_PARAM),
    ],
)
def test_a_fused_gradient_is_refused_for_what_is_looked_at_first(
    sim: Simulator, ops: int, changed: dict[str, object], status: int
) -> None:
    assert fused_gradient(sim, ops, **changed) == status


@pytest.mark.parametrize("backward", [False, True])
def test_vectors_of_channels_are_not_normalised_by_batch(sim: Simulator, backward: bool) -> None:
    x, params, memory = created(sim, "Tensor"), created(sim, "Tensor"), sim.malloc(4096)
    sim.must(sim.dnn.cudnnSetTensorNdDescriptorEx(x, 2, FLOAT, 4, ints([2, 8, 3, 3])))
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(params, NCHW, FLOAT, 1, 8, 1, 1))
    one, small = ctypes.byref(ctypes.c_float(1)), ctypes.c_double(0.1)
    forward = (None, 1, one, one, x, memory, x, memory, params, memory, memory, memory, memory, small)
    gradient = (None, 1, one, one, one, one, x, memory, x, memory, x, memory, params, memory, memory, memory, small,
                memory, memory)  # fmt: skip
    name = "Backward" if backward else "ForwardInference"
    given = gradient if backward else forward
    assert getattr(sim.dnn, f"cudnnBatchNormalization{name}")(*given) == NOT_SUPPORTED


@pytest.mark.parametrize(("mode", "status"), [(0, BAD_PARAM), (1, SUCCESS)])
def test_parameters_are_derived_from_what_a_refused_tensor_kept(sim: Simulator, mode: int, status: int) -> None:
    x, params, out = created(sim, "Tensor"), created(sim, "Tensor"), [ctypes.c_int() for _ in range(9)]
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(x, NCHW, FLOAT, 1, 1, 1, 1))
    assert sim.dnn.cudnnSetTensorNdDescriptorEx(x, 1, INT32, 6, ints([7, 1, 8, 4, 0, 3])) == BAD_PARAM
    assert sim.dnn.cudnnDeriveBNTensorDescriptor(params, x, mode) == status
    sim.must(sim.dnn.cudnnGetTensor4dDescriptor(params, *map(ctypes.byref, out)))
    assert [value.value for value in out] == [INT32, 1, 1, 1, 1, *[mode] * 4]


def test_a_reduction_of_what_was_never_set_counts_one_element(sim: Simulator) -> None:
    never, reduce, size = created(sim, "Tensor"), created(sim, "ReduceTensor"), ctypes.c_size_t()
    sim.must(sim.dnn.cudnnSetReduceTensorDescriptor(reduce, 3, FLOAT, 0, 0, 0))
    sim.must(sim.dnn.cudnnGetReductionWorkspaceSize(None, reduce, never, never, ctypes.byref(size)))
    assert size.value == 4
    sim.must(sim.dnn.cudnnGetReductionIndicesSize(None, reduce, None, None, ctypes.byref(size)))  # no indices: not read
    assert size.value == 0


@pytest.mark.parametrize(
    ("images", "channels", "steps", "status"),
    [
        (2, 3, (12, 4), BAD_PARAM),  # nothing but the handle is wrong
        (2, 3, (11, 4), NOT_SUPPORTED),  # images overlap
        (2, 3, (100, 3), NOT_SUPPORTED),  # channels do
        (2, 3, (4, 8), NOT_SUPPORTED),  # images within channels
        (1, 3, (1, 4), BAD_PARAM),  # a single image has no step
    ],
)
def test_a_gradient_across_channels_of_many_dims_wants_them_nested(
    sim: Simulator, images: int, channels: int, steps: tuple[int, int], status: int
) -> None:
    x, lrn, memory = created(sim, "Tensor"), created(sim, "LRN"), sim.malloc(4096)
    dims, strides = ints([images, channels, 1, 2, 2]), ints([*steps, 4, 2, 1])
    sim.must(sim.dnn.cudnnSetTensorNdDescriptor(x, FLOAT, 5, dims, strides))
    one = ctypes.byref(ctypes.c_float(1))
    given = (None, lrn, 0, one, x, memory, x, memory, x, memory, one, x, memory)
    assert sim.dnn.cudnnLRNCrossChannelBackward(*given) == status
