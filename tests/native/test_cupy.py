"""The CuPy stand-in: the same answers as NumPy, on device memory, with CuPy's own rules.

The checks are plain functions in cupy_checks.py, which `python -m tests.native.cupy_checks` also runs over real CuPy on
a machine with a GPU: what the stand-in promises, CuPy must do too.
"""

from pathlib import Path

import pytest

from tests.native import cupy_checks
from tests.native.recorded import run_python

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.usefixtures("native_build")


def test_all_checks_pass_over_the_simulator() -> None:
    source = f"""
import runpy, sys
sys.path.insert(0, {str(ROOT)!r})
runpy.run_module("tests.native.cupy_checks", run_name="__main__")
"""
    done = run_python(source)
    assert done.status == 0, done.stdout + done.stderr
    count = len(cupy_checks.CHECKS)
    assert done.stdout.splitlines()[-1] == f"{count} of {count} checks pass"
    assert count >= 40


def test_arrays_are_known_to_the_recorder_but_their_calls_are_not_recorded() -> None:
    source = """
import cupy
x = cupy.zeros(16, dtype=cupy.float32)
cuda.cudaMemset(x.data.ptr + 8, 0, 8)
address = x.data.ptr
del x
try: cuda.cudaMemset(address, 0, 8)
except cuda.CudaError as error: print(error.name)
"""
    done = run_python(source)
    first, second = done.trace.calls
    assert first.args["devPtr"] == {"kind": "device", "id": "buffer#1", "bytes": 64, "offset": 8}
    assert second.args["devPtr"]["live"] is False
    assert done.stdout.strip() == "cudaErrorInvalidValue"


def test_memory_goes_with_the_last_reference() -> None:
    source = """
import cupy
pool = cupy.get_default_memory_pool()
a = cupy.zeros(1000, dtype=cupy.float32)
view = a[10:20]
print(pool.used_bytes())
del a
print(pool.used_bytes())
del view
print(pool.used_bytes())
"""
    assert run_python(source).stdout.split() == ["4000", "4000", "0"]


def test_what_is_lacking_says_that_real_cupy_has_it() -> None:
    source = """
import cupy
for name in ("RawKernel", "busday_count", "nonsense"):
    try: getattr(cupy, name)
    except AttributeError as error: print(error)
"""
    lacking, numpy_only, unknown = run_python(source).stdout.splitlines()
    assert "lacks cupy.RawKernel; real CuPy on a GPU has it" in lacking
    assert "busday_count" in numpy_only
    assert unknown == "module 'cupy' has no attribute 'nonsense'"


def test_running_out_of_memory_says_how_much_was_asked() -> None:
    source = """
import cupy
try: cupy.empty(1 << 40, dtype=cupy.uint8)
except cupy.cuda.memory.OutOfMemoryError as error: print(error)
"""
    assert run_python(source).stdout.startswith("Out of memory allocating 1,099,511,627,776 bytes")


def test_a_fault_of_a_kernel_is_raised_at_the_next_copy() -> None:
    source = """
import cupy, numpy
x, w = libcudnn.cudnnCreateTensorDescriptor(), libcudnn.cudnnCreateFilterDescriptor()
c, h = libcudnn.cudnnCreateConvolutionDescriptor(), libcudnn.cudnnCreate()
libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, 1, 1, 1, 4)
libcudnn.cudnnSetFilter4dDescriptor(w, 0, 0, 1, 1, 1, 1)
libcudnn.cudnnSetConvolution2dDescriptor(c, 0, 0, 1, 1, 1, 1, 1, 0)
host = numpy.zeros(4, numpy.float32)
device = cupy.zeros(4, dtype=cupy.float32)
libcudnn.cudnnConvolutionForward(h, 1.0, x, host, w, device, c, 0, None, 0, 0.0, x, device)
try: device.get()
except cupy.cuda.runtime.CUDARuntimeError as error: print(error.status, error)
"""
    done = run_python(source)
    assert done.stdout.startswith("700 cudaErrorIllegalAddress: "), done.stderr


COPIES = {
    "y.set(host)": ["host"],
    "y[...] = cupy.asarray(host)": ["host", "device"],
    "y[1:] = x[1:]": ["device"],
    "y[[1, 2]] = x[:2]": ["device"],
    "y[...] = [1.0, 2.0, 3.0, 4.0]": ["host"],
    "cupy.copyto(y, x)": ["device"],
    "y[...] = x.astype(cupy.float64)": ["device", "device"],
    "y.data.copy_from_host(host.ctypes.data, 16)": ["host"],
    "y.data.copy_from_device(x.data, 16)": ["device"],
    "cupy.cuda.runtime.memcpy(y.data.ptr, host.ctypes.data, 16, 1)": ["host"],
    "cupy.cuda.runtime.memcpy(y.data.ptr, host.ctypes.data, 16, 4)": ["host"],
    "cupy.cuda.runtime.memcpy(host.ctypes.data, y.data.ptr, 16, 2)": [],
    "y[...] = 0": [],
    "y += x": [],
    "y.get()": [],
}


@pytest.mark.parametrize("statement", COPIES)
def test_copies_into_device_memory_are_noted(statement: str) -> None:
    source = f"""
import cupy
recorder.fp_recorder_case(b"")
x, y = cupy.ones(4, dtype=cupy.float32), cupy.zeros(4, dtype=cupy.float32)
host = cupy.asnumpy(x)
y.set(host)
recorder.fp_recorder_case(b"one")
{statement}
"""
    trace = run_python(source).trace
    notes = [note for note in trace.notes if note["note"] == "copied"]
    assert [note["src"]["kind"].replace("null", "host") for note in notes] == COPIES[statement]
    assert not notes or notes[-1]["dst"]["id"] == "buffer#2"
    assert all((note["case"], note["line"] > 0) == ("one", True) for note in notes)
    assert trace.calls == []


def test_many_copies_do_not_use_up_the_notes() -> None:
    source = """
import cupy
y = cupy.zeros(4, dtype=cupy.float32)
for _ in range(1200): y.set(y.get())
"""
    trace = run_python(source).trace
    assert (len(trace.notes), trace.dropped) == (1000, 0)
