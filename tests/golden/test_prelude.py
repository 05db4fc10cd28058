"""The precompiled prelude spares each compilation what <string> would have it instantiate."""

import subprocess
from pathlib import Path

from grader.backends import find_backend
from grader.runners import toolchain
from grader.workshop import Workshop


def instantiated(directory: Path, prelude: str) -> list[str]:
    """Functions that the compiler makes of a program that only includes this prelude, precompiled."""
    directory.mkdir()
    tools = Workshop().tools(find_backend("simulated"))
    (directory / "prelude.hpp").write_text(prelude)
    (directory / "empty.cpp").write_text('#include "prelude.hpp"\n')
    header = ["-x", "c++-header", "prelude.hpp"]
    program = ["-Winvalid-pch", "-Werror", "-fdump-tree-original=dump", "-c", "empty.cpp"]
    for words in (header, program):
        subprocess.run([tools.compiler, *toolchain.FLAGS, *words], cwd=directory, check=True)
    return [line for line in (directory / "dump").read_text().splitlines() if line.startswith(";; Function")]


def test_strings_are_instantiated_ahead(tmp_path: Path) -> None:
    includes = "#include <stdexcept>\n#include <string>\n"
    before = instantiated(tmp_path / "before", includes)
    after = instantiated(tmp_path / "after", includes + toolchain.STRINGS.read_text())
    assert len(after) < len(before) / 2
    assert any("basic_string" in line and "char16_t" in line for line in before)
    assert not any("basic_string(" in line and "char16_t" in line for line in after)
