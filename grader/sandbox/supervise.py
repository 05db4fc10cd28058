"""Runs a jailed program under limits of time, memory and output, and collects what it writes.

One `Supervised` is one process tree. `pump` moves bytes until a condition holds, the program ends, or a limit is hit;
after `close` nothing of it is left.
"""

import contextlib
import dataclasses
import os
import select
import selectors
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from grader.sandbox import device_memory, jail, policy
from grader.sandbox.cgroup import new_group
from grader.sandbox.clock import Clock
from grader.sandbox.memory import descendants, held_bytes

LimitName = Literal["wall", "memory", "output", "cancelled", "superseded"]

_TICK_S = 0.02
"""How often memory and cancelling are looked at: at 5 GB/s of page faults a program overshoots by 100 MB."""
_CHUNK = 1 << 18


class LimitHit(Exception):
    """The program was stopped. limit and value are in seconds, MiB or KiB; stream is set for output."""

    def __init__(self, name: LimitName, limit: float = 0.0, value: float = 0.0) -> None:
        super().__init__(f"{name} limit {limit:g} exceeded: {value:g}")
        self.name = name
        self.limit = limit
        self.value = value


@dataclass(slots=True)
class Budget:
    """wall_s counts from the start of the program, or from `restart`, by the fair time of `clock.py`."""

    wall_s: float
    memory_mib: int
    cancel: threading.Event | None = None
    device_mib: int | None = None
    """GPU memory; None: not looked at."""
    superseded: Callable[[], bool] | None = None
    """Whether what the program makes has come from elsewhere in the meantime; asked every 20 ms. None: never."""


class Supervised:
    """A jailed program with its output streams.

    streams: name → largest number of bytes to keep. "stdout" and "stderr" always exist; others become a pipe whose
    write end the program inherits; `{name}` in its command line becomes that descriptor's number. feeds: it also gets
    a pipe to read from, `{feed}`.
    """

    def __init__(self, box: jail.Box, budget: Budget, streams: Mapping[str, int], *, feeds: bool = False) -> None:
        self._budget = budget
        self.caps = dict(streams)
        self.received: dict[str, bytearray] = {name: bytearray() for name in streams}
        self.peak_bytes = 0
        self.peak_device_bytes = 0
        self.read_at = 0.0
        """When bytes last came, by `time.perf_counter`."""
        self._selector = selectors.DefaultSelector()
        self._to_send = bytearray()
        self._feed: int | None = None
        self._looked = 0.0
        self.group = new_group(budget.memory_mib, policy.LIMITS[box.kind].processes)
        writers = {name: self._reader(name) for name in streams}
        self.numbers = {name: writer for name, writer in writers.items() if name not in ("stdout", "stderr")}
        inherited = list(self.numbers.values())
        if feeds:
            source, self._feed = os.pipe()
            os.set_blocking(self._feed, False)
            self.numbers["feed"] = source
            inherited.append(source)
        self.clock = Clock()
        try:
            self.process = self._start(box, writers, inherited)
        except BaseException:
            self._release()
            if self.group is not None:
                self.group.remove()
            raise
        finally:
            for descriptor in {*writers.values(), *inherited}:
                os.close(descriptor)

    def _start(self, box: jail.Box, writers: dict[str, int], inherited: list[int]) -> subprocess.Popen[bytes]:
        argv = [str(self.numbers.get(part[1:-1], part)) if part.startswith("{") else part for part in box.argv]
        group = self.group.path if self.group else None
        filled = dataclasses.replace(box, argv=argv, descriptors=(*box.descriptors, *inherited), group=group)
        return jail.start(filled, stdout=writers["stdout"], stderr=writers["stderr"])

    def _reader(self, name: str) -> int:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        self._selector.register(reader, selectors.EVENT_READ, name)
        return writer

    @property
    def budget(self) -> Budget:
        return self._budget

    def restart(self, budget: Budget) -> None:
        """From now on another budget holds, and its time counts from now."""
        self._budget = budget
        self.clock.look(descendants(self.process.pid))
        self.clock.restart()
        if self.group is not None:
            self.group.limit(budget.memory_mib)

    def send(self, data: bytes) -> None:
        """Queues bytes for the program's feed; `pump` writes them."""
        if self._feed is None:
            raise ValueError("this program has no feed")
        if not self._to_send and data:
            self._selector.register(self._feed, selectors.EVENT_WRITE, "feed")
        self._to_send += data

    def pump(self, done: Callable[[], bool]) -> bool:
        """Moves bytes until `done()`; False where the program ended before. Raises LimitHit (and has killed it)."""
        while not done():
            if not any(key.data != "feed" for key in self._selector.get_map().values()):
                return done()
            for key, _ in self._selector.select(timeout=_TICK_S):
                self._move(key)
            self._check()
        return True

    def run(self) -> int:
        """Until the program has ended; its exit status (128 + signal where a signal ended it)."""
        self.pump(lambda: False)
        return self.wait()

    def wait(self) -> int:
        """Exit status after the streams have closed. Raises LimitHit where it does not end in time."""
        if self.process.poll() is None:
            self._await_end()
        status = self.process.wait()
        if self.group is not None and self.group.killed_for_memory():
            self._stop(LimitHit("memory", self.budget.memory_mib, self.group.peak_bytes() / (1 << 20)))
        return status

    def _await_end(self) -> None:
        ended = select.poll()
        descriptor = os.pidfd_open(self.process.pid)  # Popen.wait with a timeout would sleep in growing steps
        try:
            ended.register(descriptor, select.POLLIN)
            while not ended.poll(1000 * _TICK_S):
                self._check()
        finally:
            os.close(descriptor)

    def drain(self) -> None:
        """Takes what already lies in the pipes, without waiting."""
        while ready := [key for key, _ in self._selector.select(timeout=0) if key.data != "feed"]:
            for key in ready:
                self._move(key)

    def _move(self, key: selectors.SelectorKey) -> None:
        descriptor = key.fd
        if key.data == "feed":
            self._write(descriptor)
            return
        data = os.read(descriptor, _CHUNK)
        if not data:
            self._selector.unregister(descriptor)
            os.close(descriptor)
            return
        self.read_at = time.perf_counter()
        buffer, cap = self.received[key.data], self.caps[key.data]
        buffer += data
        if len(buffer) > cap:
            size = len(buffer)
            del buffer[cap:]
            self._stop(LimitHit("output", cap / 1024, size / 1024))

    def _write(self, descriptor: int) -> None:
        try:
            written = os.write(descriptor, self._to_send[:_CHUNK])
        except BrokenPipeError:
            written = len(self._to_send)
        del self._to_send[:written]
        if not self._to_send:
            self._selector.unregister(descriptor)

    def _check(self) -> None:
        now = time.monotonic()
        if now - self._looked < _TICK_S:
            return
        self._looked = now
        if self.budget.cancel is not None and self.budget.cancel.is_set():
            self._stop(LimitHit("cancelled"))
        if self.budget.superseded is not None and self.budget.superseded():
            self._stop(LimitHit("superseded"))
        processes = descendants(self.process.pid)
        self.clock.look(processes)
        if (spent := self.clock.spent()) > self.budget.wall_s:
            self._stop(LimitHit("wall", self.budget.wall_s, spent))
        held = sum(map(held_bytes, processes))
        self.peak_bytes = max(self.peak_bytes, held)
        if held > self.budget.memory_mib << 20:
            self._stop(LimitHit("memory", self.budget.memory_mib, held / (1 << 20)))
        if self.budget.device_mib is not None:
            self._check_device(processes, self.budget.device_mib)

    def _check_device(self, processes: list[int], limit: int) -> None:
        held = device_memory.held_bytes(processes) or 0
        self.peak_device_bytes = max(self.peak_device_bytes, held)
        if held > limit << 20:
            self._stop(LimitHit("memory", limit, held / (1 << 20)))

    def _stop(self, hit: LimitHit) -> None:
        self.kill()
        raise hit

    def kill(self) -> None:
        """Ends bubblewrap, and with its process namespace everything inside."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _release(self) -> None:
        for key in list(self._selector.get_map().values()):
            if key.data != "feed":
                os.close(key.fd)
        self._selector.close()
        if self._feed is not None:
            with contextlib.suppress(OSError):
                os.close(self._feed)
            self._feed = None

    def close(self) -> None:
        """Kills what still runs and gives back every descriptor. May be called twice."""
        self.kill()
        if self._selector.get_map() is not None:
            self._release()
        if self.group is not None:
            self.group.remove()
            self.group = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
