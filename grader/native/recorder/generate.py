"""Writes the recorder's C++ wrappers and enumerator names from the API table.

Use: ``python -m grader.native.recorder.generate DIRECTORY``. Files: generated.h, names.cpp, wrappers_<group>.cpp.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from grader.contract.api import Api, load_api
from grader.contract.api_types import Enum
from grader.native.recorder.wrapper import wrapper

PART_SIZE = 64
"""Functions a file: parts compile side by side."""


def enumeration_names(enum: Enum) -> list[tuple[int, str]]:
    """Values with their own names, aliases left out."""
    return [(e.value, e.name) for e in enum.values if not e.alias]


def prefix_length(enum: Enum) -> int:
    """Length of what all names begin with, up to and with an underscore; 0 for CUDA's names, which have none."""
    names = [e.name for e in enum.values if not e.alias]
    first, last = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first.rfind("_", 0, same) + 1 if len(names) > 1 else 0


def header(api: Api) -> str:
    declarations = "\n".join(f"extern const Enumeration {name};" for name in api.enums)
    return f'#pragma once\n\n#include "names.h"\n\nnamespace fp::names {{\n{declarations}\n}}\n'


def names_source(api: Api) -> str:
    return '#include "generated.h"\n\nnamespace fp::names {\n' + "".join(map(_names, api.enums.values())) + "}\n"


def _names(enum: Enum) -> str:
    entries = "".join(f'  {{{value}, "{name}"}},\n' for value, name in enumeration_names(enum))
    table = f"{enum.name}_values"
    return (
        f"static constexpr Enumerator {table}[] = {{\n{entries}}};\n"
        f"const Enumeration {enum.name} = {{std::begin({table}), std::end({table}), {prefix_length(enum)}}};\n"
    )


def wrapper_sources(api: Api) -> Iterable[tuple[str, str]]:
    functions = list(api.functions.values())
    for part, start in enumerate(range(0, len(functions), PART_SIZE)):
        body = "\n".join(wrapper(f, api) for f in functions[start : start + PART_SIZE])
        yield f"wrappers_{part}.cpp", f'#include "forward.h"\n\nusing namespace fp;\n\n{body}'


def write_if_changed(path: Path, text: str) -> None:
    """Leaves an equal file alone, so that make does not compile it again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(directory: Path) -> None:
    api = load_api()
    directory.mkdir(parents=True, exist_ok=True)
    write_if_changed(directory / "generated.h", header(api))
    write_if_changed(directory / "names.cpp", names_source(api))
    for name, text in wrapper_sources(api):
        write_if_changed(directory / name, text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
