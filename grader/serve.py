"""`python -m grader worker`: connects the worker to standard input and output, or to a Unix socket."""

import contextlib
import itertools
import json
import os
import queue
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from grader.backends import BackendUnavailableError, find_backend
from grader.contract.api import load_api
from grader.contract.job import LANGUAGES, Language
from grader.environment import summary
from grader.launch import Harness, launch
from grader.runners.toolchain import ToolchainError
from grader.sandbox.jail import JailError
from grader.sandbox.pool import Pool
from grader.worker import MAX_LINE_BYTES, Terminated, Worker, Write, raise_on_signals, ready_message
from grader.workshop import Workshop


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
def warm(size: int) -> Iterator[Pool[Harness] | None]:
    """A pool of `size` sandboxes for each language on the default backend; None for 0, or where there is no backend."""
    pool = _make_pool(size)
    if pool is not None:
        pool.start()
    try:
        yield pool
    finally:
        if pool is not None:
            pool.close()


def _make_pool(size: int) -> Pool[Harness] | None:
    try:
        backend = find_backend("auto")
    except BackendUnavailableError:
        return None
    if size <= 0:
        return None
    numbers = itertools.count()
    kinds: dict[str, Language] = {f"{language}-{backend.info.name}": language for language in LANGUAGES}
    return Pool(lambda kind: launch(kinds[kind], backend, slot=next(numbers)), dict.fromkeys(kinds, size))


def _workshops(count: int, exercises: Path, pool: Pool[Harness] | None) -> list[Workshop]:
    shops = [Workshop(exercises, slot=slot, pool=pool) for slot in range(count)]
    _prepare(shops[0])
    return shops


def _prepare(shop: Workshop) -> None:
    """Does now what the first submission would wait for: the API table, the precompiled prelude."""
    load_api()
    try:
        shop.prelude(find_backend("auto"))
    except (BackendUnavailableError, ToolchainError, JailError) as error:
        print(f"C++ submissions will fail: {error}", file=sys.stderr)


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of the stream; one that is too long is cut, so that it is refused instead of filling memory."""
    while line := stream.readline(MAX_LINE_BYTES):
        if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
            while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            line = b"{"
        yield line


def serve_stdio(slots: int, exercises: Path, pool_size: int) -> int:
    """Until standard input ends (running jobs finish) or SIGTERM arrives (they are ended). Returns the exit status."""
    raise_on_signals()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints by accident must not get between the lines
    with contextlib.suppress(Terminated), warm(pool_size) as pool:
        worker = Worker(_workshops(slots, exercises, pool), _writer(output))
        worker.start()
        worker.write(ready_message(slots, summary()))
        try:
            worker.serve(lines(sys.stdin.buffer))
        except Terminated:
            worker.finish(cancel=True)
    return 0


def serve_socket(path: Path, slots: int, exercises: Path, pool_size: int) -> int:
    """Serves the protocol on a Unix socket until SIGTERM; each connection has a slot of its own while it lasts."""
    raise_on_signals()
    path.unlink(missing_ok=True)
    active: set[Worker] = set()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o660)
        listener.listen(slots)
        try:
            with warm(pool_size) as pool:
                _accept(listener, _workshops(slots, exercises, pool), active)
        except Terminated:
            for worker in list(active):
                worker.finish(cancel=True)
        finally:
            path.unlink(missing_ok=True)
    return 0


def _accept(listener: socket.socket, shops: list[Workshop], active: set[Worker]) -> None:
    free: queue.SimpleQueue[Workshop] = queue.SimpleQueue()
    for shop in shops:
        free.put(shop)
    while True:
        shop = free.get()
        connection, _ = listener.accept()
        threading.Thread(target=_converse, args=(connection, shop, free, active), daemon=True).start()


def _converse(
    connection: socket.socket, shop: Workshop, free: "queue.SimpleQueue[Workshop]", active: set[Worker]
) -> None:
    with connection, cast(BinaryIO, connection.makefile("rwb")) as stream:
        worker = Worker([shop], _writer(stream))
        active.add(worker)
        try:
            worker.start()
            worker.write(ready_message(1, summary()))
            worker.serve(lines(stream))
        except OSError:
            worker.finish(cancel=True)
        finally:
            active.discard(worker)
            free.put(shop)
