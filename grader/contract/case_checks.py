"""Evaluates every expression of an exercise for every case, so that no submission meets a broken one."""

from pathlib import Path
from typing import Any

from grader.contract.api import load_api
from grader.contract.data_files import DataFill, array_shapes
from grader.contract.exercise_types import SCALAR_TYPES, Argument, Case, Exercise, positive_size
from grader.contract.expressions import ExpressionError, evaluate, names_in
from grader.contract.marked_yaml import Document, Section

_MEND = "mend the parameters or the expression"


def check_cases(exercise: Exercise, document: Document) -> None:
    """Notes a problem, at the case's line, for whatever cannot be computed."""
    for i, case in enumerate(exercise.cases):
        checker = _CaseChecker(case, Section(document, ("cases", i)), exercise.folder)
        for name, expression in exercise.derived.items():
            checker.values[name] = checker.value(f"derived {name!r}", expression)
        if exercise.accumulate:
            checker.value("accumulate", exercise.accumulate)
        if exercise.uses.workspace_bytes:
            checker.value("workspace_bytes", exercise.uses.workspace_bytes)
        for demand in exercise.uses.cases:
            checker.value("uses.cases", demand.when)
        for argument in exercise.arguments:
            checker.argument(argument)
        for line in exercise.program.stdout or ():
            checker.line(line)


class _CaseChecker:
    def __init__(self, case: Case, section: Section, folder: Path) -> None:
        self.case = case
        self.folder = folder
        self.section = section
        self.values: dict[str, Any] = dict(case.parameters)

    def problem(self, message: str, mend: str) -> None:
        self.section.problem("parameters", f"case {self.case.name!r} {message}", mend)

    def value(self, what: str, expression: str, known: dict[str, Any] | None = None) -> Any:
        """Its value; 1 where there is none, which has been noted."""
        values = {**(known or {}), **self.values}
        if missing := names_in(expression) - set(values):
            name = sorted(missing)[0]
            self.problem(f"lacks the parameter {name!r} ({what})", f"add `{name}:` to its parameters or to `derived:`")
            return 1
        try:
            return evaluate(expression, values)
        except ExpressionError as error:
            self.problem(f"cannot give {what}: {error}", _MEND)
            return 1

    def argument(self, argument: Argument) -> None:
        if argument.kind == "scalar":
            self._scalar(argument)
        sizes = [self.value(f"shape of {argument.name!r}", text) for text in argument.shape]
        for text, size in zip(argument.shape, sizes, strict=True):
            try:
                positive_size("size", {"size": size})
            except ExpressionError:
                message = (
                    f"cannot give the shape of {argument.name!r}: {text!r} is {size!r}, not an integer of at least 1"
                )
                self.problem(message, _MEND)
        if argument.data and all(type(size) is int for size in sizes):
            self._data(argument.name, argument.data, tuple(sizes))

    def _data(self, name: str, data: DataFill, shape: tuple[int, ...]) -> None:
        """The file must have the array, and the array the argument's shape; drawn rows may be fewer."""
        try:
            shapes = array_shapes(self.folder / data.file)
        except (OSError, ValueError) as error:
            self.problem(f"cannot fill {name!r} from {data.file}: {error}", "put the .npz file into this folder")
            return
        if data.array not in shapes:
            self.problem(f"finds no array {data.array!r} in {data.file}", f"use one of: {', '.join(sorted(shapes))}")
            return
        found = shapes[data.array]
        rows = shape[0] <= found[0] if data.draw and found else shape[:1] == found[:1]
        if not rows or shape[1:] != found[1:]:
            message = f"fills {name!r} of shape {shape} from {data.array!r} of shape {found}"
            self.problem(message, "give the same shape, or with `draw: true` at most as many rows")

    def _scalar(self, argument: Argument) -> None:
        if argument.type in SCALAR_TYPES:
            value = self.value(f"scalar {argument.name!r}", argument.value)
            if isinstance(value, str):
                self.problem(f"gives scalar {argument.name!r} the text {value!r}", "give a number")
            return
        enum = load_api().enums.get(argument.type)
        names = {value.name for value in enum.values} if enum else set()
        value = self.value(f"scalar {argument.name!r}", argument.value, {name: name for name in names})
        if enum is None:
            self.problem(f"needs the unknown enum {argument.type!r}", "use an enum of the API table")
        elif isinstance(value, str) and value not in names:
            self.problem(f"asks for {value!r}: {argument.type} has no enumerator {value!r}", "check its spelling")

    def line(self, line: str) -> None:
        try:
            line.format(**self.values)
        except (KeyError, IndexError, ValueError) as error:
            self.problem(f"cannot fill in {line!r}: {error!r}", "use names of parameters or derived values in braces")
