"""The API log: levels, destinations, callbacks and the shape of a record."""

import re
from pathlib import Path

import pytest

from tests.native.simulator import run_program

PROGRAM = """
t = sim.create("Tensor"); w = sim.create("Filter"); c = sim.create("Convolution")
sim.dnn.cudnnSetTensor4dDescriptor(t, 0, 0, 1, 2, 3, 4)
sim.dnn.cudnnSetFilter4dDescriptor(w, 0, 0, 1, 2, 3, 3)
sim.dnn.cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, 1, 0)
n = [ctypes.c_int() for _ in range(4)]
sim.dnn.cudnnGetConvolution2dForwardOutputDim(c, t, w, *map(ctypes.byref, n))
sim.dnn.cudnnSetConvolutionGroupCount(c, 0)
"""
HEADER = re.compile(r"^([IEW])! CuDNN \(v91900\) function (\w+)\(\) called:$", re.MULTILINE)


def test_without_a_level_nothing_is_logged(native_build: object) -> None:
    outcome = run_program(PROGRAM, CUDNN_LOGDEST_DBG="stderr")
    assert "CuDNN" not in outcome.stdout + outcome.stderr


def test_everything_at_level_three(native_build: object) -> None:
    text = run_program(PROGRAM, CUDNN_LOGLEVEL_DBG="3").stderr
    headers = HEADER.findall(text)
    assert ("I", "cudnnSetTensor4dDescriptor") in headers
    assert ("E", "cudnnSetConvolutionGroupCount") in headers
    assert "i!     h: type=int; val=3;" in text
    assert "i!     format: type=cudnnTensorFormat_t; val=CUDNN_TENSOR_NCHW (0);" in text
    assert "i!     inputTensorDesc: type=cudnnTensorDescriptor_t:" in text
    assert "i!         dimA: type=int; val=[1,2,3,4];" in text
    assert "e!         Error: CUDNN_STATUS_BAD_PARAM; Reason: " in text
    assert re.search(r"^i! Time: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} \(0d\+0h\+0m\+\d+s since start\)$", text, re.M)
    assert re.search(r"^i! Process=\d+; Thread=\d+; GPU=NULL; Handle=NULL; StreamId=NULL\.$", text, re.M)


@pytest.mark.parametrize("level", ["1", "2"])
def test_errors_only_below_level_three(native_build: object, level: str) -> None:
    text = run_program(PROGRAM, CUDNN_LOGLEVEL_DBG=level).stderr
    assert HEADER.findall(text) == [("E", "cudnnSetConvolutionGroupCount")]


@pytest.mark.parametrize(("level", "seen"), [("1", []), ("2", [("W", "cudnnSetTensorNdDescriptor")])])
def test_what_is_not_supported_is_a_warning(native_build: object, level: str, seen: list[tuple[str, str]]) -> None:
    source = 't = sim.create("Tensor")\nsim.dnn.cudnnSetTensorNdDescriptor(t, 0, 9, ints([1] * 9), ints([1] * 9))\n'
    text = run_program(source, CUDNN_LOGLEVEL_DBG=level).stderr
    assert HEADER.findall(text) == seen
    assert ("w!         Warning: CUDNN_STATUS_NOT_SUPPORTED; Reason: " in text) == bool(seen)


def test_a_mask_reaches_up_from_its_least_severe_bit(native_build: object) -> None:
    outcome = run_program(
        """
mask, data, function = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_void_p()
out = [ctypes.byref(value) for value in (mask, data, function)]
sim.must(sim.dnn.cudnnGetCallback(*out)); found = [mask.value]
for wanted in (0, 1, 2, 4, 16):
    sim.must(sim.dnn.cudnnSetCallback(wanted, None, None))
    sim.must(sim.dnn.cudnnGetCallback(*out)); found.append(mask.value)
print(found, sim.dnn.cudnnGetCallback(None, out[1], out[2]))
"""
    )
    assert outcome.stdout.splitlines()[-1] == "[0, 2, 2, 2, 6, 2] 2000"


def test_without_a_function_the_destination_gets_what_a_mask_chooses(native_build: object) -> None:
    text = run_program("sim.dnn.cudnnSetCallback(0, None, None)\n" + PROGRAM).stderr
    assert HEADER.findall(text) == [("E", "cudnnSetConvolutionGroupCount")]


def test_a_file_as_destination(native_build: object, tmp_path: Path) -> None:
    outcome = run_program(PROGRAM, CUDNN_LOGLEVEL_DBG="3", CUDNN_LOGDEST_DBG=str(tmp_path / "log-%i.txt"))
    assert "CuDNN" not in outcome.stderr
    (log,) = tmp_path.glob("log-*.txt")
    assert HEADER.search(log.read_text())
    assert log.stem.removeprefix("log-").isdigit()


def test_standard_output_as_destination(native_build: object) -> None:
    assert HEADER.search(run_program(PROGRAM, CUDNN_LOGLEVEL_DBG="3", CUDNN_LOGDEST_DBG="stdout").stdout)


def test_a_callback_takes_the_place_of_the_destination(native_build: object) -> None:
    outcome = run_program(
        """
seen = []
kind = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char))
def record(severity, data, debug, message):
    lines, at = [], 0
    while message[at] != b"\\0":
        line = b""
        while message[at] != b"\\0": line += message[at]; at += 1
        lines.append(line.decode()); at += 1
    seen.append((severity, data, len(lines), lines[0]))
function = kind(record)
sim.must(sim.dnn.cudnnSetCallback(2, ctypes.c_void_p(77), function))
c = sim.create("Convolution")
sim.dnn.cudnnSetConvolutionGroupCount(c, 0)
mask, data, got = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_void_p()
sim.must(sim.dnn.cudnnGetCallback(ctypes.byref(mask), ctypes.byref(data), ctypes.byref(got)))
print(mask.value, data.value, got.value == ctypes.cast(function, ctypes.c_void_p).value)
sim.dnn.cudnnSetCallback(0, None, kind(0))
sim.dnn.cudnnSetConvolutionGroupCount(c, 0)
print(len(seen)); print(*seen[0])
"""
    )
    lines = outcome.stdout.splitlines()
    assert lines[:2] == ["2 77 True", "1"]
    assert re.match(r"1 77 [5-9] CuDNN \(v91900\) function cudnnSetConvolutionGroupCount\(\) called:", lines[2])
