"""Random arguments for CPU-side cuDNN calls: mostly plausible, sometimes at or past an edge."""

import random
import re

from grader.contract.api import load_api
from grader.contract.api_types import Enum, Function, Parameter

Argument = list[object]
"""[kind, …], see execute.py."""

FUNCTIONS: dict[str, Function] = {function.name: function for function in load_api().functions.values()}
ENUMS: dict[str, Enum] = {enum.name: enum for enum in load_api().enums.values()}
SLOTS = 3
"""Descriptors of each kind that are alive during a run."""
LONGEST = 16
"""Length of every array that is passed, longer than any call may touch."""
NULL = 0.02
"""Share of pointers that are null."""
CANARY = -77
"""What outputs hold before a call, so that an untouched one is seen."""

COMMON_TYPES = [0, 0, 0, 1, 2, 3, 4, 5, 9]
DIMS = [1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32]
ODD_DIMS = [0, -1, 1, 65536, 46341, 2**31 - 1, -(2**31), 1024, 33]
RANKS = [3, 4, 4, 4, 5]
ODD_LENGTHS = [-1, 0, 1, 2, 6, 7, 8, 9, 12]
ODD_RANKS = [*ODD_LENGTHS, 2**31 - 1, -(2**31)]
ODD_REALS = [0.0, -1.0, 1e-12, 1e30, 6.0, float("nan"), float("inf"), -float("inf")]
ODD_SIZES = [0, 2**32, 2**63, 2**64 - 1]
UNSIGNED = {"unsigned", "uint32_t", "unsigned int"}


class Draw:
    """Draws arguments; `edge` is the share of unusual ones."""

    def __init__(self, rng: random.Random, edge: float = 0.15) -> None:
        self.rng, self.edge = rng, edge

    def odd(self) -> bool:
        return self.rng.random() < self.edge

    def number(self, name: str) -> int:
        """A value for an integer parameter, by what its name says."""
        if re.search(r"nbDims|arrayLength|Requested", name):
            return self.rng.choice(ODD_RANKS if self.odd() else RANKS)
        if re.search(r"pad", name, re.IGNORECASE):
            return self.rng.choice([-1, -3, 9, 100, 2**31 - 1] if self.odd() else [0, 0, 1, 2, 3])
        if re.search(r"stride|dilation|window|^u$|^v$", name, re.IGNORECASE):
            return self.rng.choice([0, -1, 7, 64, 2**31 - 1] if self.odd() else [1, 1, 2, 3])
        if re.search(r"group", name):
            return self.rng.choice([0, -1, 1000] if self.odd() else [1, 1, 2, 4])
        return self.rng.choice(ODD_DIMS if self.odd() else DIMS)

    def real(self) -> float:
        return self.rng.choice(ODD_REALS if self.odd() else [0.5, 1.0, 1e-4, 0.75, 2.0])

    def enumerator(self, name: str) -> int:
        values = [value.value for value in ENUMS[name].values if isinstance(value.value, int)]
        if self.odd():
            return self.rng.choice([-1, max(values) + 1, 99, *values])
        return self.rng.choice(COMMON_TYPES if name == "cudnnDataType_t" else values)

    def descriptor(self, kind: str) -> Argument:
        if self.rng.random() < NULL:
            return ["null"]
        return ["slot", kind, self.rng.randrange(SLOTS)]


NOT_DRAWN_PREFIXES = ("cudnnCreate", "cudnnDestroy", "cudnnBackend")
"""Made by scenarios with the right slots."""
NOT_DRAWN = {"cudnnGetProperty", "cudnnGetLastErrorString", "cudnnGetErrorString"}
"""They have scenarios of their own."""


def is_cpu_side(function: Function) -> bool:
    """Setters, getters and questions; also calls that need a handle, which get none and are refused."""
    name = function.name
    return name.startswith("cudnn") and name not in NOT_DRAWN and not name.startswith(NOT_DRAWN_PREFIXES)


def takes(function: Function, kind: str) -> bool:
    return any(parameter.role == "descriptor" and parameter.base == kind for parameter in function.parameters)


def random_call(draw: Draw, function: Function) -> dict[str, object]:
    """A call of `function` with arguments of their own."""
    lengths = {name for parameter in function.parameters for name in parameter.of if parameter.role == "host_array"}
    return {"f": function.name, "a": [argument(draw, parameter, lengths) for parameter in function.parameters]}


def argument(draw: Draw, parameter: Parameter, lengths: set[str]) -> Argument:
    if parameter.role == "handle":
        return ["null"]
    if parameter.role == "descriptor":
        return draw.descriptor(parameter.base)
    if parameter.pointers and draw.rng.random() < NULL:
        return ["null"]
    if parameter.role in ("stream", "callback"):
        return ["null"]
    if parameter.role == "user_data":
        return ["pointer", 4096]
    if parameter.pointers == 0:
        return value(draw, parameter, parameter.name in lengths)
    if parameter.role in ("host_array", "host") and parameter.type.startswith("const"):
        return ["array", [element(draw, parameter) for _ in range(LONGEST)]]
    return ["out", output_type(parameter), LONGEST if parameter.role in ("host_array", "element") else 1]


def output_type(parameter: Parameter) -> str:
    if parameter.base.endswith("Descriptor_t") or parameter.pointers == 2 or parameter.base == "cudnnCallback_t":
        return "pointer"
    return {"double": "double", "float": "float", "size_t": "size"}.get(parameter.base, "int")


def element(draw: Draw, parameter: Parameter) -> int:
    return draw.enumerator(parameter.base) if parameter.base in ENUMS else draw.number(parameter.name)


def value(draw: Draw, parameter: Parameter, is_length: bool) -> Argument:
    base = parameter.base
    if base in ENUMS:
        return ["int", draw.enumerator(base)]
    if base in ("double", "float"):
        return [base, draw.real()]
    if is_length and "size" in parameter.name.lower():  # the real library follows it
        number = draw.rng.choice(ODD_LENGTHS if draw.odd() else RANKS)
        return ["size", abs(number)] if base == "size_t" else ["int", number]
    if base == "size_t":
        return ["size", draw.rng.choice(ODD_SIZES) if draw.odd() else abs(draw.number(parameter.name))]
    number = draw.rng.choice(ODD_RANKS if draw.odd() else RANKS) if is_length else draw.number(parameter.name)
    return ["int", abs(number) % 2**31 if base in UNSIGNED else number]
