"""Every refusal of the simulator carries a reason. The fuzzer demands the same of all that it calls."""

import ctypes
from pathlib import Path

import pytest

from tests.native.parity.__main__ import simulated_functions
from tests.native.parity.execute import Executor
from tests.native.parity.generate import generate
from tests.native.parity.values import FUNCTIONS
from tests.native.recorded import run_cpp, run_python
from tests.native.simulator import LIBRARIES

REFUSED = """
handle, x, w, conv = (getattr(libcudnn, "cudnnCreate" + kind)() for kind in (
    "", "TensorDescriptor", "FilterDescriptor", "ConvolutionDescriptor"))
libcudnn.cudnnSetTensor4dDescriptor(x, libcudnn.CUDNN_TENSOR_NCHW, libcudnn.CUDNN_DATA_DOUBLE, 1, 4, 5, 5)
libcudnn.cudnnSetFilter4dDescriptor(w, libcudnn.CUDNN_DATA_DOUBLE, libcudnn.CUDNN_TENSOR_NCHW, 4, 4, 1, 1)
libcudnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, libcudnn.CUDNN_CROSS_CORRELATION,
                                         libcudnn.CUDNN_DATA_FLOAT)
memory = cuda.cudaMalloc(1024)
try:
    libcudnn.cudnnConvolutionForward(handle, 1.0, x, memory, w, memory, conv, 1, None, 0, 0.0, x, memory)
except libcudnn.CudnnError as error:
    print(error.status.name)
libcudnn.cudnnDestroy(handle)
"""


@pytest.mark.usefixtures("native_build")
@pytest.mark.parametrize("seed", [5, 6])
def test_refused_calls_tell_why(seed: int) -> None:
    executor = Executor(str(LIBRARIES / "libcudnn.so.9"))
    why = executor.library.fp_sim_last_reason
    why.restype = ctypes.c_char_p
    refused, silent = 0, set()
    for call in generate(3000, seed, simulated_functions(), set()):
        status = executor.make(call)["s"]
        if FUNCTIONS[call["f"]].returns == "cudnnStatus_t" and status != 0:
            refused += 1
            silent |= set() if why() else {call["f"]}
    executor.library.cudnnSetCallback(0, None, None)
    assert refused > 500
    assert silent == set()


@pytest.mark.usefixtures("native_build")
def test_the_trace_has_the_words_of_the_simulator_and_the_next_call_none() -> None:
    run = run_python(REFUSED)
    assert run.stdout.strip() == "CUDNN_STATUS_NOT_SUPPORTED"
    told = {call.name: call.reason.data["text"] for call in run.trace.calls if call.reason}
    assert told == {"cudnnConvolutionForward": "!(forward_supported(shape, algo))"}


LATE = """
struct Last {
    cudnnTensorDescriptor_t x = nullptr;
    ~Last() {
        cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 0, 1, 1, 1);
        cudnnDestroyTensorDescriptor(x);
    }
};
static Last last;
cudnnCreateTensorDescriptor(&last.x);
cudnnSetTensor4dDescriptor(last.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, -1, 1, 1);
"""


@pytest.mark.usefixtures("native_build")
def test_a_call_may_be_refused_in_a_destructor_at_exit(tmp_path: Path) -> None:
    run = run_cpp(LATE, tmp_path)
    assert (run.status, run.stderr) == (0, "")
    assert [call.status for call in run.trace.calls] == [0, 2000, 2000, 0]
