"""`python -m grader worker`: connects the worker to standard input and output, or to a Unix socket."""

import itertools
import json
import os
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
    lock = threading.Lock()

    def write(message: dict[str, Any]) -> None:
        data = json.dumps(message, ensure_ascii=False, allow_nan=False, default=str).encode("utf-8", "replace") + b"\n"
        with lock:
            stream.write(data)
            stream.flush()

    return write


def make_pool(size: int) -> Pool[Harness] | None:
    """A pool of `size` sandboxes for each language on the default backend; None for 0 or where there is no backend."""
    try:
        backend = find_backend("auto")
    except Exception:
        return None
    if size <= 0:
        return None
    numbers = itertools.count()
    kinds: dict[str, Language] = {f"{language}-{backend.info.name}": language for language in LANGUAGES}
    return Pool(lambda kind: launch(kinds[kind], backend, slot=next(numbers)), dict.fromkeys(kinds, size))


@contextmanager
def warm(size: int) -> Iterator[Pool[Harness] | None]:
    pool = make_pool(size)
    if pool is not None:
        pool.start()
    try:
        yield pool
    finally:
        if pool is not None:
            pool.close()


def workshops(count: int, exercises: Path, pool: Pool[Harness] | None) -> list[Workshop]:
    return [Workshop(exercises, slot=slot, pool=pool) for slot in range(count)]


def prepare(shop: Workshop) -> None:
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
    write = _writer(output)
    with warm(pool_size) as pool:
        shops = workshops(slots, exercises, pool)
        prepare(shops[0])
        worker = Worker(shops, write)
        worker.start()
        write(ready_message(slots, summary()))
        try:
            worker.serve(lines(sys.stdin.buffer))
        except (Terminated, BrokenPipeError):
            worker.finish(cancel=True)
    return 0


def serve_socket(path: Path, slots: int, exercises: Path, pool_size: int) -> int:
    """Serves the protocol on a Unix socket, one connection for each slot at a time, until SIGTERM."""
    raise_on_signals()
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o660)
    listener.listen(slots)
    active: set[Worker] = set()
    try:
        with warm(pool_size) as pool:
            free = threading.Semaphore(slots)
            shops = workshops(slots, exercises, pool)
            prepare(shops[0])
            for shop in itertools.cycle(shops):
                free.acquire()
                connection, _ = listener.accept()
                threading.Thread(target=_converse, args=(connection, shop, free, active), daemon=True).start()
    except Terminated:
        for worker in list(active):
            worker.finish(cancel=True)
    finally:
        listener.close()
        path.unlink(missing_ok=True)
    return 0


def _converse(connection: socket.socket, shop: Workshop, free: threading.Semaphore, active: set[Worker]) -> None:
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
            free.release()
