"""Random sequences of API calls, which the simulator must survive: ``python -m tests.native.parity.fuzz``.

Arguments are live, stale, foreign and null descriptors, device memory that is live, freed, too small or not the
device's at all, and numbers at every edge. Host pointers that the library itself writes or reads stay valid, since a
wild one kills a program on the real library too.
"""

import argparse
import ctypes
import random
import signal
import subprocess
import sys
import time
from typing import Any

from grader.contract.api_types import Function, Parameter
from tests.native.parity.values import ENUMS, FUNCTIONS, Draw, value
from tests.native.simulator import LIBRARIES, ROOT

HOST_BYTES = 1 << 14
DEVICE_SIZES = [4, 100, 4096, 1 << 16, 1 << 20]
SMALL_DIMS = [1, 1, 2, 3, 4, 8]
LENGTHS = [-1, 0, 1, 2, 3, 4, 5, 8, 9, 16]
"""Of host arrays: never longer than what is passed."""
LEFT_OUT = {"cudaDeviceReset", "cudnnSetCallback", "cudnnGetCallback", "cudaMemcpy", "cudaMemcpyAsync", "cudaFreeHost"}
"""Calls whose misuse the real libraries do not survive either, or that end every other test."""


class Fuzzer:
    def __init__(self, seed: int, groups: set[str]) -> None:
        self.rng = random.Random(seed)
        self.draw = Draw(self.rng, 0.25)
        self.libraries = [ctypes.CDLL(str(LIBRARIES / name)) for name in ("libcudnn.so.9", "libcudart.so.12")]
        self.known: dict[str, list[int]] = {}
        self.memory: list[int] = []
        self.functions = [f for f in FUNCTIONS.values() if self.find(f) is not None and self.wanted(f, groups)]
        self.calls = 0

    @staticmethod
    def wanted(function: Function, groups: set[str]) -> bool:
        return function.name not in LEFT_OUT and (not groups or function.group in groups)

    def find(self, function: Function) -> Any:
        return next((getattr(lib, function.symbol) for lib in self.libraries if hasattr(lib, function.symbol)), None)

    def argument(self, parameter: Parameter, lengths: set[str]) -> Any:
        rng, base = self.rng, parameter.base
        if parameter.role in ("handle", "descriptor", "stream", "event"):
            return ctypes.c_void_p(self.object(base))
        if parameter.role in ("device", "memory") and parameter.pointers == 1:
            return ctypes.c_void_p(
                rng.choice([0, 0x1000, *self.memory[-20:], *self.memory[-20:]]) + rng.choice([0, 0, 0, 4])
            )
        if parameter.pointers or parameter.role in ("callback", "user_data"):
            return ctypes.create_string_buffer(bytes(rng.choice([0, 0, 1, 63]) for _ in range(64)) * (HOST_BYTES // 64))
        if base in ENUMS:
            return ctypes.c_int(self.draw.enumerator(base))
        if parameter.name in lengths:
            return ctypes.c_longlong(rng.choice(LENGTHS))
        if parameter.role == "value" and base == "size_t":
            return ctypes.c_size_t(rng.choice([0, 1, 1024, 1 << 20, 2**63]))
        if rng.random() < 0.6:
            return ctypes.c_int(rng.choice(SMALL_DIMS))
        kind, number = value(self.draw, parameter, False)
        return {"double": ctypes.c_double, "float": ctypes.c_float}.get(str(kind), ctypes.c_longlong)(number)

    def object(self, base: str) -> int:
        """A descriptor of this kind, one of another kind, one destroyed long ago, or null."""
        own = self.known.get(base, [])
        foreign = [p for pointers in self.known.values() for p in pointers[-3:]]
        pool = own[-8:] * 4 + own[:4] + foreign if self.rng.random() < 0.2 else own[-8:]
        return self.rng.choice(pool) if pool and self.rng.random() < 0.95 else 0

    def step(self) -> None:
        function = self.rng.choice(self.functions)
        roles = ("host_array", "perf", "element", "text_out")
        lengths = {name for parameter in function.parameters for name in parameter.of if parameter.role in roles}
        lengths |= {p.name for p in function.parameters if p.name.startswith("requested")}
        arguments = [self.argument(parameter, lengths) for parameter in function.parameters]
        call = self.find(function)
        call.restype = ctypes.c_int
        sys.stderr.write(f"{function.name}\n")
        call(*arguments)
        self.calls += 1
        self.keep(function, arguments)
        if len(self.memory) % 50 == 49:
            self.libraries[1].cudaDeviceReset()

    def keep(self, function: Function, arguments: list[Any]) -> None:
        """Remembers what the call created."""
        if not function.parameters or not function.name.startswith(
            ("cudnnCreate", "cudaMalloc", "cudaStreamCreate", "cudaEventCreate")
        ):
            return
        created = int.from_bytes(bytes(arguments[0].raw[:8]), "little") if hasattr(arguments[0], "raw") else 0
        if not created:
            return
        if "Malloc" in function.name:
            self.memory.append(created)
        else:
            self.known.setdefault(function.parameters[0].base, []).append(created)

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        pointer = ctypes.c_void_p()
        for size in DEVICE_SIZES:
            self.libraries[1].cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size))
            self.memory.append(pointer.value or 0)
        while time.monotonic() < end:
            self.step()


def child(seed: int, seconds: float, groups: set[str]) -> None:
    # The simulator raises SIGFPE by itself where the real library divides by zero; a division of its own still kills.
    signal.signal(signal.SIGFPE, signal.SIG_IGN)
    fuzzer = Fuzzer(seed, groups)
    fuzzer.run(seconds)
    print(fuzzer.calls)


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.parity.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", nargs="*", default=[], help="groups of the API table to call (default: all)")
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    if options.child:
        child(options.seed, options.seconds, set(options.groups))
        return 0
    return search(options.seconds, options.seed, options.groups)


def search(seconds: float, seed: int, groups: list[str]) -> int:
    """Runs pieces of 20 s, each in a process of its own, until one does not survive; an exit status.

    Random strides can make a tensor of billions of elements in a few bytes. A piece that is still computing such a one
    after its time is given up and counted.
    """
    calls, cut, end = 0, [], time.monotonic() + seconds
    while time.monotonic() < end:
        piece = min(20.0, end - time.monotonic())
        words = ["--child", "--seconds", str(piece), "--seed", str(seed), "--groups", *groups]
        command = [sys.executable, "-m", "tests.native.parity.fuzz", *words]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=piece + 60, check=False)
        except subprocess.TimeoutExpired as late:
            cut.append((late.stderr or b"").decode().splitlines()[-1])
        else:
            if done.returncode != 0:
                print(f"fuzz: seed {seed} ended with status {done.returncode} in {done.stderr.splitlines()[-3:]}")
                return 1
            calls += int(done.stdout)
        seed += 1
    if cut:
        print(f"fuzz: {len(cut)} pieces given up in a long computation: {', '.join(cut)}")
    print(f"fuzz: survived {calls} calls")
    return 0 if calls else 1


if __name__ == "__main__":
    sys.exit(main())
