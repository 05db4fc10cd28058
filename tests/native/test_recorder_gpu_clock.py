"""Times between two events around the work of a call, here over the simulated runtime's events."""

from tests.native.recorded import Run, run_python

POOLING = """
h = libcudnn.cudnnCreate()
x, y, p = libcudnn.cudnnCreateTensorDescriptor(), libcudnn.cudnnCreateTensorDescriptor(), \\
    libcudnn.cudnnCreatePoolingDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, 1, 1, 4, 4)
libcudnn.cudnnSetTensor4dDescriptor(y, 0, 0, 1, 1, 2, 2)
libcudnn.cudnnSetPooling2dDescriptor(p, 0, 0, 2, 2, 0, 0, 2, 2)
data, out = cuda.cudaMalloc(64), cuda.cudaMalloc(16)
for _ in range(3):
    libcudnn.cudnnPoolingForward(h, p, 1.0, x, data, 0.0, y, out)
recorder.fp_recorder_warm(ctypes.c_void_p(0))
recorder.fp_recorder_gpu_times()
recorder.fp_recorder_gpu_times()
libcudnn.cudnnPoolingForward(h, p, 1.0, x, data, 0.0, y, out)
"""


def times(run: Run) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {}
    for call in run.trace.calls:
        found.setdefault(call.name, []).append(call.gpu_us)
    return found


def test_calls_that_work_on_the_device_get_their_time() -> None:
    done = run_python(POOLING, FP_GPU_CLOCK="1")
    assert done.status == 0, done.stderr
    found = times(done)
    told = found["cudnnPoolingForward"]
    assert all(value is not None and value >= 0 for value in told[:3])
    assert told[3] is None
    assert set(found["cudnnSetTensor4dDescriptor"]) == {None}
    assert "cudaEventCreate" not in found
    assert done.trace.dropped == 0


def test_without_being_asked_no_call_gets_one() -> None:
    found = times(run_python(POOLING))
    assert found["cudnnPoolingForward"] == [None] * 4
