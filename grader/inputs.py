"""Fresh random inputs of a case, made outside the sandbox from a recorded seed."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.arrays import INTEGERS, encode, unwritten
from grader.contract.api import Api, load_api
from grader.contract.data_files import DataFill
from grader.contract.exercise_types import SCALAR_TYPES, Argument, Case, Exercise
from grader.contract.expressions import evaluate


class CaseInputs:
    """Everything that one call of the learner's function is given.

    values: parameters and derived sizes. arrays: start values in storage form, outputs unwritten. scalars: as text.
    """

    def __init__(self, exercise: Exercise, case: Case, seed: int) -> None:
        self.case = case
        self.folder = exercise.folder
        self.seed = seed
        self.values: dict[str, Any] = exercise.values(case)
        generator = np.random.default_rng(case_seed(seed, case.name))
        self.arrays: dict[str, NDArray[np.generic]] = {}
        self.scalars: dict[str, str] = {}
        for argument in exercise.arguments:
            if argument.kind == "scalar":
                self.scalars[argument.name] = scalar_text(argument, self.values)
            elif argument.is_array:
                self.arrays[argument.name] = self._array(argument, generator)

    def _array(self, argument: Argument, generator: np.random.Generator) -> NDArray[np.generic]:
        shape = Exercise.shape(argument, self.values)
        if not argument.reads:
            return unwritten(shape, argument.dtype)
        if argument.data:
            return encode(self._from_file(argument.data, shape), argument.dtype)
        return encode(fill(argument, shape, self.values, generator), argument.dtype)

    def _from_file(self, data: DataFill, shape: tuple[int, ...]) -> NDArray[np.float64]:
        with np.load(self.folder / data.file, allow_pickle=False) as arrays:
            values = np.asarray(arrays[data.array], np.float64)
        if data.draw:
            rows = np.random.default_rng(case_seed(self.seed, f"{self.case.name}/rows")).permutation(len(values))
            values = values[rows[: shape[0]]]
        return values.reshape(shape)


def case_seed(seed: int, name: str) -> list[int]:
    """Seed words of a case: the same name and seed give the same inputs, whatever the order of the cases."""
    digest = hashlib.sha256(name.encode()).digest()
    return [seed, int.from_bytes(digest[:8], "little")]


def fill(
    argument: Argument, shape: tuple[int, ...], values: dict[str, Any], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Start values as float64, not yet rounded to the element type. Raises ExpressionError for a broken expression."""
    kind = argument.fill
    if argument.dtype in INTEGERS and kind in ("normal", "uniform"):
        kind = "small_int"
    if kind == "normal":
        return generator.standard_normal(shape)
    if kind == "uniform":
        return generator.uniform(-1.0, 1.0, shape)
    if kind == "small_int":
        return generator.integers(-4, 5, shape).astype(np.float64)
    if kind == "arange":
        return np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    if kind in ("ones", "zeros"):
        return np.full(shape, float(kind == "ones"))
    names = {**values, "shape": shape}
    made = evaluate(kind, names, {"np": np, "rng": generator})
    return np.array(np.broadcast_to(np.asarray(made, np.float64), shape))


def scalar_text(argument: Argument, values: dict[str, Any]) -> str:
    """The scalar as it goes to the sandbox: a number, or ``NAME=number`` for an enumerator."""
    value = evaluate(argument.value, {**values, **_enumerators(argument)})
    if argument.type not in SCALAR_TYPES:
        return _enumerator_text(argument, value)
    if argument.type in ("float", "double"):
        return repr(float(value))
    return str(int(value))


def _enum(argument: Argument, api: Api) -> dict[str, int]:
    enum = api.enums.get(argument.type)
    return {value.name: value.value for value in enum.values} if enum else {}


def _enumerators(argument: Argument) -> dict[str, str]:
    if argument.type in SCALAR_TYPES:
        return {}
    return {name: name for name in _enum(argument, load_api())}


def _enumerator_text(argument: Argument, value: Any) -> str:
    known = _enum(argument, load_api())
    if isinstance(value, str) and value in known:
        return f"{value}={known[value]}"
    if isinstance(value, int):
        name = next((name for name, number in known.items() if number == value), "unnamed")
        return f"{name}={value}"
    raise ValueError(f"argument {argument.name!r}: {argument.type} has no {value!r}")
