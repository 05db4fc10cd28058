"""Runs calls in one library: ``python -m tests.native.parity.execute LIBRARY CALLS ANSWERS``.

One JSON line an answer: ``{"s": status or text, "o": [outputs]}``, or ``{"s": "died", "o": []}`` for a call that the
library does not survive: children rehearse the calls, so that such a one is found and left out.
"""

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.native.parity.values import CANARY

TYPES: dict[str, Any] = {
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "size": ctypes.c_size_t,
    "long": ctypes.c_int64,
    "pointer": ctypes.c_void_p,
}
ELEMENTS: dict[int, Any] = {
    **dict.fromkeys((0, 6, 15), ctypes.c_void_p),
    2: ctypes.c_bool,
    3: ctypes.c_int64,
    4: ctypes.c_float,
    5: ctypes.c_double,
}
"""Of the graph API's attributes, by type; the others are enums."""
MOST_ELEMENTS = 32
DIED = "died"
RETURNS = {"cudnnGetErrorString": ctypes.c_char_p, "cudnnGetLastErrorString": None}


REHEARSED = 100
"""Calls that a child makes ahead."""


class Executor:
    def __init__(self, library: str) -> None:
        self.library = ctypes.CDLL(library)
        self.slots: dict[tuple[str, int], ctypes.c_void_p] = {}

    def argument(self, spec: list[Any]) -> Any:
        kind = spec[0]
        if kind == "null":
            return ctypes.c_void_p(None)
        if kind == "slot":
            return self.slots[spec[1], spec[2]]
        if kind == "new":
            self.slots[spec[1], spec[2]] = ctypes.c_void_p()
            return ctypes.byref(self.slots[spec[1], spec[2]])
        if kind == "array":
            return (ctypes.c_int * len(spec[1]))(*spec[1])
        if kind == "out":
            fill = 0 if spec[1] == "pointer" else CANARY % 2**64 if spec[1] == "size" else CANARY
            return (TYPES[spec[1]] * spec[2])(*[fill] * spec[2])
        if kind == "elements":
            values = [self.slots[value[1], value[2]].value if isinstance(value, list) else value for value in spec[2]]
            element = ELEMENTS.get(spec[1], ctypes.c_int)
            whole = element not in (ctypes.c_float, ctypes.c_double)
            return (element * MOST_ELEMENTS)(*[int(v) if whole and isinstance(v, float) else v for v in values])
        if kind == "gets":
            return (ELEMENTS.get(spec[1], ctypes.c_int) * MOST_ELEMENTS)(*[1] * MOST_ELEMENTS)
        if kind == "text":
            return ctypes.create_string_buffer(spec[1])
        return TYPES[kind](spec[1])

    def seen(self, spec: list[Any], argument: Any) -> Any:
        if spec[0] == "text":
            return bool(argument.value)  # texts differ between releases
        if spec[0] == "new":
            return bool(self.slots[spec[1], spec[2]].value)
        if spec[0] == "out" and spec[1] == "pointer":
            known = {slot.value: list(key) for key, slot in self.slots.items()}
            return [known.get(pointer, bool(pointer)) for pointer in argument]
        return list(argument)

    def rehearse(self, calls: list[dict[str, Any]]) -> int:
        """How many of `calls` a child lives through."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            for call in calls:
                self.make(call)
                os.write(writer, b".")
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as ticks:
            lived = len(ticks.read())
        os.waitpid(child, 0)
        return lived

    def run(self, calls: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        done = 0
        while done < len(calls):
            ahead = calls[done : done + REHEARSED]
            lived = self.rehearse(ahead)
            yield from map(self.make, ahead[:lived])
            if lived < len(ahead):
                yield {"s": DIED, "o": []}
            done += min(lived + 1, len(ahead))

    def make(self, call: dict[str, Any]) -> dict[str, Any]:
        function = getattr(self.library, call["f"])
        function.restype = RETURNS.get(call["f"], ctypes.c_int)
        arguments = [self.argument(spec) for spec in call["a"]]
        size = [ctypes.c_size_t(spec[1]) for spec in call["a"] if spec[0] == "text"]
        status = function(*arguments, *size)
        outputs = [
            self.seen(spec, arg)
            for spec, arg in zip(call["a"], arguments, strict=True)
            if spec[0] in ("out", "new", "text", "gets")
        ]
        return {"s": status.decode() if isinstance(status, bytes) else status, "o": outputs}


def main(library: str, calls: str, answers: str) -> None:
    executor = Executor(library)
    made = [json.loads(line) for line in Path(calls).read_text(encoding="utf-8").splitlines()]
    with open(answers, "w", encoding="utf-8", buffering=1) as out:
        for answer in executor.run(made):
            out.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
