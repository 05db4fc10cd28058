"""Device memory: what the host may not touch, what kernels may not touch, and what the simulator says about it."""

import ctypes
import json
import signal

import numpy as np
import pytest

from tests.native.simulator import Outcome, Simulator, pointer_to, run_program

INVALID_VALUE, OUT_OF_MEMORY, INITIALIZATION_ERROR = 1, 2, 3

CONVOLUTION = """
def convolution(x, w, y, workspace=None, size=0, algorithm=0):
    xd, yd = sim.create("Tensor"), sim.create("Tensor")
    wd, conv = sim.create("Filter"), sim.create("Convolution")
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(xd, 0, 0, 1, 8, 16, 16))
    sim.must(sim.dnn.cudnnSetTensor4dDescriptor(yd, 0, 0, 1, 8, 16, 16))
    sim.must(sim.dnn.cudnnSetFilter4dDescriptor(wd, 0, 0, 8, 8, 3, 3))
    sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, 1, 0))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    return sim.dnn.cudnnConvolutionForward(sim.handle, ctypes.byref(one), xd, x, wd, w, conv, algorithm, workspace,
                                           ctypes.c_size_t(size), ctypes.byref(zero), yd, y)
x = sim.to_device(np.ones(2048, np.float32))
w = sim.to_device(np.ones(576, np.float32))
y = sim.to_device(np.zeros(2048, np.float32))
"""


def notes_of(outcome: Outcome, name: str) -> list[dict[str, object]]:
    notes = [json.loads(line) for line in outcome.notes]
    return [note for note in notes if note["note"] == name]


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


@pytest.mark.parametrize(
    ("access", "expression"),
    [("read", "ctypes.c_float.from_address(p.value + 8).value"), ("write", "ctypes.memset(p.value + 8, 0, 1)")],
)
def test_a_host_access_is_explained_and_kills_the_process(native_build: object, access: str, expression: str) -> None:
    outcome = run_program(f"sim.malloc(16)\np = sim.malloc(64)\n{expression}\nprint('survived')")
    assert outcome.status == -signal.SIGSEGV
    assert "survived" not in outcome.stdout
    (note,) = notes_of(outcome, "host_dereference")
    assert (note["access"], note["buffer"], note["offset"], note["freed"]) == (access, "buffer#2", 8, False)
    frames = note["frames"]
    assert isinstance(frames, list)
    assert isinstance(note["pc"], int)
    assert note["pc"] in frames


def test_a_host_access_after_free_says_so(native_build: object) -> None:
    outcome = run_program("p = sim.malloc(64)\nsim.free(p)\nctypes.c_float.from_address(p.value).value")
    (note,) = notes_of(outcome, "host_dereference")
    assert (note["buffer"], note["freed"]) == ("buffer#1", True)


def test_another_segmentation_fault_is_left_alone(native_build: object) -> None:
    outcome = run_program("sim.malloc(64)\nctypes.c_float.from_address(8).value")
    assert (outcome.status, outcome.notes) == (-signal.SIGSEGV, [])


def test_a_handler_that_was_there_before_still_runs(native_build: object) -> None:
    outcome = run_program(
        "import faulthandler; faulthandler.enable()\np = sim.malloc(64)\nctypes.memset(p.value, 0, 1)", early=True
    )
    assert outcome.status == -signal.SIGSEGV
    assert notes_of(outcome, "host_dereference")
    assert "Fatal Python error: Segmentation fault" in outcome.stderr


# Arguments of a kernel that a device cannot reach: what is passed for x, and the note.
UNREACHABLE = {
    "host": ("(ctypes.c_float * 2048)()", "host_pointer_in_kernel"),
    "freed": ("freed", "use_after_free"),
    "too-small": ("sim.to_device(np.ones(2047, np.float32))", "out_of_bounds"),
    "middle": ("ctypes.c_void_p(x.value + 4)", "out_of_bounds"),
    "between": ("ctypes.c_void_p(x.value + 9000)", "out_of_bounds"),
}


@pytest.mark.parametrize("name", UNREACHABLE)
def test_an_unreachable_pointer_fails_at_the_next_synchronise(native_build: object, name: str) -> None:
    expression, expected = UNREACHABLE[name]
    outcome = run_program(
        CONVOLUTION
        + "freed = sim.malloc(8192); sim.free(freed)\n"
        + f"print(convolution({expression}, w, y), sim.rt.cudaPeekAtLastError(), convolution(x, w, y))\n"
        + "print(sim.rt.cudaDeviceSynchronize(), sim.rt.cudaDeviceSynchronize(), sim.rt.cudaGetLastError())\n"
    )
    assert outcome.stdout.split() == ["0", "0", "0", "700", "700", "700"]
    (note,) = notes_of(outcome, expected)
    assert (note["function"], note["argument"]) == ("cudnnConvolutionForward", "x")


def test_a_fault_makes_the_context_unusable(native_build: object) -> None:
    outcome = run_program(
        CONVOLUTION
        + """
convolution((ctypes.c_float * 2048)(), w, y)
p, n, host = ctypes.c_void_p(), ctypes.c_int(), (ctypes.c_float * 4)()
rt, by = sim.rt, ctypes.byref
print(rt.cudaMalloc(by(p), ctypes.c_size_t(4)), rt.cudaFree(x), rt.cudaMemcpy(host, y, ctypes.c_size_t(4), 2),
      rt.cudaMemset(y, 0, ctypes.c_size_t(4)), rt.cudaEventCreate(by(p)), rt.cudaStreamCreate(by(p)))
print(rt.cudaGetDevice(by(n)), rt.cudaGetDeviceCount(by(n)), rt.cudaRuntimeGetVersion(by(n)), rt.cudaSetDevice(0))
print(convolution(x, w, y), sim.dnn.cudnnCreate(by(p)), sim.dnn.cudnnSetStream(sim.handle, None))
print(rt.cudaGetLastError(), rt.cudaGetLastError(), rt.cudaDeviceSynchronize(), sim.dnn.cudnnDestroy(sim.handle))
print(rt.cudaDeviceReset(), rt.cudaDeviceSynchronize(), rt.cudaMalloc(by(p), ctypes.c_size_t(4)))
"""
    )
    assert [line.split() for line in outcome.stdout.splitlines()] == [
        ["700"] * 6,
        ["0"] * 4,
        ["5003", "4000", "0"],
        ["700", "0", "700", "4000"],
        ["0"] * 3,
    ]


def test_pinned_and_managed_memory_serve_host_and_device(native_build: object) -> None:
    outcome = run_program(
        CONVOLUTION
        + """
pinned, managed = ctypes.c_void_p(), ctypes.c_void_p()
sim.must(sim.rt.cudaMallocHost(ctypes.byref(pinned), ctypes.c_size_t(8192)))
sim.must(sim.rt.cudaMallocManaged(ctypes.byref(managed), ctypes.c_size_t(8192), 1))
ones = np.ones(2048, np.float32)
ctypes.memmove(pinned, ones.ctypes.data, 8192)
print(convolution(pinned, w, managed), sim.rt.cudaDeviceSynchronize())
print(ctypes.c_float.from_address(managed.value + 4 * 17).value)
"""
    )
    assert outcome.stdout.split() == ["0", "0", "72.0"]


def test_reading_what_was_never_written_is_noted(native_build: object) -> None:
    outcome = run_program(
        CONVOLUTION
        + """
fresh = sim.malloc(8192)
print(convolution(fresh, w, y), sim.rt.cudaDeviceSynchronize())
print(np.isnan(sim.to_host(y, np.zeros(2048, np.float32))).all())
half = sim.malloc(8192)
sim.must(sim.rt.cudaMemset(half, 0, ctypes.c_size_t(4096)))
convolution(half, w, y)
convolution(x, w, sim.malloc(8192))
"""
    )
    assert outcome.stdout.split() == ["0", "0", "True"]
    notes = notes_of(outcome, "uninitialised_read")
    assert [(note["argument"], note["offset"]) for note in notes] == [("x", 0), ("x", 4096)]


def test_copying_out_what_was_never_written_is_noted(native_build: object) -> None:
    outcome = run_program("print(sim.to_host(sim.malloc(16), np.zeros(4, np.float32)))")
    assert outcome.stdout.split() == ["[nan", "nan", "nan", "nan]"]
    assert notes_of(outcome, "uninitialised_read")[0]["function"] == "cudaMemcpy"


def test_a_workspace_is_overwritten(native_build: object) -> None:
    outcome = run_program(
        CONVOLUTION
        + """
n = 4 << 20
workspace = sim.to_device(np.zeros(n, np.uint8))
print(convolution(x, w, y, workspace, n, 4), sim.to_host(workspace, np.zeros(n, np.uint8))[0])
"""
    )
    assert outcome.stdout.split() == ["0", "255"]


def test_a_workspace_smaller_than_claimed_is_a_fault(native_build: object) -> None:
    outcome = run_program(
        CONVOLUTION + "print(convolution(x, w, y, sim.malloc(1024), 4 << 20, 4), sim.rt.cudaDeviceSynchronize())"
    )
    assert outcome.stdout.split() == ["0", "700"]
    (note,) = notes_of(outcome, "out_of_bounds")
    assert (note["argument"], note["buffer_bytes"]) == ("workSpace", 1024)


def test_double_free_and_other_bad_frees(native_build: object) -> None:
    outcome = run_program(
        """
p, q = sim.malloc(64), sim.malloc(64)
sim.free(p)
free = sim.rt.cudaFree
print(free(p), sim.rt.cudaGetLastError(), free(ctypes.c_void_p(q.value + 4)), free((ctypes.c_char * 4)()))
print(free(None), free(q))
"""
    )
    assert outcome.stdout.split() == ["1", "1", "1", "1", "0", "0"]
    assert notes_of(outcome, "double_free")[0]["buffer"] == "buffer#1"
    assert [note["buffer"] for note in notes_of(outcome, "bad_free")] == ["buffer#2", None]


def test_report_names_what_leaked(native_build: object) -> None:
    outcome = run_program(
        """
stream, event = ctypes.c_void_p(), ctypes.c_void_p()
sim.free(sim.malloc(8))
sim.malloc(24)
sim.rt.cudaStreamCreate(ctypes.byref(stream)); sim.rt.cudaEventCreate(ctypes.byref(event))
print(sim.rt.fp_sim_report())
"""
    )
    leaks = notes_of(outcome, "leak")
    assert sorted(str(note["kind"]) for note in leaks) == ["buffer", "event", "stream"]
    assert [note["bytes"] for note in leaks if note["kind"] == "buffer"] == [24]
    assert outcome.stdout.split() == ["3"]


def test_an_overrun_by_other_means_shows_in_the_guard(native_build: object) -> None:
    outcome = run_program(
        """
p = sim.malloc(100)
import re
maps = [line.split() for line in open("/proc/self/maps") if "fp_sim_device_memory" in line]
alias = int(maps[0][0].split("-")[0], 16)
base = alias - (int(maps[0][0].split("-")[1], 16) - alias)
ctypes.memset(p.value - base + alias + 100, 0, 4)
sim.free(p)
"""
    )
    assert notes_of(outcome, "guard_overwritten")[0]["buffer"] == "buffer#1"


def test_a_child_process_cannot_use_its_parents_device(native_build: object) -> None:
    outcome = run_program(
        """
import os
sim.malloc(4)
if os.fork() == 0:
    p = ctypes.c_void_p()
    print(sim.rt.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(4)), flush=True)
    os._exit(0)
os.wait()
"""
    )
    assert outcome.stdout.split() == [str(INITIALIZATION_ERROR)]


def test_the_memory_has_the_size_that_was_asked_for(native_build: object) -> None:
    outcome = run_program(
        """
p, free, total = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
malloc = lambda n: sim.rt.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(n))
print(malloc(40 << 20), p.value, sim.rt.cudaGetLastError(), malloc(20 << 20), malloc(20 << 20), malloc(1 << 62))
sim.rt.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))
print(total.value >> 20, free.value >> 20)
""",
        FP_SIM_MEMORY_MIB="32",
    )
    assert outcome.stdout.split() == ["2", "None", "2", "0", "2", "2", "32", "11"]


def test_addresses_are_used_again_late_and_memory_is_given_back(native_build: object) -> None:
    outcome = run_program(
        """
first = sim.malloc(1 << 20)
sim.free(first)
seen = [first.value]
for _ in range(40):
    p = sim.malloc(1 << 20); seen.append(p.value); sim.free(p)
print(len(set(seen[:30])), len(set(seen)) < len(seen))
""",
        FP_SIM_MEMORY_MIB="32",
    )
    assert outcome.stdout.split() == ["30", "True"]


def test_copies_between_buffers_keep_their_contents(sim: Simulator) -> None:
    data = np.arange(1000, dtype=np.float32)
    first, second = sim.to_device(data), sim.malloc(4000)
    sim.must(sim.rt.cudaMemcpy(second, first, ctypes.c_size_t(4000), 3))
    assert np.array_equal(sim.to_host(second, data), data)
    sim.must(sim.rt.cudaMemset(second, 0x3F, ctypes.c_size_t(8)))
    assert sim.to_host(second, data).view(np.uint32)[:3].tolist() == [0x3F3F3F3F, 0x3F3F3F3F, 0x40000000]
    sim.free(first, second)


class Attributes(ctypes.Structure):
    """cudaPointerAttributes."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("device", ctypes.c_int),
        ("devicePointer", ctypes.c_void_p),
        ("hostPointer", ctypes.c_void_p),
    )


def test_pointer_attributes(sim: Simulator) -> None:
    host, pinned, managed, freed = np.zeros(4), ctypes.c_void_p(), ctypes.c_void_p(), sim.malloc(8)
    sim.free(freed)
    device = sim.malloc(8)
    sim.must(sim.rt.cudaMallocHost(ctypes.byref(pinned), ctypes.c_size_t(8)))
    sim.must(sim.rt.cudaMallocManaged(ctypes.byref(managed), ctypes.c_size_t(8), 1))

    def seen(pointer: ctypes.c_void_p | None) -> tuple[int, int, bool, bool]:
        attributes = Attributes()
        sim.must(sim.rt.cudaPointerGetAttributes(ctypes.byref(attributes), pointer))
        return attributes.type, attributes.device, bool(attributes.devicePointer), bool(attributes.hostPointer)

    assert seen(device) == (2, 0, True, False)
    assert seen(pointer_to(host)) == (0, -2, False, True)
    assert seen(None) == (0, -2, False, False)
    assert seen(freed) == (0, -2, False, True)
    assert seen(pinned) == (1, 0, True, True)
    assert seen(managed) == (3, 0, True, True)
    assert sim.rt.cudaFreeHost(device) == INVALID_VALUE
    assert sim.rt.cudaFree(pinned) == INVALID_VALUE
    sim.free(device, managed)
    assert (sim.rt.cudaFreeHost(pinned), sim.rt.cudaFreeHost(pinned), sim.rt.cudaFreeHost(None)) == (
        0,
        INVALID_VALUE,
        0,
    )
    sim.rt.cudaGetLastError()


def test_allocations_of_nothing(sim: Simulator) -> None:
    pointer = ctypes.c_void_p(8)
    for allocate in (sim.rt.cudaMalloc, sim.rt.cudaMallocHost):
        assert allocate(ctypes.byref(pointer), ctypes.c_size_t(0)) == 0
        assert pointer.value is None
    assert sim.rt.cudaMalloc(None, ctypes.c_size_t(4)) == INVALID_VALUE
    assert sim.rt.cudaMallocManaged(ctypes.byref(pointer), ctypes.c_size_t(8), 3) == INVALID_VALUE
    assert sim.rt.cudaHostAlloc(ctypes.byref(pointer), ctypes.c_size_t(8), 8) == INVALID_VALUE
    sim.rt.cudaGetLastError()
