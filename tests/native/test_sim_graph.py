"""The graph API of the simulator, called through the Python binding: results against NumPy, and statuses."""

import pytest

from tests.native.recorded import python_output

pytestmark = pytest.mark.usefixtures("native_build")

GRAPH = """
import cupy as cp
import numpy as np
L = libcudnn
NODE, INT64, FLOAT = L.CUDNN_TYPE_BACKEND_DESCRIPTOR, L.CUDNN_TYPE_INT64, L.CUDNN_TYPE_FLOAT
rng, handle = np.random.default_rng(5), L.cudnnCreate()
def create(kind): return L.cudnnBackendCreateDescriptor(getattr(L, f"CUDNN_BACKEND_{kind}_DESCRIPTOR"))
def put(node, name, type_, values):
    L.cudnnBackendSetAttribute(node, getattr(L, "CUDNN_ATTR_" + name), type_, len(values), values)
def make(kind, *attributes):
    node = create(kind)
    for attribute in attributes: put(node, *attribute)
    L.cudnnBackendFinalize(node)
    return node
def tensor(uid, dims, strides=None, dtype=0, virtual=False):
    strides = strides or [int(np.prod(dims[d + 1:])) for d in range(len(dims))]
    return make("TENSOR", ("TENSOR_UNIQUE_ID", INT64, [uid]), ("TENSOR_DATA_TYPE", L.CUDNN_TYPE_DATA_TYPE, [dtype]),
                ("TENSOR_BYTE_ALIGNMENT", INT64, [16]), ("TENSOR_DIMENSIONS", INT64, dims),
                ("TENSOR_STRIDES", INT64, strides), ("TENSOR_IS_VIRTUAL", L.CUDNN_TYPE_BOOLEAN, [virtual]))
def convolution(x, w, y, pad=1, stride=1, alpha=1.0, beta=0.0):
    both = [(name, INT64, [v, v]) for name, v in (("CONVOLUTION_PRE_PADDINGS", pad), ("CONVOLUTION_POST_PADDINGS", pad),
            ("CONVOLUTION_FILTER_STRIDES", stride), ("CONVOLUTION_DILATIONS", 1))]
    what = make("CONVOLUTION", ("CONVOLUTION_SPATIAL_DIMS", INT64, [2]), *both,
                ("CONVOLUTION_COMP_TYPE", L.CUDNN_TYPE_DATA_TYPE, [0]),
                ("CONVOLUTION_CONV_MODE", L.CUDNN_TYPE_CONVOLUTION_MODE, [L.CUDNN_CROSS_CORRELATION]))
    p = "OPERATION_CONVOLUTION_FORWARD_"
    return make("OPERATION_CONVOLUTION_FORWARD", (p + "X", NODE, [x]), (p + "W", NODE, [w]), (p + "Y", NODE, [y]),
                (p + "CONV_DESC", NODE, [what]), (p + "ALPHA", FLOAT, [alpha]), (p + "BETA", FLOAT, [beta]))
def pointwise(mode, x, y, *b):
    what = make("POINTWISE", ("POINTWISE_MODE", L.CUDNN_TYPE_POINTWISE_MODE, [mode]),
                ("POINTWISE_MATH_PREC", L.CUDNN_TYPE_DATA_TYPE, [0]))
    p = "OPERATION_POINTWISE_"
    return make("OPERATION_POINTWISE", (p + "PW_DESCRIPTOR", NODE, [what]), (p + "XDESC", NODE, [x]),
                (p + "YDESC", NODE, [y]), *[(p + "BDESC", NODE, [n]) for n in b])
def matmul(a, b, c):
    what, p = make("MATMUL", ("MATMUL_COMP_TYPE", L.CUDNN_TYPE_DATA_TYPE, [0])), "OPERATION_MATMUL_"
    return make("OPERATION_MATMUL", (p + "ADESC", NODE, [a]), (p + "BDESC", NODE, [b]), (p + "CDESC", NODE, [c]),
                (p + "DESC", NODE, [what]))
def configs(operations):
    graph = make("OPERATIONGRAPH", ("OPERATIONGRAPH_HANDLE", L.CUDNN_TYPE_HANDLE, [handle]),
                 ("OPERATIONGRAPH_OPS", NODE, operations))
    ask = make("ENGINEHEUR", ("ENGINEHEUR_OPERATION_GRAPH", NODE, [graph]),
               ("ENGINEHEUR_MODE", L.CUDNN_TYPE_HEUR_MODE, [L.CUDNN_HEUR_MODE_A]))
    empty = [create("ENGINECFG") for _ in range(4)]
    return L.cudnnBackendGetAttribute(ask, L.CUDNN_ATTR_ENGINEHEUR_RESULTS, NODE, 4, empty)
def run(operations, memory):
    plan = make("EXECUTION_PLAN", ("EXECUTION_PLAN_HANDLE", L.CUDNN_TYPE_HANDLE, [handle]),
                ("EXECUTION_PLAN_ENGINE_CONFIG", NODE, configs(operations)[:1]))
    pack = make("VARIANT_PACK", ("VARIANT_PACK_UNIQUE_IDS", INT64, list(memory)),
                ("VARIANT_PACK_DATA_POINTERS", L.CUDNN_TYPE_VOID_PTR, list(memory.values())),
                ("VARIANT_PACK_WORKSPACE", L.CUDNN_TYPE_VOID_PTR, [None]))
    L.cudnnBackendExecute(handle, plan, pack)
def gpu(array, dtype=np.float32): return cp.asarray(np.ascontiguousarray(array, dtype))
def conv_reference(x, w, pad=1, stride=1):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    return np.einsum("ncpqrs,kcrs->nkpq", windows, w)
def last(array): return np.ascontiguousarray(array.transpose(0, 2, 3, 1))
def nhwc(d): return [d[1] * d[2] * d[3], 1, d[3] * d[1], d[1]]
def near(found, expected, tolerance=1e-4): print(np.abs(cp.asnumpy(found) - expected).max() < tolerance)
def attempt(action):
    try: print("ok", action())
    except L.CudnnError as error: print(error.status.name)
"""


def lines_of(source: str) -> list[str]:
    return python_output(GRAPH + source).splitlines()


def test_convolution_in_both_layouts_with_stride_and_beta() -> None:
    assert lines_of("""
x, w, old = rng.normal(size=(2, 8, 7, 5)), rng.normal(size=(4, 8, 3, 3)), rng.normal(size=(2, 4, 4, 3))
expected = conv_reference(x, w, 1, 2)
for order, strides in ((lambda a: a, lambda d: None), (last, nhwc)):
    y = gpu(order(old))
    nodes = [tensor(uid, list(a.shape), strides(a.shape)) for uid, a in ((1, x), (2, w), (3, old))]
    run([convolution(*nodes, stride=2, alpha=2.0, beta=0.5)], {1: gpu(order(x)), 2: gpu(order(w)), 3: y})
    near(y, order(2 * expected + 0.5 * old))
""") == ["True", "True"]


def test_virtual_tensors_join_convolution_bias_and_relu() -> None:
    assert lines_of("""
x, w, b = rng.normal(size=(1, 8, 6, 5)), rng.normal(size=(16, 8, 3, 3)), rng.normal(size=16)
d, y = [1, 16, 6, 5], cp.empty((1, 16, 6, 5), dtype=cp.float32)
a, c = tensor(50, d, virtual=True), tensor(60, d, virtual=True)
run([convolution(tensor(1, [1, 8, 6, 5]), tensor(2, [16, 8, 3, 3]), a), pointwise(L.CUDNN_POINTWISE_ADD, a, c,
     tensor(3, [1, 16, 1, 1])), pointwise(L.CUDNN_POINTWISE_RELU_FWD, c, tensor(4, d))],
    {4: y, 3: gpu(b), 2: gpu(w), 1: gpu(x)})
near(y, np.maximum(conv_reference(x, w) + b[:, None, None], 0))
""") == ["True"]


def test_matrix_product_reads_transposed_operands_by_strides() -> None:
    assert lines_of("""
a, b = rng.normal(size=(3, 8, 16)), rng.normal(size=(3, 24, 16))
c = cp.empty((3, 8, 24), dtype=cp.float32)
run([matmul(tensor(1, [3, 8, 16]), tensor(2, [3, 16, 24], [24 * 16, 1, 16]), tensor(3, [3, 8, 24]))],
    {1: gpu(a), 2: gpu(b), 3: c})
near(c, a @ b.transpose(0, 2, 1))
""") == ["True"]


def test_half_goes_through_a_float_virtual_tensor() -> None:
    assert lines_of("""
x = (rng.integers(-8, 9, (1, 8, 4, 4)) / 8).astype(np.float16)
y = cp.empty((1, 8, 4, 4), dtype=cp.float16)
middle = tensor(9, [1, 8, 4, 4], virtual=True)
run([pointwise(L.CUDNN_POINTWISE_EXP, tensor(1, [1, 8, 4, 4], dtype=2), middle),
     pointwise(L.CUDNN_POINTWISE_SQRT, middle, tensor(2, [1, 8, 4, 4], dtype=2))], {1: gpu(x, np.float16), 2: y})
near(y, np.exp(x.astype(float) / 2), 1e-3)
""") == ["True"]


def test_incomplete_and_wrong_descriptors_are_refused() -> None:
    assert lines_of("""
attempt(lambda: make("TENSOR", ("TENSOR_UNIQUE_ID", INT64, [1])))
attempt(lambda: put(tensor(1, [1, 8, 4, 4]), "TENSOR_UNIQUE_ID", INT64, [2]))
attempt(lambda: put(create("TENSOR"), "TENSOR_UNIQUE_ID", FLOAT, [1.0]))
attempt(lambda: L.cudnnBackendGetAttribute(create("TENSOR"), L.CUDNN_ATTR_TENSOR_UNIQUE_ID, INT64, 1))
x, y = tensor(1, [1, 8, 4, 4]), tensor(3, [1, 8, 4, 4])
attempt(lambda: convolution(x, tensor(2, [8, 8, 3, 3]), y, pad=0))
attempt(lambda: convolution(x, tensor(2, [8, 3, 3, 3]), y))
attempt(lambda: convolution(x, create("TENSOR"), y))
print(len(configs([pointwise(L.CUDNN_POINTWISE_EXP, tensor(7, [1, 8, 4, 4], virtual=True), y)])))
attempt(lambda: run([pointwise(L.CUDNN_POINTWISE_EXP, x, y)], {1: cp.empty((1, 8, 4, 4), dtype=cp.float32)}))
""") == [
        "CUDNN_STATUS_BAD_PARAM",
        "CUDNN_STATUS_BAD_PARAM",
        "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE",
        "CUDNN_STATUS_NOT_INITIALIZED",
        "CUDNN_STATUS_BAD_PARAM",
        "CUDNN_STATUS_BAD_PARAM",
        "CUDNN_STATUS_BAD_PARAM",
        "0",
        "CUDNN_STATUS_BAD_PARAM",
    ]


def test_descriptors_of_one_id_must_be_alike_and_children_of_the_right_type() -> None:
    assert lines_of("""
d = [1, 8, 4, 4]
def chain(first, second):
    return len(configs([pointwise(L.CUDNN_POINTWISE_EXP, tensor(1, d), first),
                        pointwise(L.CUDNN_POINTWISE_SQRT, second, tensor(2, d))]))
print(chain(tensor(9, d, virtual=True), tensor(9, d, virtual=True)))
print(chain(tensor(9, d, virtual=True), tensor(9, d)))
print(chain(tensor(9, d, virtual=True), tensor(9, [1, 8, 4, 1], virtual=True)))
print(chain(tensor(9, d, virtual=True), tensor(9, d, [128, 1, 32, 8], virtual=True)))
attempt(lambda: make("EXECUTION_PLAN", ("EXECUTION_PLAN_HANDLE", L.CUDNN_TYPE_HANDLE, [handle]),
                     ("EXECUTION_PLAN_ENGINE_CONFIG", NODE, [tensor(1, d)])))
print(len(configs([pointwise(L.CUDNN_POINTWISE_EXP, tensor(1, [2**40, 2**40]), tensor(2, [2**40, 2**40]))])))
attempt(lambda: make("CONVOLUTION", ("CONVOLUTION_SPATIAL_DIMS", INT64, [2**40]),
                     ("CONVOLUTION_COMP_TYPE", L.CUDNN_TYPE_DATA_TYPE, [0]),
                     ("CONVOLUTION_CONV_MODE", L.CUDNN_TYPE_CONVOLUTION_MODE, [1]),
                     ("CONVOLUTION_DILATIONS", INT64, [1]), ("CONVOLUTION_FILTER_STRIDES", INT64, [1])))
""") == ["1", "0", "0", "0", "CUDNN_STATUS_BAD_PARAM", "0", "CUDNN_STATUS_BAD_PARAM"]


def test_a_graph_that_cannot_be_computed_is_refused_before_it_runs() -> None:
    assert lines_of("""
d, I = [1, 8, 4, 4], L.CUDNN_DATA_INT64
def bare(dims, *more, dtype=0):
    node, strides = create("TENSOR"), [int(np.prod(dims[i + 1:])) for i in range(len(dims))]
    given = ("UNIQUE_ID", [7]), ("BYTE_ALIGNMENT", [16]), ("DIMENSIONS", dims), ("STRIDES", strides)
    for name, values in (*given, *more):
        put(node, "TENSOR_" + name, INT64, values)
    put(node, "TENSOR_DATA_TYPE", L.CUDNN_TYPE_DATA_TYPE, [dtype])
    return node
def done(node): L.cudnnBackendFinalize(node); return node
def exp(x, y): return pointwise(L.CUDNN_POINTWISE_EXP, x, y)
by_value = bare([1, 8, 1, 1])
put(by_value, "TENSOR_IS_BY_VALUE", L.CUDNN_TYPE_BOOLEAN, [True])
print(len(configs([exp(tensor(1, d), tensor(2, d))])))
for operation in (
    exp(tensor(1, d, dtype=I), tensor(2, d, dtype=I)),
    exp(tensor(1, d), done(bare(d, dtype=L.CUDNN_DATA_FP8_E4M3))),
    exp(tensor(1, d), done(bare(d, ("VECTOR_COUNT", [4]), ("VECTORIZED_DIMENSION", [1])))),
    exp(done(by_value), tensor(2, [1, 8, 1, 1])),
    exp(bare(d), tensor(2, d)),
    pointwise(L.CUDNN_POINTWISE_RELU_BWD, None, None),
    convolution(tensor(1, d), tensor(2, [8, 8, 3, 3]), tensor(3, d, [0, 0, 0, 0])),
    make("OPERATION_MATMUL", *[("OPERATION_MATMUL_" + name, NODE, [tensor(5 + i, [2, 4, 4])]) for i, name in
                               enumerate(("ADESC", "BDESC", "CDESC"))]),
): print(len(configs([operation])))
""") == ["1", *["0"] * 8]
