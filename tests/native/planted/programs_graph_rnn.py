"""As programs.py, for the graph API and recurrent networks: (set-up, rule, program) and (set-up, program)."""

from tests.native.test_sim_graph import GRAPH

GRAPH_SETUP = (
    GRAPH
    + """
made, _create = [], create
def create(kind):
    made.append(_create(kind))
    return made[-1]
def graph(unsupported=False):
    exp = pointwise(L.CUDNN_POINTWISE_EXP, tensor(1, [1, 8, 4, 4], virtual=unsupported), tensor(2, [1, 8, 4, 4]))
    return make("OPERATIONGRAPH", ("OPERATIONGRAPH_HANDLE", L.CUDNN_TYPE_HANDLE, [handle]),
                ("OPERATIONGRAPH_OPS", NODE, [exp]))
def first(of):
    ask = make("ENGINEHEUR", ("ENGINEHEUR_OPERATION_GRAPH", NODE, [of]),
               ("ENGINEHEUR_MODE", L.CUDNN_TYPE_HEUR_MODE, [L.CUDNN_HEUR_MODE_A]))
    empty = create("ENGINECFG")
    L.cudnnBackendGetAttribute(ask, L.CUDNN_ATTR_ENGINEHEUR_RESULTS, NODE, 1, [empty])
    return empty
def plan_of(config):
    return make("EXECUTION_PLAN", ("EXECUTION_PLAN_HANDLE", L.CUDNN_TYPE_HANDLE, [handle]),
                ("EXECUTION_PLAN_ENGINE_CONFIG", NODE, [config]))
x, y = (cp.ones((1, 8, 4, 4), dtype=cp.float32) for _ in range(2))
def execute(plan, space=None):
    pack = make("VARIANT_PACK", ("VARIANT_PACK_UNIQUE_IDS", INT64, [1, 2]),
                ("VARIANT_PACK_DATA_POINTERS", L.CUDNN_TYPE_VOID_PTR, [x, y]),
                ("VARIANT_PACK_WORKSPACE", L.CUDNN_TYPE_VOID_PTR, [space]))
    L.cudnnBackendExecute(handle, plan, pack)
def refused(action, *arguments):
    try: action(*arguments)
    except L.CudnnError: return
    raise SystemExit("not refused")
def destroy():
    for node in made: L.cudnnBackendDestroyDescriptor(node)
    L.cudnnDestroy(handle)
"""
)
RNN_SETUP = """
import numpy as np, cupy
L = libcudnn
h, INFERENCE, TRAINING = L.cudnnCreate(), L.CUDNN_FWD_MODE_INFERENCE, L.CUDNN_FWD_MODE_TRAINING
drop, rnn = L.cudnnCreateDropoutDescriptor(), L.cudnnCreateRNNDescriptor()
data, state = L.cudnnCreateRNNDataDescriptor(), L.cudnnCreateTensorDescriptor()
L.cudnnSetDropoutDescriptor(drop, h, 0.0, None, 0, 0)
L.cudnnSetRNNDescriptor_v8(rnn, L.CUDNN_RNN_ALGO_STANDARD, L.CUDNN_GRU, L.CUDNN_RNN_DOUBLE_BIAS, L.CUDNN_UNIDIRECTIONAL,
    L.CUDNN_LINEAR_INPUT, L.CUDNN_DATA_FLOAT, L.CUDNN_DATA_FLOAT, L.CUDNN_DEFAULT_MATH, 4, 4, 4, 1, drop, 0)
L.cudnnSetRNNDataDescriptor(data, L.CUDNN_DATA_FLOAT, L.CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, 3, 2, 4, [3, 2], None)
L.cudnnSetTensorNdDescriptor(state, L.CUDNN_DATA_FLOAT, 3, [1, 2, 4], [8, 4, 1])
x, y, dy, dx = (cupy.zeros((5, 4), dtype=cupy.float32) for _ in range(4))
def ask(mode=TRAINING): return L.cudnnGetRNNTempSpaceSizes(h, rnn, mode, data)
def spaces(mode=TRAINING): return [cupy.empty(max(size, 1), dtype=cupy.uint8) if size else None for size in ask(mode)]
def size(space): return 0 if space is None else space.nbytes
def forward(work, reserve, weights, bytes, mode=TRAINING):
    L.cudnnRNNForward(h, rnn, mode, None, data, x, data, y, state, None, None, None, None, None, bytes, weights,
                      size(work), work, size(reserve), reserve)
def backward_data(work, reserve, weights, bytes):
    L.cudnnRNNBackwardData_v8(h, rnn, None, data, y, dy, data, dx, state, None, None, None, None, None, None, None,
                              bytes, weights, size(work), work, size(reserve), reserve)
def backward_weights(work, reserve, gradient, bytes):
    L.cudnnRNNBackwardWeights_v8(h, rnn, L.CUDNN_WGRAD_MODE_ADD, None, data, x, state, None, data, y, bytes, gradient,
                                 size(work), work, size(reserve), reserve)
def destroy():
    L.cudnnDestroyTensorDescriptor(state); L.cudnnDestroyRNNDataDescriptor(data); L.cudnnDestroyRNNDescriptor(rnn)
    L.cudnnDestroyDropoutDescriptor(drop); L.cudnnDestroy(h)
"""
WEIGHTS = """
n = L.cudnnGetRNNWeightSpaceSize(h, rnn)
w, dw = cupy.zeros(n // 4, dtype=cupy.float32), cupy.zeros(n // 4, dtype=cupy.float32)
"""

BUGS: list[tuple[str, str, str]] = [
    (GRAPH_SETUP, "leaks_descriptor", "execute(plan_of(first(graph()))); made.pop(); destroy()"),
    (GRAPH_SETUP, "backend_not_finalised", """
plan = create("EXECUTION_PLAN")
put(plan, "EXECUTION_PLAN_HANDLE", L.CUDNN_TYPE_HANDLE, [handle])
put(plan, "EXECUTION_PLAN_ENGINE_CONFIG", NODE, [first(graph())])
refused(execute, plan); destroy()"""),
    (GRAPH_SETUP, "engine_support_unchecked", "refused(plan_of, first(graph(unsupported=True))); destroy()"),
    (GRAPH_SETUP, "status_ignored", """
bad = create("TENSOR")
refused(L.cudnnBackendFinalize, bad)
refused(pointwise, L.CUDNN_POINTWISE_EXP, bad, tensor(2, [1, 8, 4, 4])); destroy()"""),
    (GRAPH_SETUP, "plan_per_call", "for _ in range(3): execute(plan_of(first(graph())))\ndestroy()"),
    (GRAPH_SETUP, "graph_workspace_not_asked",
     "execute(plan_of(first(graph())), cp.empty(4096, dtype=cp.uint8)); destroy()"),
    (RNN_SETUP, "rnn_space_not_asked",
     WEIGHTS + "forward(cupy.empty(16 << 20, cupy.uint8), None, w, n, INFERENCE); destroy()"),
    (RNN_SETUP, "rnn_reserve_missing", WEIGHTS + """
try: forward(*spaces(INFERENCE), w, n)
except L.CudnnError: pass
destroy()"""),
    (RNN_SETUP, "rnn_backward_order", WEIGHTS + """
given = spaces()
forward(*given, w, n); backward_weights(*given, dw, n); backward_data(*given, w, n); destroy()"""),
    (RNN_SETUP, "rnn_gradient_not_cleared", WEIGHTS + """
given, dw = spaces(), cuda.cudaMalloc(n)
forward(*given, w, n); backward_data(*given, w, n); backward_weights(*given, dw, n); cuda.cudaFree(dw); destroy()"""),
    (RNN_SETUP, "rnn_offsets_assumed", WEIGHTS + """
ones = np.ones(48, np.float32)
cuda.cudaMemcpy(w[:48], ones, 192, cuda.cudaMemcpyHostToDevice)
cuda.cudaMemcpy(w[48:], ones, 96, cuda.cudaMemcpyHostToDevice)
forward(*spaces(INFERENCE), w, n, INFERENCE); destroy()"""),
]  # fmt: skip

CLEAN: list[tuple[str, str]] = [
    (
        GRAPH_SETUP,
        """
plan = plan_of(first(graph()))
(bytes,) = L.cudnnBackendGetAttribute(plan, L.CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, INT64, 1)
space = cp.empty(bytes, dtype=cp.uint8) if bytes else None
for _ in range(4): execute(plan, space)
y.get(); destroy()""",
    ),
    (
        GRAPH_SETUP,
        """
of = graph(unsupported=True)
refused(make, "ENGINE", ("ENGINE_OPERATION_GRAPH", NODE, [of]), ("ENGINE_GLOBAL_INDEX", INT64, [0])); destroy()""",
    ),
    (
        RNN_SETUP,
        WEIGHTS
        + """
given = spaces()
for _ in range(2): forward(*given, w, n); backward_data(*given, w, n); backward_weights(*given, dw, n)
dw.get(); destroy()""",
    ),
    (
        RNN_SETUP,
        WEIGHTS
        + """
m, b, ones = L.cudnnCreateTensorDescriptor(), L.cudnnCreateTensorDescriptor(), np.ones(16, np.float32)
for id in range(6):
    matrix, bias = L.cudnnGetRNNWeightParams(h, rnn, 0, n, w, id, m, b)
    cuda.cudaMemcpy(matrix, ones, 64, cuda.cudaMemcpyHostToDevice)
    cuda.cudaMemcpy(bias, ones, 16, cuda.cudaMemcpyHostToDevice)
L.cudnnDestroyTensorDescriptor(m); L.cudnnDestroyTensorDescriptor(b)
forward(*spaces(INFERENCE), w, n, INFERENCE); y.get(); destroy()""",
    ),
]
