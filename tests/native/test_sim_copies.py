"""Copies of bytes and of rows: directions, ends of buffers, pitches, and what was never written."""

import ctypes
import json

import numpy as np
import pytest

from tests.native.simulator import TO_DEVICE, TO_HOST, Simulator, pointer_to, run_program

INVALID_VALUE, INVALID_PITCH = 1, 12


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


# cudaMemcpyKind, whether each end is device memory → status, as on an H200.
KINDS = [
    (-1, True, True, 21), (5, True, True, 21), (0, True, True, 0), (0, True, False, 0), (0, False, True, 0),
    (1, True, True, 0), (1, True, False, 0), (1, False, True, 1), (1, False, False, 1),
    (2, True, True, 0), (2, True, False, 1), (2, False, True, 0), (2, False, False, 1),
    (3, True, True, 0), (3, True, False, 1), (3, False, True, 1), (3, False, False, 1),
    (4, True, True, 0), (4, True, False, 0), (4, False, True, 0), (4, False, False, 0),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "to_device", "from_device", "status"), KINDS)
def test_directions_of_copies(sim: Simulator, kind: int, to_device: bool, from_device: bool, status: int) -> None:
    host, other = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
    device, second = sim.to_device(host), sim.to_device(other)
    to = device if to_device else pointer_to(host)
    source = second if from_device else pointer_to(other)
    assert sim.rt.cudaMemcpy(to, source, ctypes.c_size_t(64), kind) == status
    assert sim.rt.cudaMemcpyAsync(to, source, ctypes.c_size_t(64), kind, None) == status
    sim.rt.cudaGetLastError()
    sim.free(device, second)


def test_copies_past_the_end_are_refused(sim: Simulator) -> None:
    host = np.zeros(4096, np.uint8)
    device = sim.malloc(100)
    size = ctypes.c_size_t
    assert sim.rt.cudaMemcpy(device, pointer_to(host), size(100), TO_DEVICE) == 0
    assert sim.rt.cudaMemcpy(device, pointer_to(host), size(101), TO_DEVICE) == INVALID_VALUE
    assert sim.rt.cudaMemcpy(pointer_to(host), device, size(101), TO_HOST) == INVALID_VALUE
    assert sim.rt.cudaMemset(device, 0, size(101)) == INVALID_VALUE
    assert sim.rt.cudaMemset(pointer_to(host), 0, size(4)) == INVALID_VALUE
    assert sim.rt.cudaMemset(None, 0, size(4)) == INVALID_VALUE
    assert sim.rt.cudaMemcpy(None, pointer_to(host), size(4), TO_DEVICE) == INVALID_VALUE
    assert sim.rt.cudaMemcpy(None, None, size(0), 7) == 0
    assert sim.rt.cudaPeekAtLastError() == INVALID_VALUE
    assert sim.rt.cudaGetLastError() == INVALID_VALUE
    assert sim.rt.cudaGetLastError() == 0
    sim.free(device)


ROWS = np.arange(24, dtype=np.uint8).reshape(3, 8)


def rows_copied(sim: Simulator, to: object, source: object, kind: int, *sizes: int) -> tuple[int, int]:
    """Statuses of cudaMemcpy2D and of its asynchronous form; sizes: pitch to, pitch from, width, height."""
    to_pitch, from_pitch, width, height = map(ctypes.c_size_t, sizes)
    given = (to, to_pitch, source, from_pitch, width, height, kind)
    return sim.rt.cudaMemcpy2D(*given), sim.rt.cudaMemcpy2DAsync(*given, None)


@pytest.mark.parametrize(("kind", "to_device", "from_device", "status"), KINDS)
def test_directions_of_copied_rows(sim: Simulator, kind: int, to_device: bool, from_device: bool, status: int) -> None:
    host, other = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
    device, second = sim.to_device(host), sim.to_device(other)
    to, source = device if to_device else pointer_to(host), second if from_device else pointer_to(other)
    assert rows_copied(sim, to, source, kind, 16, 16, 8, 4) == (status, status)
    sim.rt.cudaGetLastError()
    sim.free(device, second)


def test_rows_are_packed_and_spread(sim: Simulator) -> None:
    padded, packed = sim.to_device(ROWS), sim.to_device(np.full(9, 77, np.uint8))
    assert rows_copied(sim, packed, padded, 3, 3, 8, 3, 3) == (0, 0)
    assert sim.to_host(packed, np.zeros((3, 3), np.uint8)).tolist() == ROWS[:, :3].tolist()
    back = np.full((3, 8), 77, np.uint8)
    assert rows_copied(sim, pointer_to(back), packed, TO_HOST, 8, 3, 3, 3) == (0, 0)
    assert back.tolist() == [[*ROWS[row, :3], 77, 77, 77, 77, 77] for row in range(3)]
    sim.free(padded, packed)


@pytest.mark.parametrize(
    ("sizes", "status"),
    [
        ((8, 8, 8, 3), 0),  # the last row ends with the buffer
        ((8, 8, 8, 4), INVALID_VALUE),
        ((9, 8, 8, 3), INVALID_VALUE),
        ((9, 8, 6, 3), 0),  # 2 · 9 + 6 bytes
        ((7, 8, 8, 3), INVALID_PITCH),
        ((8, 7, 8, 3), INVALID_PITCH),
        ((7, 7, 8, 1), INVALID_VALUE),  # one row; as an H200 answers
        ((2**63, 8, 8, 3), INVALID_VALUE),
        ((0, 0, 0, 3), 0),
        ((0, 0, 8, 0), 0),
    ],
)
def test_rows_past_the_end_and_pitches_that_are_too_small(sim: Simulator, sizes: tuple[int, ...], status: int) -> None:
    device = sim.malloc(24)
    assert rows_copied(sim, device, pointer_to(ROWS), TO_DEVICE, *sizes) == (status, status)
    sim.rt.cudaGetLastError()
    sim.free(device)


def test_pitches_are_looked_at_before_the_direction(sim: Simulator) -> None:
    device = sim.malloc(24)
    assert rows_copied(sim, device, pointer_to(ROWS), 9, 7, 8, 8, 3) == (INVALID_PITCH, INVALID_PITCH)
    assert rows_copied(sim, device, pointer_to(ROWS), 9, 8, 8, 8, 3) == (21, 21)
    sim.rt.cudaGetLastError()
    sim.free(device)


def test_the_first_row_with_unwritten_bytes_is_noted_and_the_gaps_are_not(native_build: object) -> None:
    outcome = run_program(
        """
size, device, host = ctypes.c_size_t, sim.malloc(24), np.zeros(24, np.uint8)
def rows(to, source, kind, width, height):
    return sim.rt.cudaMemcpy2D(to, size(8), source, size(8), size(width), size(height), kind)
print(rows(device, pointer_to(host), 1, 4, 2), rows(pointer_to(host), device, 2, 4, 2))  # the gaps stay unwritten
print(rows(pointer_to(host), device, 2, 4, 3))
"""
    )
    assert outcome.stdout.split() == ["0", "0", "0"]
    (note,) = (json.loads(line) for line in outcome.notes)
    assert note["note"] == "uninitialised_read"
    assert (note["function"], note["buffer"], note["offset"], note["bytes"]) == ("cudaMemcpy2D", "buffer#1", 16, 4)


def test_rows_on_a_stream_that_is_gone_are_refused(sim: Simulator) -> None:
    device, one = sim.malloc(8), ctypes.c_size_t(1)
    gone = ctypes.c_void_p(0x1234)
    assert sim.rt.cudaMemcpy2DAsync(device, one, pointer_to(ROWS), one, one, one, TO_DEVICE, gone) == 400
    sim.rt.cudaGetLastError()
    sim.free(device)
