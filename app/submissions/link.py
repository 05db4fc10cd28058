"""The line to a grader: a worker process of ours, or a socket of one that runs elsewhere."""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, Protocol

from app.settings import ROOT, Settings

LINE_LIMIT = 64 * 1024 * 1024
"""A verdict with its call trace is one line; longer ones end the connection."""
STOP_S = 5.0


class LinkLost(ConnectionError):
    """The grader is gone, or said something that cannot be read."""


class Link(Protocol):
    async def send(self, message: dict[str, Any]) -> None:
        """Raises LinkLost."""

    async def receive(self) -> bytes:
        """The next line. Raises LinkLost at the end."""

    async def close(self) -> None: ...


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        line = await reader.readline()
    except (ValueError, OSError) as error:  # a line over the limit, or a broken pipe
        raise LinkLost(str(error)) from error
    if not line.endswith(b"\n"):
        raise LinkLost("the grader closed its output")
    return line


async def _write(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    try:
        writer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        await writer.drain()
    except OSError as error:
        raise LinkLost(str(error)) from error


class ProcessLink:
    """`python -m grader worker` as a child process. It ends by itself when its input closes, so also after kill -9."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the worker needs pipes for input and output")
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout

    @classmethod
    async def open(cls, settings: Settings) -> "ProcessLink":
        exercises = str(settings.exercises_dir)
        command = settings.grader_command or [sys.executable, "-m", "grader", "worker", "--exercises", exercises]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, cwd=ROOT, limit=LINE_LIMIT, start_new_session=True
        )
        return cls(process)

    async def send(self, message: dict[str, Any]) -> None:
        await _write(self._stdin, message)

    async def receive(self) -> bytes:
        return await _read_line(self._stdout)

    async def close(self) -> None:
        """Asks the worker to end its jobs and clean up, then ends whatever is left of its process group."""
        self._stdin.close()
        with suppress(ProcessLookupError):
            self._process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        with suppress(OSError):
            await self._stdin.wait_closed()
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(STOP_S):
                while await self._stdout.read(LINE_LIMIT):  # to its end: only then is the pipe closed
                    pass


class SocketLink:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: str) -> "SocketLink":
        reader, writer = await asyncio.open_unix_connection(path, limit=LINE_LIMIT)
        return cls(reader, writer)

    async def send(self, message: dict[str, Any]) -> None:
        await _write(self._writer, message)

    async def receive(self) -> bytes:
        return await _read_line(self._reader)

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


async def open_link(settings: Settings) -> Link:
    """Raises OSError where the grader cannot be started or reached."""
    if settings.grader.startswith("unix:"):
        return await SocketLink.open(settings.grader.removeprefix("unix:"))
    return await ProcessLink.open(settings)
