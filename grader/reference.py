"""Loads an exercise's reference.py: the float64 answers, computed outside the sandbox by code that authors write."""

import functools
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.arrays import decode
from grader.contract.exercise_types import Exercise
from grader.contract.problems import ContentError, Problem
from grader.inputs import CaseInputs

Floats = NDArray[np.float64]


@functools.lru_cache(maxsize=256)
def _load(path: Path, _modified: int) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"reference_{path.parent.name.replace('-', '_')}", path)
    if spec is None or spec.loader is None:
        raise ContentError([Problem(path, 0, "cannot be loaded", "check the file's name")])
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        line = getattr(error, "lineno", 0) or 0
        raise ContentError([Problem(path, line, f"fails on import: {error!r}", "run it with python")]) from error
    return module


def _function(exercise: Exercise, name: str) -> Callable[..., Any] | None:
    path = exercise.folder / "reference.py"
    if not path.is_file():
        return None
    return getattr(_load(path, path.stat().st_mtime_ns), name, None)


def _problem(exercise: Exercise, message: str, mend: str) -> ContentError:
    return ContentError([Problem(exercise.folder / "reference.py", 0, message, mend)])


def start_values(exercise: Exercise, inputs: CaseInputs) -> dict[str, Floats]:
    """Everything the learner was given, as float64, after rounding to its element type."""
    return {
        argument.name: decode(inputs.arrays[argument.name], argument.dtype)
        for argument in exercise.arguments
        if argument.reads
    }


def expected_outputs(exercise: Exercise, inputs: CaseInputs) -> dict[str, Floats]:
    """The right answer for every output. Raises ContentError where reference.py does not give it."""
    function = _function(exercise, "reference")
    if function is None:
        raise _problem(exercise, "there is no function `reference`", "add `def reference(inputs, parameters)`")
    return _checked(exercise, inputs, _call(exercise, inputs, function))


def mistakes(exercise: Exercise, inputs: CaseInputs) -> dict[str, dict[str, Floats]]:
    """Pattern code → what a common mistake gives, where reference.py defines `mistakes(inputs, parameters)`."""
    function = _function(exercise, "mistakes")
    if function is None:
        return {}
    made = _call(exercise, inputs, function)
    return {
        str(code): {name: np.asarray(a, np.float64) for name, a in outputs.items()} for code, outputs in made.items()
    }


def expected_stdout(exercise: Exercise, values: dict[str, Any]) -> str | None:
    """What a program must print; None where it is not judged by its output."""
    if exercise.program.stdout is not None:
        return "\n".join(line.format(**values) for line in exercise.program.stdout)
    function = _function(exercise, "expected_stdout")
    return None if function is None else str(function(dict(values)))


def _call(exercise: Exercise, inputs: CaseInputs, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        with np.errstate(all="ignore"):
            made = function(start_values(exercise, inputs), dict(inputs.values))
    except Exception as error:
        message = f"{function.__name__} fails for case {inputs.case.name!r}: {error!r}"
        raise _problem(exercise, message, "run it on this case's parameters") from error
    if not isinstance(made, dict):
        raise _problem(exercise, f"{function.__name__} returns no dictionary", "return {output name: array}")
    return made


def _checked(exercise: Exercise, inputs: CaseInputs, made: dict[str, Any]) -> dict[str, Floats]:
    found: dict[str, Floats] = {}
    for argument in exercise.arguments:
        if not argument.writes:
            continue
        if argument.name not in made:
            raise _problem(exercise, f"the reference gives no {argument.name!r}", "return an array for each output")
        array = np.asarray(made[argument.name], np.float64)
        shape = inputs.arrays[argument.name].shape
        if array.shape != shape:
            message = f"case {inputs.case.name!r}: {argument.name!r} has shape {array.shape}, declared {shape}"
            raise _problem(exercise, message, "mend the reference or the shape in exercise.yaml")
        found[argument.name] = array
    return found
