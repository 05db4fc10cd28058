"""C++: one translation unit of prelude, the learner's file and an adapter, compiled in the jail to a shared library."""

import hashlib
import re
from dataclasses import replace
from typing import Any

from grader.contract.exercise_types import Exercise
from grader.contract.signatures import signature
from grader.contract.verdict import Diagnostic
from grader.runners import adapter, diagnostics
from grader.runners.base import Built, Compile, LineTable, ToolRun
from grader.runners.cache import BuildCache
from grader.runners.toolchain import OBJECT, SOURCES_INSIDE, Toolchain, ToolchainError, own_hash

MAX_LIBRARY_BYTES = 32 * 1024 * 1024
"""A compiled library larger than this is refused."""
MAX_LINES_BYTES = 8 * 1024 * 1024
PRELUDE_INSIDE = "/fp/prelude"
UNIT = f"{SOURCES_INSIDE}/unit.cpp"
INCLUDES = b'#include "prelude.hpp"\n#include "go"\n#include "solution.cpp"\n#include "adapter.cpp"\n'
"""The translation unit. What it includes: the prelude, precompiled; `go`, which is empty, and cannot be read to its end
before the learner's file is there; that file as it is; the adapter."""
_SCRIPT = """
library=$1; lines=$2; compile=$3; shift 3
"${@:1:$compile}" || exit 1
"${@:$compile + 1}" || exit 1
cat /tmp/solution.so >&"$library" &
objdump --dwarf=decodedline /tmp/solution.so >&"$lines" || exit 2
wait $!
"""
_ROW = re.compile(r"^(\S+)\s+(\d+)\s+0x([0-9a-f]+)")
_END = re.compile(r"^(\S+)\s+-\s+0x([0-9a-f]+)")


def build(
    source: bytes, exercise: Exercise | None, toolchain: Toolchain, compile_: Compile, cache: BuildCache | None = None
) -> Built:
    """Compiles `source`; exercise None: a whole program that is not judged.

    An identical build is taken from the cache, by a key of source, adapter, flags, headers, compiler, our code. It may
    be an earlier one, or one that ends first (a draft's, or the submission's): whichever is slower is stopped.
    Raises ToolchainError where it is not the source that fails.
    """
    text = adapter.text(exercise).encode()
    parts = (toolchain.key.encode(), own_hash().encode(), text, source)
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()
    done: ToolRun | None = None
    while done is None:
        if cache is not None and (known := cache.get(key)) is not None:
            return replace(known, cached=True)
        done = compile_(source, text, lambda: cache is not None and cache.has(key))
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
    """Compiles, links, and writes the library and its lines to the descriptors of OUTPUTS."""
    flags = [f"-I{PRELUDE_INSIDE}", *toolchain.flags(), "-Winvalid-pch", "-Werror=invalid-pch"]
    output = ["-fdiagnostics-format=json", "-c", "-o", OBJECT, UNIT]
    compile_ = [toolchain.compiler, "-pipe", *flags, *output]
    words = [str(len(compile_)), *compile_, *toolchain.linker]
    return ["/bin/bash", "-c", _SCRIPT, "build", "{library}", "{lines}", *words]


OUTPUTS = {"library": MAX_LIBRARY_BYTES, "lines": MAX_LINES_BYTES}


def _read(done: ToolRun, source: bytes, exercise: Exercise | None) -> Built:
    stderr = done.stderr.decode("utf-8", "replace")
    everything = diagnostics.parse_json(stderr)
    unfit, messages = diagnostics.split(everything, adapter.FILE)
    found = diagnostics.in_learner_file(messages)
    if done.status == 0 and done.outputs["library"]:
        return Built(done.outputs["library"], tuple(found), line_table(done.outputs["lines"].decode()))
    if any(d.severity == "error" for d in found):
        return Built(b"", tuple(found))
    if unclosed := _unclosed(unfit):
        return Built(b"", (*unclosed, *found))
    if exercise is not None and exercise.form == "function" and unfit:
        return _does_not_fit(unfit, found, exercise)
    found += diagnostics.linker_messages(stderr) or _unexplained(done, everything, source)
    return Built(b"", tuple(found))


def _unclosed(unfit: list[dict[str, Any]]) -> list[Diagnostic]:
    """Braces of the learner's file that swallow the adapter: missed at its end, but to be mended where they open."""
    return diagnostics.in_learner_file([m for m in unfit if "at end of input" in str(m.get("message"))])


def _does_not_fit(unfit: list[dict[str, Any]], found: list[Diagnostic], exercise: Exercise) -> Built:
    """The learner's file is in order, but the adapter cannot call its function: there is none, or it differs."""
    missing = any("was not declared" in str(message.get("message")) for message in unfit)
    expected = signature(exercise, "cpp")
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
