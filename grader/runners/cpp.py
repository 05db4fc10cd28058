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
from grader.runners.toolchain import SOURCES_INSIDE, Toolchain, ToolchainError, own_hash

MAX_LIBRARY_BYTES = 32 * 1024 * 1024
MAX_LINES_BYTES = 8 * 1024 * 1024
PRELUDE_INSIDE = "/fp/prelude"
UNIT, SOLUTION = f"{SOURCES_INSIDE}/unit.cpp", f"{SOURCES_INSIDE}/solution.cpp"
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

    An identical earlier build is taken from the cache, by a key of source, adapter, flags, headers, compiler, our code.
    Raises ToolchainError where it is not the source that fails.
    """
    unit = adapter.unit(exercise)
    parts = (toolchain.key.encode(), own_hash().encode(), unit.encode(), source)
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()
    if cache is not None and (known := cache.get(key)) is not None:
        return replace(known, cached=True)
    done = run(command(toolchain), {UNIT: unit.encode(), SOLUTION: source}, _outputs())
    if done.status != 0 and (lack := diagnostics.lack_of_toolchain(done.stderr.decode("utf-8", "replace"))):
        raise ToolchainError(f"the compiler or linker cannot work: {lack}")
    built = _read(done, source, exercise)
    if cache is not None and (built.code or _is_explained(built)):
        cache.put(key, built)
    return built


def _is_explained(built: Built) -> bool:
    """Whether the source is known to be at fault; a failure of another kind may be gone the next time."""
    return any(d.line or d.message.startswith("undefined reference") for d in built.diagnostics)


def command(toolchain: Toolchain) -> list[str]:
    flags = [f"-I{PRELUDE_INSIDE}", *toolchain.flags(), "-Winvalid-pch", "-Werror=invalid-pch"]
    output = ["-fdiagnostics-format=json", "-shared", "-Wl,-z,defs", *toolchain.linker]
    compile_ = [toolchain.compiler, *flags, *output, UNIT, *toolchain.link]
    return ["/bin/bash", "-c", _SCRIPT, "build", "{library}", "{lines}", *compile_]


def _outputs() -> dict[str, int]:
    return {"library": MAX_LIBRARY_BYTES, "lines": MAX_LINES_BYTES}


def _read(done: ToolRun, source: bytes, exercise: Exercise | None) -> Built:
    stderr = done.stderr.decode("utf-8", "replace")
    everything = diagnostics.parse_json(stderr)
    unfit, messages = diagnostics.split(everything, adapter.FILE)
    found = diagnostics.in_learner_file(messages)
    if done.status == 0 and done.outputs["library"]:
        return Built(done.outputs["library"], tuple(found), line_table(done.outputs["lines"].decode()))
    if any(d.severity == "error" for d in found):
        return Built(b"", tuple(found))
    if exercise is not None and exercise.form == "function" and unfit:
        return _does_not_fit(unfit, found, exercise)
    found += diagnostics.linker_messages(stderr) or _unexplained(done, everything, source)
    return Built(b"", tuple(found))


def _does_not_fit(unfit: list[dict[str, Any]], found: list[Diagnostic], exercise: Exercise) -> Built:
    """The learner's file is in order, but the adapter cannot call its function: there is none, or it differs."""
    missing = any("was not declared" in str(message.get("message")) for message in unfit)
    expected = adapter.signature(exercise)
    problem = "missing_function" if missing else "signature"
    line = diagnostics.first_line(unfit)
    data = {"problem": problem, "function": exercise.function, "expected": expected, "line": line}
    return Built(b"", (*found, Diagnostic(line, 0, "error", f"expected: {expected}")), data=data)


def _unexplained(done: ToolRun, messages: list[dict[str, Any]], source: bytes) -> list[Diagnostic]:
    """A compiler that failed without a message about the learner's file: an open brace at its end, a crash, a limit."""
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
