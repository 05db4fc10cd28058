"""Speaks with one program in the sandbox: hands it code and cases, takes raw results. Believes nothing it is told."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grader.arrays import storage_dtype
from grader.contract.exercise_types import Argument
from grader.inside.frames import MAX_TEXT, Frame, FrameError, decode, frame_size
from grader.sandbox.supervise import Supervised

MAX_FAULT_BYTES = 64 * 1024


class SessionEnded(Exception):
    """The program ended without a result. status: its exit status, 128 + signal where a signal ended it."""

    def __init__(self, status: int) -> None:
        super().__init__(f"ended with {status}")
        self.status = status


class SessionFault(Exception):
    """The harness inside reports what went wrong: an exception, a CUDA error, a missing symbol."""

    def __init__(self, fields: dict[str, str], text: str) -> None:
        super().__init__(text)
        self.fields = fields
        self.text = text


@dataclass(slots=True)
class RawOutput:
    """What came back for one output: bytes as they lay in memory, and what the harness says they are."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


@dataclass(slots=True)
class RawResult:
    outputs: dict[str, RawOutput] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    """Inputs that the learner's code wrote to."""


class Session:
    """The grader's end. `results` names the stream of `program` that carries the answers."""

    def __init__(self, program: Supervised, results: str = "results") -> None:
        self.program = program
        self.results = results
        self.buffer = program.received[results]
        self.fault: SessionFault | None = None
        """What the harness reported while only the program's end was waited for."""

    def ask(self, frame: Frame, max_body: int = MAX_FAULT_BYTES) -> Frame:
        """Sends a frame and waits for the answer. Raises SessionEnded, SessionFault, FrameError or LimitHit."""
        self.program.caps[self.results] = max_body + 4 * MAX_TEXT
        self.program.send(frame.encode())
        return self.answer(max_body)

    def answer(self, max_body: int = MAX_FAULT_BYTES) -> Frame:
        if not self.program.pump(lambda: self._complete(max_body)):
            raise SessionEnded(self.program.wait())
        return self._take(max_body)

    def _take(self, max_body: int) -> Frame:
        """The first frame of the buffer, which is there as a whole."""
        size = frame_size(self.buffer, max_body) or 0
        frame = decode(bytes(self.buffer[:size]))
        del self.buffer[:size]
        if frame.kind == "fault":
            fields = {words[0]: " ".join(words[1:]) for words in frame.fields if words}
            raise SessionFault(fields, frame.body.decode("utf-8", "replace"))
        return frame

    def left(self) -> int | None:
        """Exit status that the harness has announced, None while it has not. A fault on the way is kept; other frames
        are read and forgotten."""
        try:
            while self._complete(MAX_FAULT_BYTES):
                kind, _, status = self._kept().partition(" ")
                if kind == "left" and status.isascii() and status.isdigit() and len(status) < 4:
                    return int(status)
        except FrameError:
            self.buffer.clear()
        return None

    def last_fault(self) -> SessionFault | None:
        """What the harness reported before the program ended; None where it did not, or where bytes are damaged."""
        self.left()
        return self.fault

    def _kept(self) -> str:
        """Kind of the next frame; a fault is kept."""
        try:
            return self._take(MAX_FAULT_BYTES).kind
        except SessionFault as fault:
            self.fault = fault
            return "fault"

    def _complete(self, max_body: int) -> bool:
        size = frame_size(self.buffer, max_body)
        return size is not None and len(self.buffer) >= size

    def expect(self, kind: str, frame: Frame | None = None) -> Frame:
        """The next frame, which must be of this kind. Raises FrameError otherwise, and what `answer` raises."""
        answer = self.ask(frame) if frame is not None else self.answer()
        if answer.kind != kind:
            raise FrameError(f"expected {kind!r}, got {answer.kind[:40]!r}")
        return answer

    def run_case(
        self, name: str, arguments: Sequence[Argument], arrays: dict[str, NDArray[np.generic]], scalars: dict[str, str]
    ) -> RawResult:
        """One call of the learner's function.

        arrays: start values in storage dtype; outputs are given too, pre-filled. scalars: value as text.
        Raises SessionEnded, SessionFault, FrameError or LimitHit.
        """
        return self._call(case_frame(f"case {name}", arguments, arrays, scalars), arguments, arrays)

    def arm(
        self, name: str, arguments: Sequence[Argument], arrays: dict[str, NDArray[np.generic]], scalars: dict[str, str]
    ) -> None:
        """Lets the harness make the arguments of a timed call, which `go` then makes. Raises like `run_case`."""
        self.expect("armed", case_frame(f"time {name}", arguments, arrays, scalars))

    def go(self, arguments: Sequence[Argument], arrays: dict[str, NDArray[np.generic]]) -> RawResult:
        """Makes the call that was armed. Raises like `run_case`."""
        return self._call(Frame("go"), arguments, arrays)

    def _call(self, frame: Frame, arguments: Sequence[Argument], arrays: dict[str, NDArray[np.generic]]) -> RawResult:
        wanted = [argument for argument in arguments if argument.writes]
        size = sum(arrays[argument.name].nbytes for argument in wanted)
        answer = self.ask(frame, max(size, MAX_FAULT_BYTES))
        if answer.kind != "result":
            raise FrameError(f"expected 'result', got {answer.kind[:40]!r}")
        return _result(answer, wanted)


def case_frame(
    kind: str, arguments: Sequence[Argument], arrays: dict[str, NDArray[np.generic]], scalars: dict[str, str]
) -> Frame:
    fields: list[list[str]] = []
    for argument in arguments:
        if argument.kind == "handle":
            fields.append(["handle", argument.name])
        elif argument.kind == "scalar":
            fields.append(["scalar", argument.name, argument.type, scalars[argument.name]])
        else:
            array = arrays[argument.name]
            sizes = "x".join(map(str, array.shape))
            fields.append(["array", argument.name, argument.kind, argument.dtype, str(array.nbytes), sizes])
    body = b"".join(arrays[argument.name].tobytes() for argument in arguments if argument.is_array)
    return Frame(kind, fields, body)


def _result(frame: Frame, wanted: Sequence[Argument]) -> RawResult:
    """Raises FrameError where lengths and sizes do not fit together."""
    result = RawResult(changed=[words[0] for words in frame.all("changed") if words])
    known = {argument.name for argument in wanted}
    offset = 0
    for words in frame.all("array"):
        if len(words) != 4 or words[0] not in known or words[0] in result.outputs:
            raise FrameError("an output that was not asked for")
        name, dtype, size, sizes = words
        shape = _sizes(sizes)
        length = _sizes(size)[0]
        if length != math.prod(shape) * _element_bytes(dtype):
            raise FrameError(f"output {name}: {length} bytes do not hold {sizes} of {dtype}")
        result.outputs[name] = RawOutput(dtype, shape, frame.body[offset : offset + length])
        offset += length
    if offset != len(frame.body):
        raise FrameError(f"{len(frame.body)} bytes of output, {offset} announced")
    return result


def _element_bytes(dtype: str) -> int:
    try:
        return storage_dtype(dtype).itemsize
    except ValueError as error:
        raise FrameError(str(error)) from None


def _sizes(text: str) -> tuple[int, ...]:
    parts = text.split("x") if text else []
    if len(parts) > 8 or not all(part.isascii() and part.isdigit() and len(part) < 12 for part in parts):
        raise FrameError(f"not a shape: {text[:40]!r}")
    return tuple(int(part) for part in parts)
