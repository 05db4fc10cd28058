"""Raw outputs of one case → its result. Runs outside the sandbox, where the expected values are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.arrays import decode, from_bytes, unwritten
from grader.backends.base import Backend
from grader.checkers.axes import axes_of
from grader.checkers.numeric import compare, problem, ratios
from grader.checkers.stdout import compare_stdout
from grader.checkers.tolerance import default_tolerance, widest
from grader.contract.codes import Code
from grader.contract.exercise_types import Argument, Case, Exercise, Tolerance
from grader.contract.expressions import evaluate
from grader.contract.verdict import CaseResult, Comparison
from grader.inputs import CaseInputs
from grader.reference import expected_outputs, expected_stdout, mistakes
from grader.session import RawOutput, RawResult

Floats = NDArray[np.float64]


def tolerance_for(exercise: Exercise, case: Case, argument: Argument, values: dict[str, Any], tf32: bool) -> Tolerance:
    """The case's tolerance, else the exercise's, else the type's. On Tensor Cores never less than TF32 allows."""
    length = int(evaluate(exercise.accumulate, values)) if exercise.accumulate else None
    default = default_tolerance(argument.dtype, length, tf32=tf32)
    declared = case.tolerance or exercise.tolerance
    if declared is None:
        return default
    return widest(declared, default) if tf32 and argument.dtype == "float32" else declared


def judge_outputs(exercise: Exercise, inputs: CaseInputs, raw: RawResult, backend: Backend) -> list[Comparison]:
    """One comparison for each output, then one for each input that was changed. Raises ContentError."""
    expected = expected_outputs(exercise, inputs)
    comparisons = [
        _judge(exercise, inputs, argument, raw.outputs.get(argument.name), expected[argument.name], backend.tf32)
        for argument in exercise.arguments
        if argument.writes
    ]
    for argument in exercise.arguments:
        if argument.name in raw.changed:
            shape = inputs.arrays[argument.name].shape
            comparisons.append(problem(argument.name, argument.dtype, shape, "changed_input", {}))
    _add_mistake(exercise, inputs, raw, comparisons)
    return comparisons


def _judge(
    exercise: Exercise, inputs: CaseInputs, argument: Argument, raw: RawOutput | None, expected: Floats, tf32: bool
) -> Comparison:
    name, dtype = argument.name, argument.dtype
    if raw is None:
        return problem(name, dtype, expected.shape, "missing", {})
    if raw.dtype != dtype:
        return problem(name, dtype, expected.shape, "dtype", {"expected": dtype, "yours": raw.dtype})
    if raw.shape != expected.shape:
        data = {"expected": list(expected.shape), "yours": list(raw.shape)} if inputs.case.shown else {}
        return problem(name, dtype, expected.shape, "shape", data)
    stored = from_bytes(raw.data, dtype, raw.shape)
    same_bits = _bits(stored) == _bits(unwritten(raw.shape, dtype)) if argument.kind != "inout" else None
    tolerance = tolerance_for(exercise, inputs.case, argument, inputs.values, tf32)
    yours = decode(stored, dtype)
    return compare(
        name,
        dtype,
        expected,
        yours,
        tolerance,
        shown=inputs.case.shown,
        untouched=same_bits,
        axes=axes_of(argument.shape),
    )


def _bits(array: NDArray[np.generic]) -> NDArray[np.generic]:
    return array.view(f"u{array.dtype.itemsize}")


def _add_mistake(exercise: Exercise, inputs: CaseInputs, raw: RawResult, comparisons: list[Comparison]) -> None:
    """Where the errors are exactly what a common mistake gives, says which."""
    wrong = [c for c in comparisons if c.bad]
    if not wrong:
        return
    for code, outputs in mistakes(exercise, inputs).items():
        if all(c.name in outputs and _equals(raw.outputs[c.name], outputs[c.name], c) for c in wrong):
            for comparison in wrong:
                comparison.pattern, comparison.pattern_data = code, {}
            return


def _equals(raw: RawOutput, other: Floats, comparison: Comparison) -> bool:
    if raw.shape != other.shape:
        return False
    yours = decode(from_bytes(raw.data, raw.dtype, raw.shape), raw.dtype)
    return bool(np.all(ratios(other, yours, Tolerance(comparison.rtol * 4, comparison.atol * 4)) <= 1.0))


def code_of(comparisons: list[Comparison]) -> Code:
    """The case's code from its comparisons."""
    if any(c.problem for c in comparisons):
        return Code.BAD_OUTPUT
    return Code.WRONG_ANSWER if any(c.bad for c in comparisons) else Code.ACCEPTED


def judge_program(exercise: Exercise, case: Case, stdout: str, result: CaseResult) -> None:
    """Fills in the code of a program that ended well, by what it printed. Raises ContentError."""
    values = exercise.values(case)
    wanted = expected_stdout(exercise, values)
    tolerance = case.tolerance or exercise.tolerance
    mismatch = compare_stdout(wanted, stdout, exercise.program.compare, tolerance) if wanted is not None else None
    if mismatch is None:
        result.code = Code.ACCEPTED
        return
    result.code = Code.WRONG_ANSWER
    result.data = {"stdout": True, "line": mismatch.line}
    if case.shown:
        result.data |= {"expected": mismatch.expected[:500], "yours": mismatch.yours[:500]}
