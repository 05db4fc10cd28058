"""What a refused call answers where two things are wrong with it; cuDNN 9.19 gave each answer to the same call."""

import ctypes

import pytest

from tests.native.simulator import BAD_PARAM, FLOAT, NCHW, NOT_SUPPORTED, SUCCESS, Simulator, ints

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
