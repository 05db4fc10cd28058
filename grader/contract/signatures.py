"""The function that a learner writes for an exercise, as declared in each language."""

from grader.contract.exercise_types import Argument, Exercise
from grader.contract.job import Language

_ELEMENTS = {
    "float64": "double",
    "float32": "float",
    "float16": "__half",
    "bfloat16": "__nv_bfloat16",
    "int64": "int64_t",
    "int32": "int32_t",
    "int8": "int8_t",
    "uint8": "uint8_t",
}


def cpp_type(argument: Argument) -> str:
    """The argument's type as the learner writes it, e.g. ``const float *``."""
    if argument.kind == "handle":
        return "cudnnHandle_t"
    if argument.kind == "scalar":
        return argument.type
    element = f"{_ELEMENTS[argument.dtype]} *"
    return element if argument.writes else f"const {element}"


def _cpp_argument(argument: Argument) -> str:
    type_ = cpp_type(argument)
    return f"{type_}{'' if type_.endswith('*') else ' '}{argument.name}"


def signature(exercise: Exercise, language: Language) -> str:
    """On one line: ``void scale(cudnnHandle_t handle, const float *x)``, ``def scale(handle, x)``."""
    if language == "cpp":
        return f"void {exercise.function}({', '.join(map(_cpp_argument, exercise.arguments))})"
    return f"def {exercise.function}({', '.join(argument.name for argument in exercise.arguments)})"
