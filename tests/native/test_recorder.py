"""The call recorder over the simulator: what it writes, and that nothing a program does stops it."""

import subprocess
from pathlib import Path

import pytest

from grader.contract.api import load_api
from tests.native.recorded import RECORDER, run_cpp, run_python

pytestmark = pytest.mark.usefixtures("native_build")

CONVOLUTION = """
h = libcudnn.cudnnCreate()
x = libcudnn.cudnnCreateTensorDescriptor()
w = libcudnn.cudnnCreateFilterDescriptor()
c = libcudnn.cudnnCreateConvolutionDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(x, libcudnn.CUDNN_TENSOR_NHWC, libcudnn.CUDNN_DATA_DOUBLE, 1, 2, 3, 4)
libcudnn.cudnnSetFilter4dDescriptor(w, libcudnn.CUDNN_DATA_DOUBLE, libcudnn.CUDNN_TENSOR_NHWC, 5, 2, 1, 1)
libcudnn.cudnnSetConvolution2dDescriptor(c, 0, 0, 1, 1, 1, 1, libcudnn.CUDNN_CROSS_CORRELATION, libcudnn.CUDNN_DATA_DOUBLE)
libcudnn.cudnnSetConvolutionGroupCount(c, 1)
"""  # noqa: E501


def test_every_function_of_the_table_is_exported_under_the_real_version_node() -> None:
    listing = subprocess.run(["nm", "-D", str(RECORDER)], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1] for line in listing.splitlines() if " T " in line}
    nodes = {"cudnn": "libcudnn.so.9", "cudart": "libcudart.so.12"}
    wanted = {f"{f.symbol}@@{nodes[f.library]}" for f in load_api().functions.values()}
    assert wanted <= exported
    assert all(name.split("@@")[0].startswith(("cudnn", "cuda", "fp_recorder_", "FP_")) for name in exported)


def test_descriptors_are_written_with_their_content() -> None:
    calls = run_python(CONVOLUTION + "libcudnn.cudnnGetConvolution2dForwardOutputDim(c, x, w)").trace.calls
    query = calls[-1]
    assert query.args["inputTensorDesc"] == {
        "kind": "tensor", "id": "tensor#1", "dtype": "DOUBLE", "format": "NHWC",
        "dims": [1, 2, 3, 4], "strides": [24, 1, 8, 2],
    }  # fmt: skip
    assert query.args["filterDesc"] == {
        "kind": "filter", "id": "filter#1", "dtype": "DOUBLE", "format": "NHWC", "dims": [5, 2, 1, 1],
    }  # fmt: skip
    assert query.args["convDesc"] == {
        "kind": "convolution", "id": "convolution#1", "pad": [0, 0], "stride": [1, 1], "dilation": [1, 1],
        "mode": "CROSS_CORRELATION", "dtype": "DOUBLE", "groups": 1,
    }  # fmt: skip
    assert query.outs == {"n": 1, "c": 5, "h": 3, "w": 4}
    assert (query.status, query.status_name, query.case) == (0, "CUDNN_STATUS_SUCCESS", "one")


def test_arguments_show_enumerators_by_name_and_unknown_values_as_numbers() -> None:
    source = """
x = libcudnn.cudnnCreateTensorDescriptor()
try:
    libcudnn.cudnnSetTensor4dDescriptor(x, 77, libcudnn.CUDNN_DATA_HALF, 1, 2, 3, 4)
except libcudnn.CudnnError as error:
    print(error.name)
"""
    done = run_python(source)
    call = done.trace.calls[-1]
    assert (call.args["format"], call.args["dataType"], call.args["n"]) == (77, "CUDNN_DATA_HALF", 1)
    assert (call.status, done.stdout.strip()) == (2000, "CUDNN_STATUS_BAD_PARAM")
    assert "dims" not in call.args["tensorDesc"]


def test_a_failed_setter_leaves_the_content_and_a_destroyed_object_is_marked() -> None:
    source = """
x = libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, 1, 2, 3, 4)
for n in (0, 9):
    try: libcudnn.cudnnSetTensor4dDescriptor(x, 0, 0, n, 2, 3, 4)
    except libcudnn.CudnnError: pass
    if n == 0:
        libcudnn.cudnnGetTensorSizeInBytes(x)
        libcudnn.cudnnDestroyTensorDescriptor(x)
"""
    calls = run_python(source).trace.calls
    assert calls[3].args["tensorDesc"]["dims"] == [1, 2, 3, 4]
    assert "live" not in calls[4].args["tensorDesc"]
    assert calls[5].args["tensorDesc"]["live"] is False


@pytest.mark.parametrize(
    ("setter", "strides", "layout"),
    [
        ("SetTensorNdDescriptor(x, 0, 4, [2, 3, 4, 5], [60, 20, 5, 1])", [60, 20, 5, 1], "NCHW"),
        ("SetTensorNdDescriptor(x, 0, 4, [2, 3, 4, 5], [60, 1, 15, 3])", [60, 1, 15, 3], "NHWC"),
        ("SetTensorNdDescriptor(x, 0, 4, [2, 3, 4, 5], [120, 20, 5, 1])", [120, 20, 5, 1], "STRIDED"),
        ("SetTensor4dDescriptorEx(x, 0, 2, 3, 4, 5, 60, 1, 15, 3)", [60, 1, 15, 3], "NHWC"),
        ("SetTensorNdDescriptorEx(x, 1, 0, 5, [2, 3, 4, 5, 6])", [360, 1, 90, 18, 3], "NHWC"),
        ("SetTensorNdDescriptorEx(x, 0, 0, 5, [2, 3, 4, 5, 6])", [360, 120, 30, 6, 1], "NCHW"),
    ],
)
def test_every_tensor_setter_gives_the_strides_that_the_library_has(
    setter: str, strides: list[int], layout: str
) -> None:
    source = f"""
x = libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnn{setter}
print(libcudnn.cudnnGetTensorNdDescriptor(x, 8)[3])
"""
    done = run_python(source)
    described = done.trace.calls[-1].args["tensorDesc"]
    assert (described["strides"], described["format"]) == (strides, layout)
    assert done.stdout.strip() == str(strides)


def test_copied_rows_tell_buffers_pitches_and_direction() -> None:
    source = """
p = cuda.cudaMalloc(256)
host = (ctypes.c_char * 64)()
cuda.cudaMemcpy2D(p + 16, 32, host, 8, 8, 3, cuda.cudaMemcpyHostToDevice)
cuda.cudaMemcpy2DAsync(host, 8, p + 16, 32, 8, 3, cuda.cudaMemcpyDeviceToHost)
"""
    calls = run_python(source).trace.calls
    rows = {"width": 8, "height": 3}
    device = {"kind": "device", "id": "buffer#1", "bytes": 256, "offset": 16}
    there = {"dst": device, "dpitch": 32, "src": {"kind": "host"}, "spitch": 8, "kind": "cudaMemcpyHostToDevice"}
    back = {"dst": {"kind": "host"}, "dpitch": 8, "src": device, "spitch": 32, "kind": "cudaMemcpyDeviceToHost"}
    assert calls[1].args == there | rows
    assert calls[2].args == back | rows | {"stream": {"kind": "stream", "id": "default"}}


def test_pointers_tell_what_they_point_to() -> None:
    source = """
p = cuda.cudaMalloc(256)
host = (ctypes.c_char * 64)()
cuda.cudaMemcpy(p + 16, host, 64, cuda.cudaMemcpyHostToDevice)
cuda.cudaMemset(None, 0, 0)
q = cuda.cudaMallocHost(128)
cuda.cudaMemcpy(q, p, 32, cuda.cudaMemcpyDeviceToHost)
cuda.cudaFree(p)
try: cuda.cudaMemset(p, 0, 4)
except cuda.CudaError: pass
"""
    calls = run_python(source).trace.calls
    buffer = {"kind": "device", "id": "buffer#1", "bytes": 256, "offset": 0}
    assert calls[0].outs["devPtr"] == buffer
    assert calls[1].args["dst"] == buffer | {"offset": 16}
    assert calls[1].args["src"] == {"kind": "host"}
    assert calls[2].args["devPtr"] == {"kind": "null"}
    assert calls[4].args["dst"] == {"kind": "pinned", "id": "pinned#1", "bytes": 128, "offset": 0}
    assert calls[5].args["devPtr"] == buffer
    assert calls[6].args["devPtr"] == buffer | {"live": False}


def test_an_address_behind_the_end_of_a_device_buffer_is_not_called_host() -> None:
    source = """
p = cuda.cudaMalloc(256)
host = (ctypes.c_char * 4)()
for address in (p + (1 << 20), ctypes.addressof(host)):
    cuda.cudaMemset(p, 0, 4)
    try: cuda.cudaMemset(address, 0, 4)
    except cuda.CudaError: pass
"""
    _, _, behind, _, host = run_python(source).trace.calls
    assert (behind.args["devPtr"], host.args["devPtr"]) == ({"kind": "unknown"}, {"kind": "host"})


def test_named_buffers_and_symbols_past_the_recorder() -> None:
    source = """
malloc = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(recorder.fp_recorder_symbol(b"cudaMalloc"))
p = ctypes.c_void_p()
malloc(ctypes.addressof(p), 64)
recorder.fp_recorder_buffer(p, 64, b"x")
cuda.cudaMemset(p.value + 8, 0, 4)
recorder.fp_recorder_buffer_end(p)
try: cuda.cudaMemset(p.value, 0, 4)
except cuda.CudaError: pass
"""
    calls = run_python(source).trace.calls
    assert [call.name for call in calls] == ["cudaMemset", "cudaMemset"]
    assert calls[0].args["devPtr"] == {"kind": "device", "id": "x", "bytes": 64, "offset": 8}
    assert calls[1].args["devPtr"]["live"] is False


@pytest.mark.parametrize(
    ("dtype", "value", "read"),
    [
        ("FLOAT", "ctypes.c_float(1.5)", 1.5),
        ("HALF", "ctypes.c_float(1.5)", 1.5),
        ("DOUBLE", "ctypes.c_double(0.1)", 0.1),
        ("DOUBLE", "(ctypes.c_float * 2)(1.0, 0.0)", 5.26354424712089e-315),
        ("FLOAT", "ctypes.c_double(1.0)", 0.0),
        ("FLOAT", "ctypes.c_int(1)", 1e-45),
        ("FLOAT", "ctypes.c_float(float('nan'))", "nan"),
        ("FLOAT", "None", {"kind": "null"}),
        ("FLOAT", "5", {"kind": "unknown"}),
    ],
)
def test_scalars_are_read_with_the_type_that_the_tensor_demands(dtype: str, value: str, read: object) -> None:
    source = f"""
y = libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(y, 0, libcudnn.CUDNN_DATA_{dtype}, 1, 1, 1, 1)
function = recorder.cudnnConvolutionForward
function.argtypes = None
value = {value}
null = ctypes.c_void_p()
pointer = ctypes.c_void_p(value) if isinstance(value, int) or value is None else ctypes.byref(value)
function(null, pointer, null, null, null, null, null, 0, null, ctypes.c_size_t(0), null, ctypes.c_void_p(y), null)
"""
    done = run_python(source)
    call = done.trace.calls[-1]
    got = call.args["alpha"]
    if read == {"kind": "unknown"}:
        assert got["kind"] in ("unknown", "host")
    else:
        assert got == (pytest.approx(read, rel=1e-6, abs=1e-320) if isinstance(read, float) and read else read)
    assert call.args["beta"] == {"kind": "null"}


def test_lists_of_algorithms_are_written_entry_by_entry() -> None:
    source = (
        CONVOLUTION
        + """
y = libcudnn.cudnnCreateTensorDescriptor()
libcudnn.cudnnSetTensor4dDescriptor(y, libcudnn.CUDNN_TENSOR_NHWC, libcudnn.CUDNN_DATA_DOUBLE, 1, 5, 3, 4)
found = libcudnn.cudnnGetConvolutionForwardAlgorithm_v7(h, x, w, c, y, 3)
print(len(found), found[0].algo.name, int(found[0].status))
"""
    )
    done = run_python(source)
    assert done.status == 0, done.stderr
    entries = done.trace.calls[-1].outs["perfResults"]
    count, algo, status = done.stdout.split()
    assert len(entries) == int(count) == 3
    assert (entries[0]["algo"], entries[0]["status"] == "CUDNN_STATUS_SUCCESS") == (algo, status == "0")
    assert set(entries[0]) == {"algo", "status", "time", "memory", "determinism", "mathType"}


def test_streams_events_and_the_stream_of_a_handle() -> None:
    source = """
h = libcudnn.cudnnCreate()
s = cuda.cudaStreamCreate()
e = cuda.cudaEventCreate()
libcudnn.cudnnSetStream(h, s)
libcudnn.cudnnGetStream(h)
cuda.cudaEventRecord(e)
cuda.cudaStreamDestroy(s)
"""
    calls = run_python(source).trace.calls
    stream = {"kind": "stream", "id": "stream#1"}
    assert calls[3].args["streamId"] == stream
    assert calls[4].args["handle"] == {"kind": "handle", "id": "handle#1", "stream": stream}
    assert calls[4].outs == {"streamId": stream}
    assert calls[5].args == {"event": {"kind": "event", "id": "event#1"}, "stream": {"kind": "stream", "id": "default"}}


def test_functions_without_a_status_tell_what_they_return() -> None:
    calls = run_python("libcudnn.cudnnGetVersion(); libcudnn.cudnnGetErrorString(2000)").trace.calls
    assert isinstance(calls[0].outs["return"], int)
    assert calls[1].outs["return"] == "CUDNN_STATUS_BAD_PARAM"
    assert (calls[0].status, calls[1].args["status"]) == (0, "CUDNN_STATUS_BAD_PARAM")


def test_return_addresses_lead_to_the_line(tmp_path: Path) -> None:
    done = run_cpp("cudnnGetVersion();\n\ncudnnGetCudartVersion();", tmp_path)
    lines = []
    for call in done.trace.calls:
        address = hex(done.trace.offsets[call.index][0] - 1)  # a return address lies behind the call
        command = ["addr2line", "-e", str(tmp_path / "program"), address]
        lines.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    assert [line.split("/")[-1] for line in lines] == ["program.cpp:1", "program.cpp:3"]
