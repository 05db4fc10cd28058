"""Streams, events, the device, the handle's stream, and the symbols that the libraries export."""

import ctypes
import subprocess

import pytest

from tests.native.simulator import BAD_PARAM, LIBRARIES, Simulator

INVALID_VALUE, INVALID_DEVICE, INVALID_HANDLE = 1, 101, 400
DISABLE_TIMING, INTERPROCESS = 2, 4


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


def new(sim: Simulator, function: str, *arguments: object) -> ctypes.c_void_p:
    pointer = ctypes.c_void_p()
    sim.must(getattr(sim.rt, function)(ctypes.byref(pointer), *arguments))
    return pointer


def test_a_stream_lives_until_it_is_destroyed(sim: Simulator) -> None:
    stream, rt = new(sim, "cudaStreamCreate"), sim.rt
    assert (rt.cudaStreamQuery(stream), rt.cudaStreamSynchronize(stream)) == (0, 0)
    assert (rt.cudaStreamDestroy(stream), rt.cudaStreamDestroy(stream)) == (0, INVALID_HANDLE)
    assert rt.cudaStreamSynchronize(stream) == INVALID_HANDLE
    assert rt.cudaStreamSynchronize(None) == 0, "the default stream is always there"
    assert (rt.cudaStreamCreate(None), rt.cudaStreamDestroy(None)) == (INVALID_VALUE, INVALID_HANDLE)
    assert rt.cudaStreamCreateWithFlags(ctypes.byref(stream), 7) == INVALID_VALUE
    rt.cudaGetLastError()


def test_elapsed_time_of_events(sim: Simulator) -> None:
    start, end, rt, time = new(sim, "cudaEventCreate"), new(sim, "cudaEventCreate"), sim.rt, ctypes.c_float()
    assert rt.cudaEventElapsedTime(ctypes.byref(time), start, end) == INVALID_HANDLE, "not recorded yet"
    assert (rt.cudaEventQuery(start), rt.cudaEventSynchronize(start)) == (0, 0)
    assert (rt.cudaEventRecord(start, None), rt.cudaEventRecord(end, None)) == (0, 0)
    sim.must(rt.cudaEventElapsedTime(ctypes.byref(time), start, end))
    forward = time.value
    sim.must(rt.cudaEventElapsedTime(ctypes.byref(time), end, start))
    assert forward > 0 > time.value
    assert rt.cudaEventElapsedTime(None, start, end) == INVALID_VALUE
    untimed = new(sim, "cudaEventCreateWithFlags", DISABLE_TIMING)
    sim.must(rt.cudaEventRecord(untimed, None))
    assert rt.cudaEventElapsedTime(ctypes.byref(time), start, untimed) == INVALID_HANDLE
    rt.cudaGetLastError()


def test_flags_and_dead_events(sim: Simulator) -> None:
    rt, event = sim.rt, ctypes.c_void_p()
    create = lambda flags: rt.cudaEventCreateWithFlags(ctypes.byref(event), flags)  # noqa: E731
    assert [create(flags) for flags in (8, INTERPROCESS, INTERPROCESS | DISABLE_TIMING)] == [1, 1, 0]
    assert (rt.cudaEventDestroy(event), rt.cudaEventDestroy(event)) == (0, INVALID_HANDLE)
    for status in (rt.cudaEventRecord(event, None), rt.cudaEventSynchronize(event), rt.cudaEventQuery(event)):
        assert status == INVALID_HANDLE
    assert rt.cudaStreamWaitEvent(None, event, 0) == INVALID_HANDLE
    assert rt.cudaStreamWaitEvent(None, new(sim, "cudaEventCreate"), 5) == INVALID_VALUE
    rt.cudaGetLastError()


def test_one_device(sim: Simulator) -> None:
    rt, number = sim.rt, ctypes.c_int(7)
    assert (rt.cudaGetDeviceCount(ctypes.byref(number)), number.value) == (0, 1)
    assert (rt.cudaGetDevice(ctypes.byref(number)), number.value) == (0, 0)
    assert (rt.cudaSetDevice(0), rt.cudaSetDevice(1), rt.cudaSetDevice(-1)) == (0, INVALID_DEVICE, INVALID_DEVICE)
    assert (rt.cudaDeviceGetAttribute(ctypes.byref(number), 75, 0), number.value) == (0, 9)
    properties = ctypes.create_string_buffer(1032)
    sim.must(rt.cudaGetDeviceProperties_v2(properties, 0))
    assert properties.value.decode() == "Simulated GPU (Forward Pass)"
    rt.cudaGetErrorString.restype = rt.cudaGetErrorName.restype = ctypes.c_char_p
    assert rt.cudaGetErrorName(700) == b"cudaErrorIllegalAddress"
    assert rt.cudaGetErrorString(700) == b"an illegal memory access was encountered"
    assert rt.cudaGetErrorString(123456) == b"unrecognized error code"
    rt.cudaGetLastError()


def test_the_handle_remembers_its_stream(sim: Simulator) -> None:
    stream, seen = new(sim, "cudaStreamCreate"), ctypes.c_void_p(1)
    sim.must(sim.dnn.cudnnGetStream(sim.handle, ctypes.byref(seen)))
    assert seen.value is None
    sim.must(sim.dnn.cudnnSetStream(sim.handle, stream))
    sim.must(sim.dnn.cudnnGetStream(sim.handle, ctypes.byref(seen)))
    assert seen.value == stream.value
    sim.must(sim.dnn.cudnnSetStream(sim.handle, None))
    sim.must(sim.rt.cudaStreamDestroy(stream))
    assert sim.dnn.cudnnSetStream(sim.handle, stream) == BAD_PARAM


@pytest.mark.parametrize(
    ("library", "node", "prefixes"),
    [
        ("libcudnn.so.9", "libcudnn.so.9", ("cudnn", "fp_sim_")),
        ("libcudart.so.12", "libcudart.so.12", ("cuda", "fp_sim_")),
    ],
)
def test_exported_symbols(native_build: object, library: str, node: str, prefixes: tuple[str, ...]) -> None:
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", str(LIBRARIES / library)], capture_output=True, text=True, check=True
    )
    symbols = [line.split()[-1] for line in listing.stdout.splitlines() if " A " not in line]
    assert symbols
    for symbol in symbols:
        name, version = symbol.split("@@")
        assert name.startswith(prefixes), f"{library} exports {name}"
        assert version == node
    dynamic = subprocess.run(["readelf", "-d", str(LIBRARIES / library)], capture_output=True, text=True, check=True)
    assert f"soname: [{library}]" in dynamic.stdout
