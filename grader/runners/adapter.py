"""C++ that stands between the harness and the learner's function: one entry point that unpacks an array of pointers."""

from grader.contract.exercise import Argument, Exercise

ENTRY = "fp_entry"
FILE = "adapter"
"""Name under which the compiler knows the generated lines."""
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


def signature(exercise: Exercise) -> str:
    """The declaration that the learner's file must define, on one line."""
    parts = [cpp_type(argument) + ("" if cpp_type(argument).endswith("*") else " ") + argument.name
             for argument in exercise.arguments]  # fmt: skip
    return f"void {exercise.function}({', '.join(parts)})"


def unit(exercise: Exercise | None) -> str:
    """The translation unit: prelude (precompiled), the learner's file as it is, then the adapter. None: a program."""
    lines = ['#include "prelude.hpp"', '#include "solution.cpp"']
    if exercise is not None and exercise.form == "function":
        loads = [f"*static_cast<{cpp_type(argument)} *>(fp_arguments[{i}])"
                 for i, argument in enumerate(exercise.arguments)]  # fmt: skip
        lines += [
            f'#line 1 "{FILE}"',
            f'extern "C" __attribute__((visibility("default"))) void {ENTRY}(void **fp_arguments) {{',
            f"{exercise.function}({', '.join(loads)});",
            "}",
        ]
    return "\n".join(lines) + "\n"
