"""What must not stop the recorder, and what it must not stop: crashes, full buffers, threads, forks, bad pointers."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.native.recorded import run, run_cpp, run_python

pytestmark = pytest.mark.usefixtures("native_build")

ECHO = """
int answer(void) { return 0; }
#define ALIAS(name) int name() __attribute__((alias("answer")));
ALIAS(cudnnSetTensorNdDescriptor) ALIAS(cudnnConvolutionForward) ALIAS(cudnnSetTensor)
ALIAS(cudnnCreateTensorDescriptor) ALIAS(cudnnFindConvolutionForwardAlgorithm) ALIAS(cudnnBackendSetAttribute)
ALIAS(cudnnSetRNNDataDescriptor) ALIAS(cudnnGetTensorNdDescriptor) ALIAS(cudnnGetConvolution2dForwardOutputDim)
"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library whose few functions succeed without looking at anything."""
    folder = tmp_path_factory.mktemp("echo")
    (folder / "echo.c").write_text(ECHO)
    command = ["gcc", "-shared", "-fPIC", "-w", "-o", str(folder / "echo.so"), str(folder / "echo.c")]
    subprocess.run(command, check=True)
    return folder / "echo.so"


def test_a_call_that_crashes_is_seen_in_flight(tmp_path: Path) -> None:
    body = """
cudnnTensorDescriptor_t x;
cudnnCreateTensorDescriptor(&x);
cudnnSetTensorNdDescriptor(x, CUDNN_DATA_FLOAT, 4, (const int *)64, (const int *)64);
"""
    done = run_cpp(body, tmp_path)
    assert done.status == -11
    last = done.trace.calls[-1]
    assert (last.name, last.status, last.status_name, last.case) == ("cudnnSetTensorNdDescriptor", None, "", "one")
    assert last.args["nbDims"] == 4
    assert done.trace.calls[0].status == 0


def test_bad_pointers_are_described_and_never_followed(echo: Path) -> None:
    source = """
def call(name, *values):
    function = getattr(recorder, name)
    function.argtypes = [ctypes.c_void_p if v is None or v > 99 or v < 0 else ctypes.c_long for v in values]
    assert function(*values) == 0
bad = 0x123456789
call("cudnnSetTensorNdDescriptor", bad, 0, 4, bad, bad)
call("cudnnSetTensorNdDescriptor", bad, 0, -5, bad, bad)
call("cudnnConvolutionForward", bad, bad, bad, bad, bad, bad, bad, 1, bad, 8, bad, bad, bad)
call("cudnnSetTensor", bad, bad, bad, bad)
call("cudnnBackendSetAttribute", bad, 1, 3, 1000, bad)
call("cudnnSetRNNDataDescriptor", bad, 0, 0, 3, 99, 4, bad, bad)
print("survived")
"""
    done = run_python(source, cudnn=echo)
    assert (done.status, done.stdout.strip()) == (0, "survived"), done.stderr
    assert len(done.trace.calls) == 6
    assert done.trace.dropped == 0


def test_a_missing_function_is_a_status_and_a_note(echo: Path) -> None:
    source = """
try: libcudnn.cudnnCreate()
except libcudnn.CudnnError as error: print(int(error.status))
print(recorder.cudaGetDeviceCount(None))
"""
    done = run_python(source, cudnn=echo, cudart=echo)
    assert done.stdout.split() == ["3009", "302"]
    assert [note["function"] for note in done.trace.notes] == ["cudnnCreate", "cudaGetDeviceCount"]
    assert {note["note"] for note in done.trace.notes} == {"missing_symbol"}


def test_a_library_that_cannot_be_loaded_is_said_and_survived(tmp_path: Path) -> None:
    done = run_python("print(recorder.cudnnCreate(None))", cudnn=tmp_path / "none.so")
    assert done.stdout.strip() == "3009"
    assert "none.so" in done.stderr


def test_a_full_buffer_drops_calls_and_nothing_else() -> None:
    done = run_python("print(sum(libcudnn.cudnnGetVersion() > 0 for _ in range(500)))", capacity=4096)
    assert done.stdout.strip() == "500"
    assert done.trace.dropped + len(done.trace.calls) == 500
    assert done.trace.calls[0].index == 0


def test_without_a_buffer_calls_are_forwarded_and_objects_followed() -> None:
    late = """
import libcudnn, os
from libcudnn._native import library as recorder
x = libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, 1, 2, 3, 4)
recorder.fp_recorder_attach(int(os.environ["TRACE"]))
libcudnn.cudnnGetTensorSizeInBytes(x)
"""
    done = run([sys.executable, "-c", late])
    assert [call.name for call in done.trace.calls] == ["cudnnGetTensorSizeInBytes"]
    assert done.trace.calls[0].args["tensorDesc"]["dims"] == [1, 2, 3, 4]


def test_threads_write_whole_lines_and_are_told_apart() -> None:
    source = """
import threading
def work(n):
    for i in range(200):
        x = libcudnn.cudnnCreateTensorDescriptor()
        libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, n, 2, 3, 4)
        libcudnn.cudnnDestroyTensorDescriptor(x)
threads = [threading.Thread(target=work, args=(n + 1,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
"""
    trace = run_python(source, capacity=8 << 20).trace
    assert (len(trace.calls), trace.dropped) == (4800, 0)
    assert [call.index for call in trace.calls] == list(range(4800))
    assert len({call.thread for call in trace.calls}) == 8
    per_thread = {call.thread: set[int]() for call in trace.calls}
    for call in trace.calls:
        if call.name == "cudnnSetTensor4dDescriptor":
            per_thread[call.thread].add(call.args["n"])
    assert all(len(values) == 1 for values in per_thread.values())


def test_a_forked_child_goes_on_with_the_same_trace() -> None:
    source = """
libcudnn.cudnnGetVersion()
child = os.fork()
for _ in range(50): libcudnn.cudnnGetErrorString(2000 if child else 3000)
if not child: os._exit(0)
os.waitpid(child, 0)
"""
    trace = run_python(source).trace
    statuses = [call.args["status"] for call in trace.calls[1:]]
    assert sorted(statuses) == ["CUDNN_STATUS_BAD_PARAM"] * 50 + ["CUDNN_STATUS_NOT_SUPPORTED"] * 50
    assert sorted(call.index for call in trace.calls) == list(range(101))


def test_notes_know_call_case_and_line() -> None:
    source = """
libcudnn.set_learner_file("<string>")
libcudnn.cudnnGetVersion()
recorder.fp_recorder_note(b'{"note":"hello","value":3}')
recorder.fp_recorder_note(b'not json')
recorder.fp_recorder_note(None)
"""
    (note,) = run_python(source).trace.notes
    assert (note["note"], note["value"], note["call"], note["case"]) == ("hello", 3, 0, "one")
    assert note["line"] > 0


def test_what_the_library_calls_back_is_not_recorded(tmp_path: Path) -> None:
    body = """
cudnnSetCallback(CUDNN_SEV_INFO_EN, nullptr,
                 [](cudnnSeverity_t, void *, const cudnnDebug_t *, const char *) { cudnnGetVersion(); });
cudnnTensorDescriptor_t x;
cudnnCreateTensorDescriptor(&x);
"""
    done = run_cpp(body, tmp_path)
    assert done.names == ["cudnnSetCallback", "cudnnCreateTensorDescriptor"]


def test_what_does_not_fit_counts_as_dropped() -> None:
    source = """
recorder.fp_recorder_note(b'{"note":"' + b'x' * 4000 + b'"}')
libcudnn.cudnnGetVersion()
"""
    trace = run_python(source, capacity=2048).trace
    assert (trace.dropped, len(trace.calls)) == (1, 1)


@pytest.mark.parametrize(
    ("dtype", "value", "read"),
    [("FLOAT", 1.5, 1.5), ("DOUBLE", 0.1, 0.1), ("HALF", -2.5, -2.5), ("HALF", 6e-8, 5.9604645e-08),
     ("BFLOAT16", 3.0, 3.0), ("INT32", -7, -7), ("INT8", -3, -3), ("HALF", float("inf"), "inf")],
)  # fmt: skip
def test_elements_are_read_with_the_type_of_their_tensor(echo: Path, dtype: str, value: float, read: object) -> None:
    source = f"""
x = libcudnn.cudnnTensorDescriptor_t(0x123456789)
libcudnn.cudnnSetTensorNdDescriptor(x, libcudnn.CUDNN_DATA_{dtype}, 4, [1, 1, 1, 1], [1, 1, 1, 1])
libcudnn.cudnnSetTensor(None, x, None, float("{value}"))
"""
    done = run_python(source, cudnn=echo)
    assert done.status == 0, done.stderr
    assert done.trace.calls[-1].args["valuePtr"] == (pytest.approx(read) if isinstance(read, float) else read)
