"""Reads the `arguments:` of an exercise's function."""

import re
from dataclasses import replace
from typing import cast

from grader.contract.data_files import DataFill
from grader.contract.exercise_types import DTYPES, FILLS, KINDS, SCALAR_TYPES, Argument, Kind
from grader.contract.expressions import ExpressionError, names_in
from grader.contract.marked_yaml import Section

_FILE = re.compile(r"^[\w-]+\.npz$")
_ENUM = re.compile(r"^cu[A-Za-z0-9]*_t$")


def read_arguments(function: Section) -> tuple[Argument, ...]:
    """Arguments in order; problems are noted in the document."""
    arguments: list[Argument] = []
    for section in function.sections("arguments", required=True):
        argument = _argument(section)
        if any(known.name == argument.name for known in arguments):
            section.problem("name", f"two arguments are called {argument.name!r}", "give each its own name")
        arguments.append(argument)
    if arguments and not any(argument.writes for argument in arguments):
        mend = "add an argument of kind output, inout or host_output"
        function.problem("arguments", "the function has no output to compare", mend)
    return tuple(arguments)


def _argument(section: Section) -> Argument:
    name = section.text("name", required=True)
    if section.has("name") and not name.isidentifier():
        section.problem("name", f"{name!r} is not an argument name", "use letters, digits and underscores")
    kind = cast(Kind, section.choice("kind", KINDS, "input", required=True))
    if kind == "handle":
        section.only("name", "kind")
        return Argument(name, kind)
    return _scalar(section, name) if kind == "scalar" else _array(section, name, kind)


def _scalar(section: Section, name: str) -> Argument:
    section.only("name", "kind", "type", "value")
    type_ = section.text("type", required=True)
    if section.has("type") and type_ not in SCALAR_TYPES and not _ENUM.match(type_):
        mend = f"use one of {', '.join(SCALAR_TYPES)}, or an enum such as cudnnConvolutionMode_t"
        section.problem("type", f"unknown scalar type {type_!r}", mend)
    if not section.has("value"):
        section.problem(None, f"scalar {name!r} has no value", "add `value:` with a parameter or an expression")
    return Argument(name, "scalar", type=type_, value=expression(section, "value", section.data.get("value", 0)))


def _array(section: Section, name: str, kind: Kind) -> Argument:
    section.only("name", "kind", "dtype", "shape", "fill")
    dtype = section.choice("dtype", DTYPES, "float32", required=True)
    shape = section.data.get("shape")
    if not isinstance(shape, list) or not shape:
        section.problem("shape", f"array {name!r} needs a shape", "add `shape: [N, C, H, W]`")
        shape = []
    sizes = tuple(expression(section, "shape", text) for text in shape)
    argument = Argument(name, kind, dtype, sizes)
    if section.has("fill") and not argument.reads:
        section.problem("fill", f"{kind} {name!r} is pre-filled with NaN", "remove `fill:`, or use inout")
    if isinstance(section.data.get("fill"), dict):
        return replace(argument, data=_data(section.section("fill")))
    argument = replace(argument, fill=section.text("fill", "normal"))
    if argument.fill not in FILLS:
        expression(section, "fill", argument.fill)
    return argument


def _data(section: Section | None) -> DataFill | None:
    if section is None:
        return None
    section.only("file", "array", "draw")
    file = section.text("file", required=True)
    if file and not _FILE.match(file):
        section.problem("file", f"{file!r} is not the name of an .npz file in this folder", "write `file: data.npz`")
    return DataFill(file, section.text("array", required=True), section.truth("draw"))


def expression(section: Section, key: str, text: object) -> str:
    """`text`, which stands under `key`, as an expression; "1", and a noted problem, where it does not parse."""
    try:
        names_in(str(text))
    except ExpressionError as error:
        section.problem(key, str(error), "write arithmetic over parameter names: + - * // % min max")
        return "1"
    return str(text)
