"""Messages between grader and sandbox: what is understood, and that nothing malformed is believed."""

import struct

import numpy as np
import pytest

from grader.contract.exercise_types import Argument
from grader.inside.frames import HEAD, MAX_TEXT, Frame, FrameError, decode, frame_size
from grader.session import Session, SessionEnded, SessionFault, case_frame

ARGUMENTS = (
    Argument("handle", "handle"),
    Argument("x", "input", "float32", ("2", "3")),
    Argument("y", "output", "float32", ("2", "3")),
    Argument("n", "scalar", type="int", value="N"),
)
ARRAYS = {"x": np.ones((2, 3), np.float32), "y": np.zeros((2, 3), np.float32)}


class Canned:
    """A program that answers with prepared bytes."""

    def __init__(self, answer: bytes, status: int = 0) -> None:
        self.received = {"results": bytearray()}
        self.caps = {"results": 0}
        self.sent = b""
        self.answer = answer
        self.status = status

    def send(self, data: bytes) -> None:
        self.sent += data

    def pump(self, done) -> bool:
        self.received["results"] += self.answer
        self.answer = b""
        return done()

    def wait(self) -> int:
        return self.status


def run(answer: bytes, status: int = 0):
    return Session(Canned(answer, status)).run_case("c", ARGUMENTS, ARRAYS, {"n": "3"})  # type: ignore[arg-type]


def result(*fields: list[str], body: bytes = b"\0" * 24) -> bytes:
    return Frame("result", list(fields), body).encode()


GOOD = ["array", "y", "float32", "24", "2x3"]


def test_frame_round_trip() -> None:
    frame = Frame("case a", [["array", "x", "2x3"], ["handle"]], b"\0\1")
    data = frame.encode()
    assert frame_size(data[:10], 9) is None
    assert frame_size(data + b"more", 9) == len(data)
    assert decode(data) == frame
    assert frame.all("array") == [["x", "2x3"]]


@pytest.mark.parametrize(
    "head",
    [
        HEAD.pack(b"XXXX", 1, 1),
        HEAD.pack(b"FPF1", MAX_TEXT + 1, 0),
        HEAD.pack(b"FPF1", 0, 2**63),
        HEAD.pack(b"FPF1", 2**32 - 1, 0),
    ],
)
def test_frame_with_a_lying_head(head: bytes) -> None:
    with pytest.raises(FrameError):
        frame_size(head, 1000)


def test_frame_that_is_no_text() -> None:
    with pytest.raises(FrameError, match="UTF-8"):
        decode(struct.pack("<4sIQ", b"FPF1", 2, 0) + b"\xff\xfe")


def test_case_frame_holds_arrays_in_order() -> None:
    frame = case_frame("case c", ARGUMENTS, ARRAYS, {"n": "3"})
    assert frame.kind == "case c"
    assert frame.fields[0] == ["handle", "handle"]
    assert frame.fields[1] == ["array", "x", "input", "float32", "24", "2x3"]
    assert frame.fields[3] == ["scalar", "n", "int", "3"]
    assert frame.body == ARRAYS["x"].tobytes() + ARRAYS["y"].tobytes()


def test_good_result() -> None:
    got = run(result(GOOD, ["changed", "x"]))
    assert got.outputs["y"].shape == (2, 3)
    assert got.changed == ["x"]


@pytest.mark.parametrize(
    "answer",
    [
        result(["array", "y", "float32", "24", "3x3"]),
        result(["array", "y", "float32", "20", "2x3"], body=b"\0" * 20),
        result(GOOD, body=b"\0" * 28),
        result(GOOD, body=b""),
        result(GOOD, GOOD, body=b"\0" * 48),
        result(["array", "x", "float32", "24", "2x3"]),
        result(["array", "y", "float32", "24", "-2x-3"]),
        result(["array", "y", "float32", "24", "2x3x1x1x1x1x1x1x1"]),
        result(["array", "y", "float32", "24", "99999999999999999999"]),
        result(["array", "y", "float32", "24"]),
        Frame("loaded").encode(),
        b"not a frame at all, but long enough",
    ],
)
def test_result_that_does_not_fit(answer: bytes) -> None:
    with pytest.raises(FrameError):
        run(answer)


def test_unknown_type_is_refused() -> None:
    with pytest.raises(FrameError, match="unknown element type"):
        run(result(["array", "y", "float9", "24", "2x3"]))


def test_end_without_result() -> None:
    with pytest.raises(SessionEnded) as ended:
        run(b"", status=139)
    assert ended.value.status == 139


def test_half_a_result() -> None:
    with pytest.raises(SessionEnded):
        run(result(GOOD)[:-1])


def test_fault() -> None:
    with pytest.raises(SessionFault) as fault:
        run(Frame("fault", [["exception", "ValueError"], ["line", "7"]], b"trace\xff").encode())
    assert fault.value.fields == {"exception": "ValueError", "line": "7"}
    assert fault.value.text == "trace\ufffd"
