"""What an exercise declares, as plain frozen dataclasses. `exercise.py` reads them from a folder."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from grader.contract.codes import Code
from grader.contract.data_files import DataFill
from grader.contract.expressions import ExpressionError, evaluate
from grader.contract.job import Language

SLUG = re.compile(r"^[a-z0-9][a-z0-9-]*$")
"""Names of exercises, lessons and terms, as they stand in addresses."""
Kind = Literal["handle", "input", "inout", "output", "host_input", "host_output", "scalar"]
Form = Literal["function", "program"]
ExerciseKind = Literal["exercise", "clinic", "challenge"]
"""clinic: a broken program to mend, met by its symptom; challenge: correctness first, then time on a real GPU."""
Value = int | float | str

EXERCISE_KINDS: tuple[ExerciseKind, ...] = ("exercise", "clinic", "challenge")
DIFFICULTIES = (1, 2, 3)
KINDS: tuple[Kind, ...] = ("handle", "input", "inout", "output", "host_input", "host_output", "scalar")
DTYPES = (
    "float64",
    "float32",
    "float16",
    "bfloat16",
    "int64",
    "int32",
    "int8",
    "uint8",
)
SCALAR_TYPES = ("int", "float", "double", "size_t", "int64_t", "bool")
"""Scalar types beside these are names of cuDNN or CUDA enums, e.g. ``cudnnConvolutionMode_t``."""
FILLS = ("normal", "uniform", "ones", "zeros", "arange", "small_int")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|yours - expected| ≤ atol + rtol·|expected| for every element."""

    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the learner's function. dtype, shape and fill are empty for handles and scalars."""

    name: str
    kind: Kind
    dtype: str = ""
    shape: tuple[str, ...] = ()
    fill: str = "normal"
    type: str = ""
    value: str = ""
    data: DataFill | None = None
    """Start values from a file of the exercise; `fill` does not count then."""

    @property
    def is_array(self) -> bool:
        return self.kind not in ("handle", "scalar")

    @property
    def reads(self) -> bool:
        """Whether the learner is given a start value."""
        return self.kind in ("input", "inout", "host_input")

    @property
    def writes(self) -> bool:
        """Whether it is compared afterwards."""
        return self.kind in ("inout", "output", "host_output")


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    shown: bool
    parameters: dict[str, Value]
    tolerance: Tolerance | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """wall_s: for running all cases together; compile_s: wall time of one compilation; output_kib: printed text."""

    wall_s: float = 10.0
    compile_s: float = 30.0
    memory_mib: int = 2048
    output_kib: int = 64


TIMED = "timed-runs"
"""Name of the case that stands for all timed runs in a verdict."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Calls of one case that are timed, after all cases were right. warmup: calls before them that do not count."""

    case: str
    runs: int = 20
    warmup: int = 3


@dataclass(frozen=True, slots=True)
class CaseUses:
    """Rule codes and function names that only some cases demand. when: expression over a case's values."""

    when: str
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """Rule codes (lower_case) and function names on the call trace; `forbidden` also holds source tokens."""

    required: tuple[str, ...] = ()
    advised: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    workspace_kib: int | None = None
    """Most that any call may be given as workspace, in KiB; None: as much as it likes."""
    workspace_bytes: str = ""
    """The same for each case, in bytes: an expression over its values; "" where not given."""
    data_types: tuple[str, ...] = ()
    """Types of which some tensor or filter must be computed with, as the trace names them: INT8, BFLOAT16."""
    cases: tuple[CaseUses, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """How a whole program's output is judged. stdout: format lines over a case's values; None: not by lines."""

    stdout: tuple[str, ...] | None = None
    compare: Literal["exact", "tokens", "numbers"] = "exact"


@dataclass(frozen=True, slots=True)
class Sample:
    """A program in solutions/, with the verdict that it must get."""

    path: Path
    language: Language
    code: Code
    rule: str = ""
    case: str = ""
    pattern: str = ""
    why: str = ""
    on_gpu: Code | None = None
    """What it must get on a real GPU, where that differs: nothing there notices a write behind an array, for one."""


@dataclass(frozen=True, slots=True)
class Exercise:
    slug: str
    folder: Path
    form: Form
    title: dict[str, str]
    lesson: str
    languages: tuple[Language, ...]
    cases: tuple[Case, ...]
    function: str = ""
    arguments: tuple[Argument, ...] = ()
    derived: dict[str, str] = field(default_factory=dict)
    tolerance: Tolerance | None = None
    accumulate: str = ""
    """Expression for the number of products summed into one output element; "" where not given."""
    limits: Limits = Limits()
    timing: Timing | None = None
    uses: Uses = Uses()
    program: ProgramOutput = ProgramOutput()
    prompts: dict[str, str] = field(default_factory=dict)
    """Markdown by interface language, ko and en."""
    hints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Rungs by interface language."""
    starters: dict[Language, str] = field(default_factory=dict)
    samples: tuple[Sample, ...] = ()
    kind: ExerciseKind = "exercise"
    difficulty: int = 1
    """From 1 to 3; told to readers for clinic cases and challenges."""
    symptom: dict[str, str] = field(default_factory=dict)
    """Of a clinic case: what one sees, in inline Markdown by interface language; empty otherwise."""
    explanations: dict[str, str] = field(default_factory=dict)
    """Of a clinic case: Markdown shown once it is solved, by interface language; empty otherwise."""

    def values(self, case: Case) -> dict[str, Value]:
        """Parameters of the case and everything derived from them. Raises ExpressionError."""
        values: dict[str, Value] = dict(case.parameters)
        for name, expression in self.derived.items():
            values[name] = evaluate(expression, values)
        return values

    @staticmethod
    def shape(argument: Argument, values: dict[str, Any]) -> tuple[int, ...]:
        """Sizes of an array argument. Raises ExpressionError for anything that is not a positive integer."""
        return tuple(positive_size(text, values) for text in argument.shape)


def positive_size(text: str, values: dict[str, Any]) -> int:
    """One size of a shape. Raises ExpressionError, also where it is not an integer of at least 1."""
    size = evaluate(text, values)
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise ExpressionError(f"size {text!r} is {size!r}; a size must be an integer of at least 1")
    return size
