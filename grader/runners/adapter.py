"""C++ that stands between the harness and the learner's function: one entry point that unpacks an array of pointers."""

from grader.contract.exercise_types import Exercise
from grader.contract.signatures import cpp_type

ENTRY = "fp_entry"
FILE = "adapter"
"""Name under which the compiler knows the generated lines."""


def text(exercise: Exercise | None) -> str:
    """The lines that follow the learner's file in its translation unit; none for a program (None, or by its form)."""
    if exercise is None or exercise.form != "function":
        return ""
    loads = [f"*static_cast<{cpp_type(argument)} *>(fp_arguments[{i}])"
             for i, argument in enumerate(exercise.arguments)]  # fmt: skip
    lines = [
        f'#line 1 "{FILE}"',
        f'extern "C" __attribute__((visibility("default"))) void {ENTRY}(void **fp_arguments) {{',
        f"{exercise.function}({', '.join(loads)});",
        "}",
    ]
    return "\n".join(lines) + "\n"
