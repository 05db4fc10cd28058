"""A library that changes some of the calls made through it: ``Mutator`` stands where a ``Library`` is asked for.

Sequences of calls that mean something are run through it, and get other objects, addresses, numbers and enumerators
here and there. Host memory that the libraries read or write stays valid and long enough, since a wild address there
kills a program on the real library too.
"""

import ctypes
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from grader.contract.api_types import Function, Parameter
from tests.native.fuzz.counts import Counts
from tests.native.fuzz.pool import DESTROYERS, OBJECTS, Pool, address_of
from tests.native.h200.session import Library
from tests.native.parity.values import ENUMS, FUNCTIONS, Draw

HOST_BYTES = 1 << 16
HOST_ROLES = ("scalar", "element", "host_out", "host_array", "perf", "pointer_out", "text_out", "attribute")
LENGTHS = (-1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 1000)
SIZES = (0, 1, 3, 1024, 1 << 20, 2**63, 2**64 - 1)
COPIES = ("cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync")
LONGEST_ROW = 255
"""Bytes and number of the rows of a changed copy: as many fit into `HOST_BYTES`."""
SET_UP = ("cudaMalloc", "cudaMemcpy", "cudnnCreate", "cudnnSetTensorNd", "cudnnSetFilterNd", "cudaDeviceSynchronize")
SET_UP_SHARE = 0.1
"""Calls without which a sequence cannot go on are changed less often than the others."""
CALLBACK_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


class TimeUp(BaseException):
    """The time of a run is over; no sequence catches it."""


@CALLBACK_TYPE
def callback(severity: int, data: int, info: int, message: bytes) -> None:
    """Reads all that the library hands to a log callback."""
    ctypes.string_at(info, 48)
    len(message)


class Mutator:
    """`rate` is the share of calls that are changed, 0 until `after` calls have gone through."""

    def __init__(self, library: Library, rng: random.Random, end: float) -> None:
        self.library, self.rng, self.end = library, rng, end
        self.counts, self.pool, self.draw = Counts(), Pool(rng), Draw(rng, 0.25)
        self.rate, self.after = 0.0, 0
        self.keep: list[Any] = []
        self.host_sizes: dict[int, int] = {}
        """Bytes of host memory that sequences name by its address."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        getattr(self.library, name)  # AttributeError where the library has no such function
        return lambda *arguments: self.call(name, list(arguments))

    def call(self, name: str, arguments: list[Any]) -> int:
        """Calls the function, perhaps with other arguments, and perhaps does something unexpected afterwards."""
        if time.monotonic() > self.end:
            raise TimeUp
        self.after -= 1
        rate = self.rate * (SET_UP_SHARE if name.startswith(SET_UP) else 1)
        changed = self.after < 0 and self.rng.random() < rate
        given = self.changed(FUNCTIONS[name], arguments) if changed and arguments else arguments
        value = self.plain(name, given)
        self.counts.changed += changed
        if self.after < 0 and self.rng.random() < self.rate / 8:
            self.disturb()
        return value

    def plain(self, name: str, arguments: list[Any]) -> int:
        """Calls the function as it is."""
        function = FUNCTIONS[name]
        if name in COPIES and any(self.pool.is_dangling(address_of(a)) for a in arguments[:3]):
            return -1
        sys.stderr.write(f"call {name}({', '.join(map(str, arguments))})\n")
        value = int(getattr(self.library, name)(*arguments))
        self.counts.add(name, value)
        if value != 0 and function.returns == "cudnnStatus_t" and not self.library.fp_sim_last_reason():
            self.counts.unexplained[name] += 1
        if value == 0:
            self.pool.learn(function, arguments)
        return value

    # ---- other arguments
    def changed(self, function: Function, arguments: list[Any]) -> list[Any]:
        """The arguments with one to three replaced; host memory is as long as any length may ask."""
        others = dict(enumerate(function.parameters))
        chosen = self.rng.sample(sorted(others), min(len(others), self.rng.choice([1, 1, 1, 2, 3])))
        names = {others[i].name for i in chosen}
        given = [self.other(others[i], a, function) if i in chosen else a for i, a in enumerate(arguments)]
        for i, parameter in others.items():
            if i not in chosen and parameter.role in HOST_ROLES and names & set(parameter.of):
                given[i] = self.widened(given[i])
        return self.safe_copy(function.name, given) if function.name in COPIES else given

    def other(self, parameter: Parameter, argument: Any, function: Function) -> Any:
        """Something else in the place of one argument."""
        role, rng = parameter.role, self.rng
        if role in OBJECTS:
            return self.pool.object(parameter.base)
        if role in ("device", "memory", "host"):
            return self.pool.memory()
        if role in HOST_ROLES:
            return self.host_memory(role, argument)
        if role == "callback":
            return rng.choice([None, callback])
        if role == "user_data":
            return rng.choice([None, 8])
        if parameter.base in ENUMS or role == "enum":
            return self.draw.enumerator(parameter.base) if parameter.base in ENUMS else rng.choice([-1, 0, 1, 2, 99])
        if parameter.base in ("float", "double"):
            return rng.choice([self.draw.real(), float("nan"), float("inf"), -float(argument)])
        return self.number(parameter, int(argument), function)

    def number(self, parameter: Parameter, value: int, function: Function) -> int:
        rng = self.rng
        if any(parameter.name in p.of for p in function.parameters if p.role in HOST_ROLES):
            return rng.choice(LENGTHS)
        if parameter.base == "size_t":
            return rng.choice([*SIZES, max(value - 1, 0), value + 1, value // 2, value * 2])
        near = [value - 1, value + 1, value * 2, -value, 0]
        return rng.choice(near) if rng.random() < 0.7 else self.draw.number(parameter.name)

    def host_memory(self, role: str, argument: Any) -> Any:
        if self.rng.random() < 0.15 and role not in ("scalar", "element"):
            return None
        return self.buffer(bytes(self.rng.choice([0, 0, 1, 63, 255]) for _ in range(64)) * (HOST_BYTES // 64))

    def widened(self, argument: Any) -> Any:
        """The same contents with room behind them."""
        if argument is None:
            return None
        known = self.host_sizes.get(argument, 0) if isinstance(argument, int) else None
        size = ctypes.sizeof(getattr(argument, "_obj", argument)) if known is None else known
        return self.buffer(ctypes.string_at(address_of(argument), size))

    def buffer(self, contents: bytes) -> Any:
        memory = ctypes.create_string_buffer(contents, max(HOST_BYTES, len(contents)))
        self.keep = [*self.keep[-200:], memory]
        return memory

    def safe_copy(self, name: str, arguments: list[Any]) -> list[Any]:
        """Arguments of a copy whose ends outside device memory hold as many bytes as it may copy."""
        rows = "2D" in name
        for i in (0, 2) if rows else (0, 1):
            if address_of(arguments[i]) not in self.pool.buffers:
                arguments[i] = self.rng.choice([self.buffer(b""), None, *self.pool.freed[-2:]])
        for i in (1, 3, 4, 5) if rows else (2,):
            arguments[i] = min(arguments[i], LONGEST_ROW if rows else HOST_BYTES)
        return arguments

    # ---- things that happen between calls
    def disturb(self) -> None:
        self.rng.choice([self.destroy, self.destroy, self.free, self.scribble, self.scribble, self.log])()

    def destroy(self) -> None:
        bases = [base for base, pointers in sorted(self.pool.live.items()) if pointers and base in DESTROYERS]
        if bases:
            base = self.rng.choice(bases)
            self.plain(DESTROYERS[base], [self.rng.choice(self.pool.live[base])])

    def free(self) -> None:
        if self.pool.buffers:
            name = self.rng.choice(["cudaFree", "cudaFree", "cudaFreeHost"])
            self.plain(name, [self.rng.choice(list(self.pool.buffers))])

    def scribble(self) -> None:
        """Other contents of a buffer, so that what a kernel reads there is no longer what another one wrote."""
        if self.pool.buffers:
            address, size = self.rng.choice(list(self.pool.buffers.items()))
            self.plain("cudaMemset", [address, self.rng.choice([0, 1, 127, 255]), size])

    def log(self) -> None:
        self.plain("cudnnSetCallback", [self.rng.choice([0, 1, 15]), None, self.rng.choice([None, callback])])

    def clear(self) -> None:
        """Destroys and frees all that is left, each once."""
        for base, pointers in sorted(self.pool.live.items()):
            for pointer in list(pointers):
                if base in DESTROYERS:
                    self.plain(DESTROYERS[base], [pointer])
        for address in list(self.pool.buffers):
            self.plain("cudaFree", [address])
            if address in self.pool.buffers:
                self.plain("cudaFreeHost", [address])
