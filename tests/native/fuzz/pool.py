"""What the calls so far have made: live and destroyed objects, device memory, memory that the device may touch."""

import ctypes
import random
from typing import Any

from grader.contract.api_types import Function
from tests.native.parity.values import FUNCTIONS

OBJECTS = ("handle", "descriptor", "stream", "event")
REMEMBERED = 40
"""Objects and buffers of a kind that may be drawn again."""
WILD = (0, 8, 0x1000, 0x7FFF_FFFF_F000, 2**64 - 4096)
"""Addresses that were never device memory."""

DESTROYERS = {
    function.parameters[0].base: name
    for name, function in FUNCTIONS.items()
    if function.parameters
    and name.startswith(("cudnnDestroy", "cudnnBackendDestroy", "cudaStreamDestroy", "cudaEventD"))
}
"""Type of an object → the function that destroys it."""
FREERS = {"cudaFree", "cudaFreeAsync", "cudaFreeHost"}


def address_of(argument: Any) -> int:
    """Address of host memory that an argument names: a number, an array, a ctypes value or a reference to one."""
    if argument is None or isinstance(argument, int):
        return argument or 0
    if hasattr(argument, "_obj"):
        return ctypes.addressof(argument._obj)
    if isinstance(argument, ctypes.c_void_p):
        return argument.value or 0
    return ctypes.addressof(argument)


class Pool:
    """Objects by type. Everything that was ever created stays known, so that a stale pointer can be drawn."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.live: dict[str, list[int]] = {}
        self.stale: dict[str, list[int]] = {}
        self.buffers: dict[int, int] = {}
        """Live device, pinned and managed memory: address → size."""
        self.freed: list[int] = []
        self.host: set[int] = set()
        """Memory from the host's allocator, live or freed. Once freed, no copy may read or write it."""

    def learn(self, function: Function, arguments: list[Any]) -> None:
        """Keeps what a successful call created or ended."""
        name = function.name
        if name in FREERS or name == DESTROYERS.get(function.parameters[0].base if function.parameters else ""):
            self.end(function.parameters[0].base, address_of(arguments[0]))
        elif name == "cudaDeviceReset":
            self.freed = list(self.buffers)[-REMEMBERED:]
            self.buffers.clear()
        elif "Create" in name or "Malloc" in name or name == "cudaHostAlloc":
            self.begin(function, arguments)

    def begin(self, function: Function, arguments: list[Any]) -> None:
        out = next(i for i, p in enumerate(function.parameters) if p.role in ("host_out", "pointer_out"))
        memory = address_of(arguments[out])
        created = ctypes.c_void_p.from_address(memory).value if memory else None
        if not created:
            return
        if function.parameters[out].role == "pointer_out":
            self.buffers[created] = int(arguments[out + 1])
            if function.name not in ("cudaMalloc", "cudaMallocAsync"):
                self.host.add(created)
        else:
            self.live.setdefault(function.parameters[out].base, []).append(created)

    def end(self, base: str, address: int) -> None:
        if self.buffers.pop(address, None) is not None:
            self.freed = [*self.freed[-REMEMBERED:], address]
        elif address in self.live.get(base, []):
            self.live[base].remove(address)
            self.stale[base] = [*self.stale.get(base, [])[-REMEMBERED:], address]

    def is_dangling(self, pointer: int) -> bool:
        """Freed memory of the host: a copy to or from it harms a program on the real library too."""
        return pointer in self.host and pointer not in self.buffers

    def object(self, base: str) -> int:
        """An object of this type, a destroyed one, one of another type, device memory, or null."""
        foreign = [pointers[-1] for kind, pointers in sorted(self.live.items()) if pointers and kind != base]
        pools = [self.live.get(base, [])[-REMEMBERED:]] * 4 + [self.stale.get(base, [])] * 2 + [foreign, [0]]
        pools.append(list(self.buffers)[-4:])
        return self.rng.choice(self.rng.choice([pool for pool in pools if pool]))

    def memory(self) -> int:
        """An address for a kernel: of a live buffer, inside it or at its end, of a freed one, or of nothing."""
        rng = self.rng
        if self.buffers and rng.random() < 0.6:
            address, size = rng.choice(list(self.buffers.items())[-REMEMBERED:])
            return address + rng.choice([0, 0, 0, 1, 4, 64, max(size - 4, 0), size, -4])
        if self.freed and rng.random() < 0.5:
            return rng.choice(self.freed)
        return rng.choice([*WILD, *[pointers[-1] for pointers in self.live.values() if pointers]])
