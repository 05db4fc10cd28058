"""Runs calls in one library: ``python -m tests.native.parity.execute LIBRARY CALLS ANSWERS``.

One JSON line an answer: ``{"s": status or text, "o": [outputs]}``. Every line is flushed, so that a crash shows where.
"""

import ctypes
import json
import sys
from typing import Any

from tests.native.parity.values import CANARY

TYPES: dict[str, Any] = {
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "size": ctypes.c_size_t,
    "pointer": ctypes.c_void_p,
}
RETURNS = {"cudnnGetErrorString": ctypes.c_char_p, "cudnnGetLastErrorString": None}


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
        if kind == "text":
            return ctypes.create_string_buffer(spec[1])
        return TYPES[kind](spec[1])

    def seen(self, spec: list[Any], argument: Any) -> Any:
        if spec[0] == "text":
            return bool(argument.value)  # texts differ between releases
        if spec[0] == "new":
            return bool(self.slots[spec[1], spec[2]].value)
        if spec[1] == "pointer":
            known = {slot.value: list(key) for key, slot in self.slots.items()}
            return [known.get(pointer, bool(pointer)) for pointer in argument]
        return list(argument)

    def run(self, call: dict[str, Any]) -> dict[str, Any]:
        function = getattr(self.library, call["f"])
        function.restype = RETURNS.get(call["f"], ctypes.c_int)
        arguments = [self.argument(spec) for spec in call["a"]]
        size = [ctypes.c_size_t(spec[1]) for spec in call["a"] if spec[0] == "text"]
        status = function(*arguments, *size)
        outputs = [
            self.seen(spec, arg)
            for spec, arg in zip(call["a"], arguments, strict=True)
            if spec[0] in ("out", "new", "text")
        ]
        return {"s": status.decode() if isinstance(status, bytes) else status, "o": outputs}


def main(library: str, calls: str, answers: str) -> None:
    executor = Executor(library)
    with open(calls, encoding="utf-8") as source, open(answers, "w", encoding="utf-8", buffering=1) as out:
        for line in source:
            out.write(json.dumps(executor.run(json.loads(line))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
