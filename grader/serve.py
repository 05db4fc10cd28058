"""`python -m grader worker`: connects the worker to standard input and output, or to a Unix socket."""

import contextlib
import ctypes
import json
import os
import queue
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from grader.backends import BackendUnavailableError, find_backend
from grader.contract.api import load_api
from grader.drafts import Drafts
from grader.environment import summary
from grader.metrics import Metrics
from grader.ready import make_pool
from grader.runners.toolchain import TIERS, ToolchainError
from grader.sandbox.jail import JailError
from grader.sandbox.pool import Pool
from grader.selftest import prove_gpu
from grader.worker import MAX_LINE_BYTES, Terminated, Worker, Write, raise_on_signals, ready_message
from grader.workshop import Ready, Workshop

M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


@dataclass(frozen=True, slots=True)
class Serving:
    """pool_size: how much of each kind is kept ready (see `ready.py`). draft_load: see `Drafts`; None: its default.

    draft_priority: "low" (niceness 19) or "normal".
    """

    slots: int
    exercises: Path
    pool_size: int
    draft_load: float | None = None
    draft_priority: str = "low"


def _share_one_arena() -> None:
    """Lets all threads allocate from one place: an arena for each slot keeps what that slot's largest job needed.

    Over 1,000 mixed submissions on four slots the process grew from 47 to 77 MiB without this. For glibc alone.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _writer(stream: BinaryIO) -> Write:
    """Writes whole lines, from any thread. Once nobody reads any more, messages are dropped."""
    lock = threading.Lock()

    def write(message: dict[str, Any]) -> None:
        data = json.dumps(message, ensure_ascii=False, allow_nan=False, default=str).encode("utf-8", "replace") + b"\n"
        with lock, contextlib.suppress(OSError, ValueError):
            stream.write(data)
            stream.flush()

    return write


@contextmanager
def warm(size: int) -> Iterator[Pool[Ready] | None]:
    """A pool for the default backend, `size` of each kind; None for 0, or where there is no backend."""
    _announce_gpu()
    pool = _make_pool(size)
    if pool is not None:
        pool.start()
    try:
        yield pool
    finally:
        if pool is not None:
            pool.close()


def _announce_gpu() -> None:
    """Tries the GPU from inside the sandbox; says on standard error why it is not used where it is not."""
    try:
        prove_gpu()
    except BackendUnavailableError as error:
        print(f"the GPU is not used: {error}; {error.mend}", file=sys.stderr)


def _make_pool(size: int) -> Pool[Ready] | None:
    try:
        backend = find_backend("auto")
    except BackendUnavailableError:
        return None
    return make_pool(Workshop(), backend, size) if size > 0 else None


def _workshops(options: Serving, pool: Pool[Ready] | None) -> list[Workshop]:
    shops = [Workshop(options.exercises, slot=slot, pool=pool) for slot in range(options.slots)]
    _prepare(shops[0])
    return shops


def _prepare(shop: Workshop) -> None:
    """Does now what the first submission would wait for: the API table, the precompiled prelude."""
    load_api()
    try:
        for tier in TIERS:
            shop.prelude(find_backend("auto"), tier)
    except (BackendUnavailableError, ToolchainError, JailError) as error:
        print(f"C++ submissions will fail: {error}", file=sys.stderr)


@contextmanager
def background(shops: list[Workshop], options: Serving) -> Iterator[Drafts]:
    """Compiles drafts beside the slots of `shops`."""
    shop = Workshop(shops[0].exercises, shops[0].cache, slot=len(shops), background=options.draft_priority == "low")
    drafts = Drafts(shop, options.draft_load)
    drafts.start()
    try:
        yield drafts
    finally:
        drafts.close()


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of the stream; one that is too long is cut, so that it is refused instead of filling memory."""
    while line := stream.readline(MAX_LINE_BYTES):
        if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
            while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            line = b"{"
        yield line


def serve_stdio(options: Serving) -> int:
    """Until standard input ends (running jobs finish) or SIGTERM arrives (they are ended). Returns the exit status."""
    raise_on_signals()
    _share_one_arena()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints by accident must not get between the lines
    with contextlib.suppress(Terminated), warm(options.pool_size) as pool:
        shops = _workshops(options, pool)
        with background(shops, options) as drafts:
            worker = Worker(shops, _writer(output), drafts, Metrics(pool, drafts))
            worker.start()
            worker.write(ready_message(options.slots, summary()))
            try:
                worker.serve(lines(sys.stdin.buffer))
            except Terminated:
                worker.finish(cancel=True)
    return 0


def serve_socket(path: Path, options: Serving) -> int:
    """Serves the protocol on a Unix socket until SIGTERM; each connection has a slot of its own while it lasts."""
    raise_on_signals()
    _share_one_arena()
    path.unlink(missing_ok=True)
    active: set[Worker] = set()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o660)
        listener.listen(options.slots)
        try:
            with warm(options.pool_size) as pool:
                shops = _workshops(options, pool)
                with background(shops, options) as drafts:
                    _accept(listener, shops, Office(drafts, Metrics(pool, drafts), active))
        except Terminated:
            for worker in list(active):
                worker.finish(cancel=True)
        finally:
            path.unlink(missing_ok=True)
    return 0


@dataclass(frozen=True, slots=True)
class Office:
    """What the workers of all connections share."""

    drafts: Drafts
    metrics: Metrics
    active: set[Worker]


def _accept(listener: socket.socket, shops: list[Workshop], office: Office) -> None:
    free: queue.SimpleQueue[Workshop] = queue.SimpleQueue()
    for shop in shops:
        free.put(shop)
    while True:
        shop = free.get()
        connection, _ = listener.accept()
        arguments = (connection, shop, office, free.put)
        threading.Thread(target=_converse, args=arguments, daemon=True).start()


def _converse(connection: socket.socket, shop: Workshop, office: Office, release: Callable[[Workshop], None]) -> None:
    with connection, cast(BinaryIO, connection.makefile("rwb")) as stream:
        worker = Worker([shop], _writer(stream), office.drafts, office.metrics)
        office.active.add(worker)
        try:
            worker.start()
            worker.write(ready_message(1, summary()))
            worker.serve(lines(stream))
        except OSError:
            worker.finish(cancel=True)
        finally:
            office.active.discard(worker)
            release(shop)
