"""The messages between grader and sandbox: a fixed head, lines of text, raw bytes. The C++ side is `cpp/frames.hpp`.

    magic "FPF1" · uint32 length of the text · uint64 length of the body · text · body      (little endian)

The text's first line is the kind of the message; then one field a line, words separated by spaces. Sent to the sandbox:

    keep                               body: the library (C++) or the source (Python)
    health                             while it waits for a job: waits for the device and answers `healthy`
    seal                               body: the system call filter to load before any learner code
    check <function> <parameters>      Python: looks for what is wrong with the source, without running it
    load <function>                    loads the code and finds its function
    case <name>                        calls it. body: the start values of its arrays, one after another
        handle <argument>
        array <argument> <kind> <dtype> <bytes> <size>x<size>…
        scalar <argument> <type> <value>
    time <name>                        the same fields and body as `case`: makes the arguments and answers `armed`
    go                                 calls it with them; where nothing is loaded, only answers
    program <case>                     runs the code as a whole program instead
        word <text>                    one word of its command line
    end                                no more cases: leave

and back: `ready` once at start, `healthy`, `sealed`, `checked` (body: JSON of python_check.py), `loaded`, `armed`,
`result` (with `array <argument> <dtype> <bytes> <sizes>` for each output in order, and `changed <argument>` for inputs
that were written to), or `fault` (fields: `exception <type>`, `line <n>`, `status <n>`, `cuda <n>`, `missing <name>`,
`library 1`; body: text), after which the process ends. On a GPU `left <status>` comes last: only the driver's part of
the process's end is left.
This module is also read inside the sandbox, so it needs nothing but the standard library.
"""

import struct
from dataclasses import dataclass, field

MAGIC = b"FPF1"
HEAD = struct.Struct("<4sIQ")
MAX_TEXT = 1 << 16


class FrameError(ValueError):
    """Bytes that are no frame, or a frame larger than agreed."""


@dataclass(slots=True)
class Frame:
    kind: str
    fields: list[list[str]] = field(default_factory=list)
    body: bytes = b""

    def encode(self) -> bytes:
        text = "\n".join([self.kind, *(" ".join(words) for words in self.fields)]).encode()
        return HEAD.pack(MAGIC, len(text), len(self.body)) + text + self.body

    def all(self, name: str) -> list[list[str]]:
        """Words after `name` of every field that begins with it."""
        return [words[1:] for words in self.fields if words and words[0] == name]


def frame_size(buffer: bytes | bytearray, max_body: int) -> int | None:
    """Bytes of the frame that `buffer` begins with; None while its head is incomplete. Raises FrameError."""
    if len(buffer) < HEAD.size:
        return None
    magic, text_length, body_length = HEAD.unpack_from(buffer)
    if magic != MAGIC:
        raise FrameError("not a frame")
    if text_length > MAX_TEXT or body_length > max_body:
        raise FrameError(f"a frame of {text_length} + {body_length} bytes, at most {MAX_TEXT} + {max_body} agreed")
    return int(HEAD.size + text_length + body_length)


def decode(data: bytes) -> Frame:
    """The frame that fills `data` exactly. Raises FrameError."""
    _, text_length, _ = HEAD.unpack_from(data)
    try:
        lines = data[HEAD.size : HEAD.size + text_length].decode().split("\n")
    except UnicodeDecodeError:
        raise FrameError("the text of a frame is not UTF-8") from None
    return Frame(lines[0], [line.split(" ") for line in lines[1:]], data[HEAD.size + text_length :])
