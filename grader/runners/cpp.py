"""C++: one translation unit of prelude, the learner's file and an adapter, compiled in the jail to a shared library."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.contract.exercise import Exercise
from grader.contract.verdict import Diagnostic
from grader.runners import adapter, diagnostics
from grader.runners.base import Built, LineTable, RunTool, ToolRun
from grader.runners.cache import BuildCache
from grader.runners.toolchain import Toolchain

MAX_LIBRARY_BYTES = 32 * 1024 * 1024
MAX_LINES_BYTES = 8 * 1024 * 1024
PRELUDE_INSIDE = "/fp/prelude"
_SCRIPT = """
library=$1; lines=$2; shift 2
"$@" -o /tmp/solution.so || exit 1
objdump --dwarf=decodedline /tmp/solution.so >&"$lines" || exit 2
cat /tmp/solution.so >&"$library"
"""
_ROW = re.compile(r"^(\S+)\s+(\d+)\s+0x([0-9a-f]+)")
_END = re.compile(r"^(\S+)\s+-\s+0x([0-9a-f]+)")


def build(
    source: bytes, exercise: Exercise | None, toolchain: Toolchain, run: RunTool, cache: BuildCache | None = None
) -> Built:
    """Compiles `source`; exercise None: a whole program that is not judged.

    An identical earlier build is taken from the cache: the key covers source, adapter, flags, headers and compiler.
    """
    unit = adapter.unit(exercise)
    key = hashlib.sha256(b"\0".join((toolchain.key.encode(), unit.encode(), source))).hexdigest()
    if cache is not None and (known := cache.get(key)) is not None:
        return replace(known, cached=True)
    done = run(command(toolchain), {"/work/unit.cpp": unit.encode(), "/work/solution.cpp": source}, _outputs())
    built = _read(done, source, exercise)
    if cache is not None and (built.code or built.diagnostics):
        cache.put(key, built)
    return built


def command(toolchain: Toolchain) -> list[str]:
    flags = [f"-I{PRELUDE_INSIDE}", *toolchain.flags(), "-Winvalid-pch", "-Werror=invalid-pch"]
    output = ["-fdiagnostics-format=json", "-shared", "-Wl,-z,defs", *toolchain.linker]
    compile_ = [toolchain.compiler, *flags, *output, "/work/unit.cpp", *toolchain.link]
    return ["/bin/bash", "-c", _SCRIPT, "build", "{library}", "{lines}", *compile_]


def _outputs() -> dict[str, int]:
    return {"library": MAX_LIBRARY_BYTES, "lines": MAX_LINES_BYTES}


def _read(done: ToolRun, source: bytes, exercise: Exercise | None) -> Built:
    stderr = done.stderr.decode("utf-8", "replace")
    messages = diagnostics.parse_json(stderr)
    found = diagnostics.in_learner_file(messages)
    if done.status == 0 and done.outputs["library"]:
        return Built(done.outputs["library"], tuple(found), line_table(done.outputs["lines"].decode()))
    data = _adapter_problem(messages, found, exercise)
    if not any(d.severity == "error" for d in found):
        found += diagnostics.linker_messages(stderr) or _unexplained(done, messages, source, bool(data))
    return Built(b"", tuple(found), data=data)


def _adapter_problem(
    messages: list[dict[str, Any]], found: list[Diagnostic], exercise: Exercise | None
) -> dict[str, Any]:
    """What keeps the adapter from calling the learner's function, where the learner's own file has no error."""
    errors = diagnostics.errors_elsewhere(messages, "adapter")
    if exercise is None or not errors or any(d.severity == "error" for d in found):
        return {}
    missing = any("was not declared" in text for text in errors)
    problem = "missing_function" if missing else "signature"
    return {"problem": problem, "function": exercise.function, "expected": adapter.signature(exercise)}


def _unexplained(done: ToolRun, messages: list[dict[str, Any]], source: bytes, known: bool) -> list[Diagnostic]:
    """A compiler that failed without a message about the learner's file: an open brace at its end, a crash, a limit."""
    if known:
        return []
    last = source.count(b"\n") + 1
    if messages:
        return [Diagnostic(last, 0, "error", str(m.get("message", ""))[:500]) for m in messages[:5]]
    text = done.stderr.decode("utf-8", "replace").strip() or f"the compiler ended with status {done.status}"
    return [Diagnostic(0, 0, "error", text[:2000])]


def line_table(listing: str) -> LineTable:
    """Reads ``objdump --dwarf=decodedline``."""
    rows: dict[int, int] = {}
    for text in listing.splitlines():
        if match := _ROW.match(text):
            own = match[1].endswith(diagnostics.SOURCE)
            rows[int(match[3], 16)] = int(match[2]) if own else 0
        elif match := _END.match(text):
            rows.setdefault(int(match[2], 16), 0)
    addresses = sorted(rows)
    return LineTable(tuple(addresses), tuple(rows[address] for address in addresses))


def prelude_mount(directory: Path) -> tuple[Path, str]:
    return directory, PRELUDE_INSIDE
