"""Builds kept by everything that decides them, so that an identical re-submission does not compile twice.

Files are written by the grader, never by anything in the jail, and only below its own directory.
"""

import contextlib
import json
import os
import struct
from dataclasses import asdict
from pathlib import Path

from grader.contract.verdict import Diagnostic
from grader.runners.base import Built, LineTable

_HEAD = struct.Struct("<8sQ")
_MAGIC = b"FPBUILD1"
MAX_ENTRIES = 2000


class BuildCache:
    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def get(self, key: str) -> Built | None:
        """The build under `key`; None where there is none, or its file is damaged."""
        path = self.directory / key
        try:
            raw = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        if (built := _decode(raw)) is None:
            path.unlink(missing_ok=True)
        return built

    def has(self, key: str) -> bool:
        """Whether there is a file for `key`. One that is damaged is taken away by `get`."""
        return (self.directory / key).exists()

    def put(self, key: str, built: Built) -> None:
        """Keeps a build. A full disk is no error: the next submission compiles again."""
        temporary = self.directory / f".{key}-{os.getpid()}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_encode(built))
            temporary.rename(self.directory / key)
            self._forget_oldest()
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()

    def _forget_oldest(self) -> None:
        entries = list(self.directory.iterdir())
        if len(entries) > MAX_ENTRIES:
            entries.sort(key=lambda path: path.stat().st_mtime)
            for path in entries[: len(entries) - MAX_ENTRIES * 9 // 10]:
                path.unlink(missing_ok=True)


def _encode(built: Built) -> bytes:
    head = {
        "diagnostics": [asdict(d) for d in built.diagnostics],
        "lines": [built.lines.addresses, built.lines.lines],
        "data": dict(built.data),
    }
    text = json.dumps(head).encode()
    return _HEAD.pack(_MAGIC, len(text)) + text + built.code


def _decode(raw: bytes) -> Built | None:
    try:
        magic, length = _HEAD.unpack_from(raw)
        head = json.loads(raw[_HEAD.size : _HEAD.size + length])
        lines = LineTable(tuple(head["lines"][0]), tuple(head["lines"][1]))
        diagnostics = tuple(Diagnostic(**d) for d in head["diagnostics"])
    except (struct.error, ValueError, KeyError, TypeError):
        return None
    return Built(raw[_HEAD.size + length :], diagnostics, lines, head["data"]) if magic == _MAGIC else None
