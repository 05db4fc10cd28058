"""The Python binding `libcudnn`: arguments, return values, errors, and the lines it tells the recorder."""

import re
import sys

import pytest

from grader.contract.api import load_api
from grader.contract.api_python import python_signature
from tests.native.recorded import python_output, run, run_python

pytestmark = pytest.mark.usefixtures("native_build")

SETUP = """
import numpy as np
L = libcudnn
h = L.cudnnCreate()
x, y = L.cudnnCreateTensorDescriptor(), L.cudnnCreateTensorDescriptor()
w, c = L.cudnnCreateFilterDescriptor(), L.cudnnCreateConvolutionDescriptor()
L.cudnnSetTensor4dDescriptor(x, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, 2, 3, 8, 8)
L.cudnnSetFilter4dDescriptor(w, L.CUDNN_DATA_FLOAT, L.CUDNN_TENSOR_NCHW, 4, 3, 3, 3)
L.cudnnSetConvolution2dDescriptor(c, 1, 1, 2, 2, 1, 1, L.CUDNN_CROSS_CORRELATION, L.CUDNN_DATA_FLOAT)
dims = L.cudnnGetConvolution2dForwardOutputDim(c, x, w)
L.cudnnSetTensor4dDescriptor(y, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, *dims)
def attempt(action):
    try: print(repr(action()))
    except Exception as error: print(type(error).__name__, error)
"""


def after_setup(source: str) -> list[str]:
    return python_output(SETUP + source).splitlines()


def test_outputs_become_return_values() -> None:
    lines = after_setup("""
print(dims)
print(L.cudnnGetTensor4dDescriptor(x))
print(L.cudnnGetTensorSizeInBytes(y))
print(L.cudnnSetConvolutionGroupCount(c, 1))
print(L.cudnnGetConvolutionGroupCount(c), repr(L.cudnnGetConvolutionMathType(c)))
print(L.cudnnGetTensorNdDescriptor(x, 8))
print(L.cudnnGetFilterNdDescriptor(w, 2)[3])
""")
    assert lines == [
        "(2, 4, 4, 4)",
        "(<cudnnDataType_t.CUDNN_DATA_FLOAT: 0>, 2, 3, 8, 8, 192, 64, 8, 1)",
        str(2 * 4 * 4 * 4 * 4),
        "None",
        "1 <cudnnMathType_t.CUDNN_DEFAULT_MATH: 0>",
        "(<cudnnDataType_t.CUDNN_DATA_FLOAT: 0>, 4, [2, 3, 8, 8], [192, 64, 8, 1])",
        "[4, 3]",
    ]


def test_every_function_takes_what_its_reference_page_says() -> None:
    lines = after_setup("""
import inspect
import libcudnn.cuda
for module in (libcudnn, libcudnn.cuda):
    for name, function in vars(module).items():
        if name.startswith("cud") and hasattr(function, "__signature__"):
            print(f"{module.__name__}.{name}({', '.join(inspect.signature(function).parameters)})")
""")
    called = (python_signature(function).partition(" -> ")[0] for function in load_api().functions.values())
    promised = {re.sub(r"=\w+", "", text) for text in called}
    assert len(lines) > 200
    assert set(lines) - promised == set()


def test_default_arguments_are_those_of_the_header() -> None:
    done = run_python("cuda.cudaFree(cuda.cudaMallocManaged(64))")
    call = next(call for call in done.trace.calls if call.name == "cudaMallocManaged")
    assert (call.args["flags"], call.status) == (1, 0)


def test_lists_of_algorithms_are_objects() -> None:
    lines = after_setup("""
found = L.cudnnGetConvolutionForwardAlgorithm_v7(h, x, w, c, y, 4)
best = found[0]
print(len(found), best.status == L.CUDNN_STATUS_SUCCESS, best.algo in L.cudnnConvolutionFwdAlgo_t)
print(type(best.memory).__name__, type(best.time).__name__, best.determinism.name)
print(repr(best).startswith("cudnnConvolutionFwdAlgoPerf_t(algo=CUDNN_CONVOLUTION_FWD_ALGO_"))
print(len(L.cudnnGetConvolutionForwardAlgorithm_v7(h, x, w, c, y, 1)))
""")
    assert lines == ["4 True True", "int float CUDNN_DETERMINISTIC", "True", "1"]


def test_a_failed_call_raises_its_status() -> None:
    lines = after_setup("""
try:
    L.cudnnSetTensor4dDescriptor(x, 0, 0, -1, 3, 8, 8)
except L.CudnnError as error:
    print(repr(error.status), error.name, error.function)
    print(str(error).startswith("cudnnSetTensor4dDescriptor: CUDNN_STATUS_BAD_PARAM (2000)"))
    print(bool(error.message) == bool(L.cudnnGetLastErrorString()))
    print(repr(L.cudnnGetLastErrorString()))
print(L.CUDNN_STATUS_BAD_PARAM.name, isinstance(error_class := L.CudnnError(2000, "f"), RuntimeError))
""")
    assert lines[0] == (
        "<cudnnStatus_t.CUDNN_STATUS_BAD_PARAM: 2000> CUDNN_STATUS_BAD_PARAM cudnnSetTensor4dDescriptor"
    )
    assert lines[1:4] == ["True", "True", "''"]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        ("L.cudnnDestroy()", "TypeError", ["cudnnDestroy() lacks handle", "takes 1 arguments (handle)", "0 given"]),
        ("L.cudnnCreate(3)", "TypeError", ["cudnnCreate() takes no arguments", "1 were given"]),
        ("L.cudnnDestroy(h, h)", "TypeError", ["takes 1 arguments (handle), but 2 were given"]),
        ("L.cudnnDestroy(handel=h)", "TypeError", ["has no parameter 'handel'"]),
        ("L.cudnnDestroy(h, handle=h)", "TypeError", ["got 'handle' twice", "but"]),
        ("L.cudnnDestroy(x)", "TypeError", ["'handle' must be a cudnnHandle_t", "not cudnnTensorDescriptor_t"]),
        ("L.cudnnDestroyTensorDescriptor(5)", "TypeError", ["must be a cudnnTensorDescriptor_t, not int"]),
        ("L.cudnnSetTensor4dDescriptor(x, L.CUDNN_DATA_FLOAT, L.CUDNN_TENSOR_NCHW, 1, 1, 1, 1)", "TypeError",
         ["'format' must be cudnnTensorFormat_t, not cudnnDataType_t", "wrong order"]),
        ("L.cudnnSetTensor4dDescriptor(x, 0, 0, 1.5, 1, 1, 1)", "TypeError", ["'n' must be an integer, not float"]),
        ("L.cudnnSetTensor4dDescriptor(x, 0, 0, 1 << 40, 1, 1, 1)", "OverflowError", ["'n'", "does not fit int"]),
        ("L.cudnnSetTensorNdDescriptor(x, 0, 4, [1, 2], [2, 1])", "ValueError", ["'dimA' has 2 elements", "reads 4"]),
        ("L.cudnnSetTensorNdDescriptor(x, 0, 2, 7.5, [2, 1])", "TypeError", ["'dimA' must be a sequence of int"]),
        ("L.cudnnSetStream(h, 'main')", "TypeError", ["must be a cudaStream_t, a cupy.cuda.Stream or None, not str"]),
        ("cuda.cudaMemset(1.5, 0, 4)", "TypeError", ["must be a device pointer", "cupy.ndarray"]),
        ("cuda.cudaMalloc(-1)", "OverflowError", ["-1 does not fit size_t"]),
        ("L.cudnnSetTensor(h, x, None, 'one')", "TypeError", ["'valuePtr' must be a number"]),
    ],
)  # fmt: skip
def test_wrong_arguments_say_function_parameter_and_what_is_expected(call: str, error: str, words: list[str]) -> None:
    (line,) = after_setup(f"attempt(lambda: {call})")
    assert line.startswith(error)
    assert [word for word in words if word in line or word == "but"] == words, line


def test_arguments_by_keyword_and_by_default() -> None:
    lines = after_setup("""
print(L.cudnnGetConvolution2dForwardOutputDim(c, filterDesc=w, inputTensorDesc=x))
e = cuda.cudaEventCreate()
cuda.cudaEventRecord(e)
import inspect
print(inspect.signature(L.cudnnGetConvolution2dForwardOutputDim), inspect.signature(cuda.cudaEventRecord))
print("scal" in L.cudnnSetTensor4dDescriptor.__doc__ or len(L.cudnnSetTensor4dDescriptor.__doc__) > 20)
""")
    assert lines == ["(2, 4, 4, 4)", "(convDesc, inputTensorDesc, filterDesc) (event, stream=0)", "True"]


DEVICE = """
def device(array):
    p = cuda.cudaMalloc(array.nbytes)
    cuda.cudaMemcpy(p, array, array.nbytes, cuda.cudaMemcpyHostToDevice)
    return p
def host(p, shape, dtype):
    out = np.empty(shape, dtype)
    cuda.cudaMemcpy(out, p, out.nbytes, cuda.cudaMemcpyDeviceToHost)
    return out
"""


@pytest.mark.parametrize("dtype", ["FLOAT", "DOUBLE"])
def test_scalars_take_the_type_that_the_tensor_demands(dtype: str) -> None:
    numpy_type = {"FLOAT": "float32", "DOUBLE": "float64"}[dtype]
    lines = after_setup(
        DEVICE
        + f"""
L.cudnnSetTensor4dDescriptor(x, 0, L.CUDNN_DATA_{dtype}, 1, 1, 1, 4)
L.cudnnSetFilter4dDescriptor(w, L.CUDNN_DATA_{dtype}, 0, 1, 1, 1, 1)
L.cudnnSetConvolution2dDescriptor(c, 0, 0, 1, 1, 1, 1, L.CUDNN_CROSS_CORRELATION, L.CUDNN_DATA_{dtype})
a = np.array([1, 2, 3, 4], np.{numpy_type})
p, one, q = device(a), device(a[:1]), device(a * 10)
def scaled(alpha, beta):
    L.cudnnConvolutionForward(h, alpha, x, p, w, one, c, 0, None, 0, beta, x, q)
    return host(q, 4, a.dtype).tolist()
print(scaled(0.5, 2))
print(scaled(np.{numpy_type}(3), (ctypes.c_{"float" if dtype == "FLOAT" else "double"})(0)))
"""
    )
    assert lines == ["[20.5, 41.0, 61.5, 82.0]", "[3.0, 6.0, 9.0, 12.0]"]


def test_the_type_of_an_explicit_scalar_is_kept_even_where_it_is_wrong() -> None:
    done = run_python(
        SETUP
        + """
function = lambda alpha: L.cudnnConvolutionForward(None, alpha, x, None, w, None, c, 0, None, 0, 0.0, y, None)
for alpha in (1.5, 2, np.float64(1), ctypes.c_double(1), np.float32(0.25), ctypes.c_int(1)):
    try: function(alpha)
    except L.CudnnError: pass
"""
    )
    assert done.status == 0, done.stderr
    alphas = [call.args["alpha"] for call in done.trace.calls if call.name == "cudnnConvolutionForward"]
    assert alphas == [1.5, 2, 0, 0, 0.25, pytest.approx(1.4e-45)]


def test_memory_is_given_in_many_forms() -> None:
    lines = after_setup(
        DEVICE
        + """
class Foreign:
    def __init__(self, p): self.__cuda_array_interface__ = {"data": (int(p), False)}
class Pointer:
    def __init__(self, p): self.ptr = int(p)
a = np.arange(4, dtype=np.float32)
p = device(a)
print(repr(p).startswith("DevicePointer(0x"), type(p + 4).__name__, p + 4 - p)
for form in (p, int(p), np.uint64(p), Foreign(p), Pointer(p)):
    cuda.cudaMemset(form, 0, 4)
print(host(p + 4, 3, a.dtype).tolist())
raw = bytearray(8)
cuda.cudaMemcpy(raw, p + 8, 8, cuda.cudaMemcpyDeviceToHost)
print(np.frombuffer(raw, np.float32).tolist())
memory = (ctypes.c_float * 2)()
cuda.cudaMemcpy(memory, p + 8, 8, cuda.cudaMemcpyDefault)
print(list(memory))
cuda.cudaFree(p)
cuda.cudaFree(None)
"""
    )
    assert lines == ["True DevicePointer 4", "[1.0, 2.0, 3.0]", "[2.0, 3.0]", "[2.0, 3.0]"]


def test_host_memory_where_device_memory_belongs_fails_as_in_c() -> None:
    done = run_python(
        SETUP
        + """
data = np.zeros(2 * 3 * 8 * 8, np.float32)
weights, out = cuda.cudaMalloc(4 * 3 * 9 * 4), cuda.cudaMalloc(2 * 4 * 4 * 4 * 4)
cuda.cudaMemset(weights, 0, 4 * 3 * 9 * 4)
L.cudnnConvolutionForward(h, 1.0, x, data, w, weights, c, 0, None, 0, 0.0, y, out)
try: cuda.cudaDeviceSynchronize()
except cuda.CudaError as error: print(int(error.status), error.name, error.function)
print(int(cuda.cudaGetLastError()), cuda.cudaPeekAtLastError().name)
"""
    )
    assert done.stdout.splitlines()[0] == "700 cudaErrorIllegalAddress cudaDeviceSynchronize"
    assert done.trace.calls[-4].args["x"] == {"kind": "host"}


def test_streams_events_and_answers_that_are_no_errors() -> None:
    lines = after_setup("""
s = cuda.cudaStreamCreate()
L.cudnnSetStream(h, s)
print(L.cudnnGetStream(h) == s, type(L.cudnnGetStream(h)).__name__)
class Cupy: ptr = int(s)
L.cudnnSetStream(h, Cupy())
L.cudnnSetStream(h, None)
print(int(L.cudnnGetStream(h)))
a, b = cuda.cudaEventCreate(), cuda.cudaEventCreateWithFlags(cuda.cudaEventDefault)
cuda.cudaEventRecord(a, s); cuda.cudaEventRecord(b, s)
cuda.cudaStreamSynchronize(s)
print(cuda.cudaEventElapsedTime(a, b) >= 0, cuda.cudaStreamQuery(s).name, cuda.cudaEventQuery(b).name)
print(cuda.cudaGetLastError().name)
""")
    assert lines == ["True cudaStream_t", "0", "True cudaSuccess cudaSuccess", "cudaSuccess"]


def test_device_properties_and_memory_info() -> None:
    lines = after_setup("""
properties = cuda.cudaGetDeviceProperties(0)
print(bool(properties.name), properties.major >= 5, properties.warpSize)
free, total = cuda.cudaMemGetInfo()
print(0 < free <= total, cuda.cudaGetDeviceCount() >= 1)
""")
    assert lines == ["True True 32", "True True"]


def test_enums_are_classes_and_flat_constants() -> None:
    lines = after_setup("""
print(L.cudnnDataType_t.CUDNN_DATA_HALF is L.CUDNN_DATA_HALF, int(L.CUDNN_DATA_HALF))
print(L.CUDNN_STATUS_ALLOC_FAILED.name)
print(cuda.cudaMemcpyHostToDevice == 1, L.CUDNN_DIM_MAX, L.CUDNN_SEV_INFO_EN)
from libcudnn import *
print(cudnnCreate is L.cudnnCreate, CUDNN_TENSOR_NHWC.name)
print(hasattr(L, "cudaMalloc"), hasattr(cuda, "cudnnCreate"))
""")
    assert lines == [
        "True 2",
        "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
        "True 8 8",
        "True CUDNN_TENSOR_NHWC",
        "False False",
    ]


def test_every_function_of_the_table_is_there_with_its_documentation() -> None:
    from grader.contract.api import load_api

    names = " ".join(f.name for f in load_api().functions.values())
    lines = after_setup(f"""
missing = [n for n in {names!r}.split() if not callable(getattr(L if n.startswith("cudnn") else cuda, n, None))]
print(missing)
""")
    assert lines == ["[]"]


def test_calls_carry_the_line_of_the_learners_file() -> None:
    learner = """
import libcudnn
def helper():
    return libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnnGetVersion()
x = helper()
sorted([1], key=lambda _: libcudnn.cudnnGetVersion())
libcudnn.cudnnGetLastErrorString()
"""
    source = f"""
libcudnn.set_learner_file("learner.py")
exec(compile({learner!r}, "learner.py", "exec"))
libcudnn.cudnnGetVersion()
"""
    calls = run_python(source).trace.calls
    assert [call.line for call in calls] == [5, 4, 7, 8, 0]
    assert [call.via for call in calls] == [[], [6], [7], [], []]


def test_without_a_learner_file_the_callers_line_is_taken() -> None:
    source = "\n\nlibcudnn.cudnnGetVersion()\n"
    first, *_ = run_python(source).trace.calls
    assert first.line > 3


def test_a_callback_is_a_python_function() -> None:
    done = run_python("""
said = []
libcudnn.cudnnSetCallback(libcudnn.CUDNN_SEV_ERROR_EN, None, lambda severity, data, debug, text: said.append((severity, text)))
x = libcudnn.cudnnCreateTensorDescriptor()
try: libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, 0, 1, 1, 1)
except libcudnn.CudnnError: pass
libcudnn.cudnnSetCallback(0, None, None)
print(said[0][0].name, "cudnnSetTensor4dDescriptor" in said[0][1] or bool(said[0][1]))
""")  # noqa: E501
    assert done.stdout.split() == ["CUDNN_SEV_ERROR", "True"], done.stderr


def test_it_finds_the_simulator_by_itself() -> None:
    source = "import libcudnn; libcudnn.cudnnDestroy(libcudnn.cudnnCreate()); print(libcudnn.cudnnGetVersion() > 9000)"
    done = run([sys.executable, "-c", source])
    assert done.stdout.strip() == "True"
