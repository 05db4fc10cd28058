"""Building submissions: adapter, diagnostics, line table, cache, Python checks."""

import json
from pathlib import Path

import pytest

from grader.contract.exercise_types import Argument, Case, Exercise
from grader.contract.signatures import signature
from grader.contract.verdict import Diagnostic
from grader.inside.python_check import check
from grader.runners import adapter, cpp, diagnostics, python, toolchain
from grader.runners.base import Built, LineTable, ToolRun
from grader.runners.cache import BuildCache

ARGUMENTS = (
    Argument("handle", "handle"),
    Argument("x", "input", "float16", ("N",)),
    Argument("y", "output", "bfloat16", ("N",)),
    Argument("counts", "host_output", "int64", ("N",)),
    Argument("table", "host_input", "int8", ("N",)),
    Argument("mode", "scalar", type="cudnnConvolutionMode_t", value="m"),
)
EXERCISE = Exercise("e", Path(), "function", {}, "", ("cpp", "python"), (Case("a", True, {}),), "f", ARGUMENTS)
SIGNATURE = (
    "void f(cudnnHandle_t handle, const __half *x, __nv_bfloat16 *y, int64_t *counts, const int8_t *table, "
    "cudnnConvolutionMode_t mode)"
)


def message(file: str, line: int, text: str, kind: str = "error", children: tuple = (), column: int = 3) -> dict:
    caret = {"file": file, "line": line, "column": column}
    finish = {"file": file, "line": line, "column": column + 4}
    return {
        "kind": kind,
        "message": text,
        "children": list(children),
        "locations": [{"caret": caret, "finish": finish}],
    }


def fake_run(status: int, messages: list, library: bytes = b"", stderr: str = "", lines: bytes = b""):
    text = json.dumps(messages) + "\n" + stderr
    runs = []

    def run(source, adapter_, _superseded) -> ToolRun:
        runs.append((source, adapter_))
        return ToolRun(status, text.encode(), {"library": library, "lines": lines})

    run.runs = runs  # type: ignore[attr-defined]
    return run


TOOLS = toolchain.Toolchain("/usr/bin/g++", "g++ 1", (), ("/fp/include/0",), "hash")


def test_signature_and_adapter() -> None:
    assert signature(EXERCISE, "cpp") == SIGNATURE
    text = adapter.text(EXERCISE)
    assert text.startswith(f'#line 1 "{adapter.FILE}"\nextern "C"')
    assert "fp_entry" in text
    assert "*static_cast<const __half * *>(fp_arguments[1])" in text
    assert adapter.text(None) == ""


def test_diagnostics_point_into_the_learners_file() -> None:
    inside = message(f"{toolchain.SOURCES_INSIDE}/solution.cpp", 4, "bad")
    template = message("/usr/include/x", 9, "deep", children=(message("solution.cpp", 7, "from here", "note"),))
    warned = {**message("solution.cpp", 5, "unused", "warning"), "option": "-Wunused"}
    found = diagnostics.in_learner_file([inside, template, warned, message("/usr/include/y", 1, "elsewhere")])
    assert found[0] == Diagnostic(4, 3, "error", "bad", 7)
    assert [(d.line, d.severity) for d in found] == [(4, "error"), (7, "error"), (7, "note"), (5, "warning")]
    assert found[-1].message == "unused [-Wunused]"


def test_damaged_compiler_output_is_left_out() -> None:
    assert diagnostics.parse_json('[{"kind": "err\n[]\ncollect2: error\n[{"kind": "note"}]') == [{"kind": "note"}]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (fake_run(1, [message("adapter", 2, "'f' was not declared in this scope")]), "missing_function"),
        (fake_run(1, [message("adapter", 2, "cannot convert")]), "signature"),
    ],
)
def test_function_that_does_not_fit(run, expected: str) -> None:
    built = cpp.build(b"", EXERCISE, TOOLS, run)
    assert built.code == b""
    assert (built.data["problem"], built.data["expected"]) == (expected, SIGNATURE)
    assert SIGNATURE in built.diagnostics[-1].message


def test_own_errors_come_before_the_signature() -> None:
    run = fake_run(1, [message("solution.cpp", 2, "expected ';'"), message("adapter", 2, "cannot convert")])
    built = cpp.build(b"", EXERCISE, TOOLS, run)
    assert built.data == {}
    assert [d.line for d in built.diagnostics] == [2]


def test_brace_that_is_left_open_is_no_other_signature() -> None:
    opening = message("/fp/source/solution.cpp", 7, "to match this '{'", "note")
    end = message("adapter", 3, "expected '}' at end of input", children=(opening,))
    run = fake_run(1, [message("adapter", 1, "expected unqualified-id before string constant"), end])
    built = cpp.build(b"", EXERCISE, TOOLS, run)
    assert built.data == {}
    assert [(d.line, d.severity, d.message) for d in built.diagnostics] == [
        (7, "error", "expected '}' at end of input"),
        (7, "note", "to match this '{'"),
    ]


def test_undefined_references_are_listed_once() -> None:
    stderr = "ld: solution.cpp:(.text+0x1): undefined reference to `g()'\nld: x: undefined reference to `g()'\n"
    built = cpp.build(b"", EXERCISE, TOOLS, fake_run(1, [], stderr=stderr))
    assert [d.message for d in built.diagnostics] == ["undefined reference to 'g()'"]


def test_failure_without_a_message_is_still_explained() -> None:
    built = cpp.build(b"a\nb\n", EXERCISE, TOOLS, fake_run(1, [], stderr="killed"))
    assert "killed" in built.diagnostics[0].message
    unclosed = cpp.build(b"a\nb\n", EXERCISE, TOOLS, fake_run(1, [message(cpp.UNIT, 9, "expected '}'")]))
    assert (unclosed.diagnostics[0].line, unclosed.diagnostics[0].message) == (3, "expected '}'")


LISTING = """
File name                            Line number    Starting address    View    Stmt
solution.cpp                                   4              0x1199               x
stl_vector.h                                1904              0x11b5               x
solution.cpp                                  10              0x124e               x
solution.cpp                                   -              0x1300
"""


def test_line_table() -> None:
    table = cpp.line_table(LISTING)
    assert [table.line(a) for a in (0x1000, 0x119A, 0x11B5, 0x11C0, 0x124F, 0x1301)] == [0, 4, 4, 0, 10, 0]


def test_cache_gives_back_what_was_built(tmp_path: Path) -> None:
    run, cache = fake_run(0, [], b"\x7fELF", lines=LISTING.encode()), BuildCache(tmp_path / "builds")
    first = cpp.build(b"x", EXERCISE, TOOLS, run, cache)
    again = cpp.build(b"x", EXERCISE, TOOLS, run, cache)
    assert (first.cached, again.cached) == (False, True)
    assert (again.code, again.lines) == (b"\x7fELF", first.lines)
    assert len(run.runs) == 1
    cpp.build(b"y", EXERCISE, TOOLS, run, cache)
    other = toolchain.Toolchain("/usr/bin/g++", "g++ 2", (), ("/fp/include/0",), "hash")
    cpp.build(b"x", EXERCISE, other, run, cache)
    cpp.build(b"x", None, TOOLS, run, cache)
    assert len(run.runs) == 4


def test_damaged_cache_entry_is_built_again(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path)
    cache.put("k", Built(b"code", (Diagnostic(1, 2, "warning", "w"),), LineTable((1,), (2,)), {"a": 1}))
    assert cache.get("k") == Built(b"code", (Diagnostic(1, 2, "warning", "w"),), LineTable((1,), (2,)), {"a": 1})
    (tmp_path / "k").write_bytes((tmp_path / "k").read_bytes()[:20])
    assert cache.get("k") is None
    assert cache.get("other") is None


def test_full_disk_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    BuildCache(tmp_path / "file" / "below").put("k", Built(b"code"))


def test_toolchain_key_follows_the_headers(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#define A 1")
    first = toolchain.find([tmp_path], ["/i"], []).key
    assert toolchain.find([tmp_path], ["/i"], []).key == first
    (tmp_path / "a.h").write_text("#define A 22")
    assert toolchain.find([tmp_path], ["/i"], []).key != first
    assert toolchain.find([tmp_path], ["/i"], ["-lother"]).key not in (first,)


def checked(source: bytes | str, exercise: Exercise | None = EXERCISE) -> Built:
    """As `python.build`, with the check made here instead of in a sandbox."""
    text = source.decode("utf-8", "surrogateescape") if isinstance(source, bytes) else source
    return python.build(
        text.encode("utf-8", "surrogateescape"), exercise, lambda f, n: json.dumps(check(text, f, n)).encode()
    )


PYTHON_SIGNATURE = "def f(handle, x, y, counts, table, mode)"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("def f(handle, x, y, counts, table, mode): pass", ""),
        ("def f(*arguments): pass", ""),
        ("def f(a, b, c, d, e, g, h=1): pass", ""),
        ("def f(a): pass", "signature"),
        ("def f(a, b, c, d, e, g, h): pass", "signature"),
        ("def f(a, b, c, d, e, g, *, key): pass", "signature"),
        ("@decorated\ndef f(a): pass", ""),
        ("f = lambda *a: None", ""),
        ("from numpy import *", ""),
        ("import numpy as f", ""),
        ("if True:\n    def f(a): pass", ""),
        ("def g(): pass", "missing_function"),
        ("", "missing_function"),
    ],
)
def test_python_function(source: str, problem: str) -> None:
    built = checked(source)
    assert built.data.get("problem", "") == problem
    assert (built.data == {}) is (problem == "")
    if problem:
        assert built.data["expected"] == PYTHON_SIGNATURE


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = (\n", 1),
        ("a\n  b\n", 2),
        ("x = 1\0", 0),
        ("(" * 5000, 1),
        ("x = $", 1),
        ("return", 1),
        ("-" * 99999 + "1", 0),
    ],
)
def test_python_that_does_not_parse(source: str, line: int) -> None:
    built = checked(source, None)
    assert built.code == b""
    assert [(d.severity, d.line) for d in built.diagnostics] == [("error", line)]


def test_python_warnings_are_shown() -> None:
    built = checked("x = 1\nif x is 2: pass\n", None)
    assert (built.diagnostics[0].severity, built.diagnostics[0].line) == ("warning", 2)
    assert built.code


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b"{}",
        b'{"diagnostics": [[1]], "problem": "", "line": 0}',
        b'{"diagnostics": [[1, 1, 1, "fatal", "x"]], "problem": "", "line": 0}',
        b'{"diagnostics": [], "problem": "fine", "line": 0}',
        b'{"diagnostics": [], "problem": "", "line": "x"}',
    ],
)
def test_check_that_was_tampered_with_is_not_believed(answer: bytes) -> None:
    with pytest.raises(ValueError):
        python.build(b"", EXERCISE, lambda *_: answer)


@pytest.mark.parametrize(
    "stderr",
    [
        "mold: fatal: library not found: fp_recorder\ncollect2: error: ld returned 1 exit status",
        "mold: fatal: /fp/lib/libfp_recorder.so: e_shoff or e_shnum corrupted: 1000 40",
        "/usr/bin/ld: cannot find -lfp_recorder: No such file or directory",
        "/usr/bin/ld: error: /fp/lib/libfp_recorder.so: file too short",
        "mold: error: undefined symbol: cudnnConvolutionForward\n>>> referenced by solution.cpp",
        "/usr/bin/ld: a.cpp:(.text+0x22): undefined reference to `cudnnCreate'",
    ],
)
def test_a_library_of_ours_that_cannot_be_linked_is_no_compile_error(stderr: str, tmp_path: Path) -> None:
    cache = BuildCache(tmp_path)
    with pytest.raises(toolchain.ToolchainError, match="compiler or linker"):
        cpp.build(b"x", EXERCISE, TOOLS, fake_run(1, [], stderr=stderr), cache)
    assert not list(tmp_path.iterdir())


def test_a_stale_precompiled_header_is_no_compile_error() -> None:
    stale = {**message(cpp.UNIT, 1, "prelude.hpp.gch: not used"), "option": "-Werror=invalid-pch"}
    with pytest.raises(toolchain.ToolchainError):
        cpp.build(b"", EXERCISE, TOOLS, fake_run(1, [stale]))


@pytest.mark.parametrize(
    "stderr", ["mold: error: undefined symbol: nowhere()", "mold: fatal: /tmp/cc1.o: odd section", "killed"]
)
def test_what_the_source_may_have_caused_stays_a_compile_error(stderr: str) -> None:
    assert cpp.build(b"", EXERCISE, TOOLS, fake_run(1, [], stderr=stderr)).diagnostics


def test_a_failure_that_is_not_explained_is_not_kept(tmp_path: Path) -> None:
    cpp.build(b"", EXERCISE, TOOLS, fake_run(1, [], stderr="killed"), BuildCache(tmp_path))
    assert not list(tmp_path.iterdir())
    cpp.build(b"", EXERCISE, TOOLS, fake_run(1, [message("solution.cpp", 2, "bad")]), BuildCache(tmp_path))
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("source", "tier"),
    [
        ("", "plain"),
        ("#include <cudnn.h>\n#include <cstdio>\n", "plain"),
        ('  #  include "cuda_runtime.h"\n#include <vector>\n', "small"),
        ("#include <string>\n#include <stdexcept>\n#include <cudnn.h>", "small"),
        ("#include <cudnn.h>\n#include <iostream>\n", "full"),
        ("#include <no-such-header>\n", "full"),
        ("#include MACRO\n", "plain"),
    ],
)
def test_tier_has_what_the_source_includes(source: str, tier: str) -> None:
    assert toolchain.fitting_tier(source.encode()) == tier


def test_strings_are_instantiated_where_the_prelude_has_them() -> None:
    ends = {tier: toolchain.prelude_text(tier).endswith(toolchain.STRINGS.read_text()) for tier in toolchain.TIERS}
    assert ends == {"plain": False, "small": True, "full": True}


def test_linker_is_called_as_the_driver_would_but_without_its_plugin() -> None:
    words = toolchain.find([], [], ["-L/fp/lib", "-lfp_recorder"]).linker
    assert Path(words[0]).name in ("mold", "ld")
    assert {"-shared", "defs", toolchain.OBJECT, toolchain.LIBRARY, "-lfp_recorder", "-lstdc++"} <= set(words)
    assert not [word for word in words if "plugin" in word or word.startswith("-fuse-ld")]


def test_tiers_are_parts_of_the_whole_prelude() -> None:
    lines = {tier: set(toolchain.prelude_text(tier).splitlines()) for tier in toolchain.TIERS}
    assert lines["plain"] < lines["small"] < lines["full"]
    assert "#include <cudnn.h>" in lines["plain"]


def test_damaged_build_of_elsewhere_is_built_here(tmp_path: Path) -> None:
    """That a file is there stops a compilation; what cannot be read is gone at the next look."""
    cache, whole = BuildCache(tmp_path), fake_run(0, [], b"\x7fELF")
    cpp.build(b"x", EXERCISE, TOOLS, whole, cache)
    (entry,) = tmp_path.iterdir()
    entry.unlink()

    def superseded_at_first(source, adapter_, superseded) -> ToolRun | None:
        assert not superseded()
        if whole.runs[1:]:
            return whole(source, adapter_, superseded)
        whole.runs.append((source, adapter_))
        entry.write_bytes(b"half")
        return None if superseded() else pytest.fail("a build that came from elsewhere was not seen")

    assert cpp.build(b"x", EXERCISE, TOOLS, superseded_at_first, cache).code == b"\x7fELF"
    assert len(whole.runs) == 3
