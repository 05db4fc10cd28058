"""What the API table holds: functions, enums, structs and constants of cuDNN and the CUDA runtime, as plain data."""

import re
from dataclasses import dataclass, field
from typing import Literal

Library = Literal["cudnn", "cudart"]
STATUS_ENUM: dict[Library, str] = {"cudnn": "cudnnStatus_t", "cudart": "cudaError_t"}
"""What the functions of a library return, but for a few."""
Text = dict[str, str]
"""One sentence or two in both languages: ``{"en": …, "ko": …}``; empty where nothing is written."""

ROLES: dict[str, str] = {
    "value": "number passed by value",
    "enum": "enumerator passed by value",
    "handle": "cuDNN handle passed by value",
    "descriptor": "descriptor passed by value",
    "stream": "CUDA stream passed by value",
    "event": "CUDA event passed by value",
    "callback": "function pointer",
    "user_data": "host address that the library only passes on",
    "scalar": "host address of a scaling factor; its C type is double where `of` describes DOUBLE data, else float",
    "element": "host address of one element of the data type that `of` (a descriptor or a cudnnDataType_t) names",
    "device": "device memory; `of` is the descriptor of its contents or the parameter with its size in bytes",
    "host": "host memory of a length that other parameters do not state",
    "memory": "host or device memory; `of` is its size in bytes",
    "host_out": "host address of one value that the function writes",
    "host_array": "host array; its length is the smallest of the parameters in `of`",
    "perf": "host array of performance results; `of` is the count that was returned",
    "pointer_out": "host address that receives a pointer into `space`; `of` is the size in bytes, where known",
    "text_out": "host buffer that receives a text; `of` is its size in bytes",
    "attribute": "host array of attribute values; `of` is the attribute type and the counts",
}
"""Role of a parameter → what the call recorder finds there."""

ACCESSES = ("in", "out", "inout", "scratch", "freed")
SPACES = ("device", "host", "managed")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `type` is C text without the name; ``int[]`` is an array."""

    name: str
    type: str
    role: str
    of: tuple[str, ...] = ()
    """Other parameters of the same function; see ROLES."""
    access: str = ""
    """For memory: in (read), out (written), inout (old contents count), scratch, freed; "" for values."""
    space: str = ""
    default: str = ""
    """C++ default argument, as C text."""
    doc: Text = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The type without const, pointers and array: ``const int[]`` → ``int``."""
        return re.sub(r"\bconst\b|\*|\[\]", " ", self.type).strip()

    @property
    def is_array(self) -> bool:
        return self.type.endswith("[]")

    @property
    def pointers(self) -> int:
        """Levels of indirection: 1 for ``int *`` and ``int[]``."""
        return self.type.count("*") + self.is_array

    @property
    def declaration(self) -> str:
        """As in a C prototype: ``const int dimA[]``."""
        if self.is_array:
            return f"{self.type[:-2]} {self.name}[]"
        return f"{self.type}{'' if self.type.endswith('*') else ' '}{self.name}"


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    library: Library
    group: str
    returns: str
    deprecated: bool
    taught: bool
    parameters: tuple[Parameter, ...]
    symbol: str
    """Exported name; differs from `name` where a header macro renames it (cudaGetDeviceProperties_v2)."""
    doc: Text = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The C prototype on one line, without the semicolon."""
        gap = "" if self.returns.endswith("*") else " "
        return f"{self.returns}{gap}{self.name}({', '.join(p.declaration for p in self.parameters) or 'void'})"

    def parameter(self, name: str) -> Parameter:
        """Raises KeyError where there is no such parameter."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(f"{self.name} has no parameter {name!r}")


@dataclass(frozen=True, slots=True)
class Enumerator:
    name: str
    value: int
    alias: str = ""
    """Name of the enumerator whose value it shares by definition; "" for a value of its own."""
    deprecated: bool = False
    text: str = ""
    """What the library's own error-string function returns for it (cudaGetErrorString); "" where it is the name."""
    doc: Text = field(default_factory=dict)
    cause: Text = field(default_factory=dict)
    """Status codes: what usually causes it."""
    mend: Text = field(default_factory=dict)
    """Status codes: what to do."""


@dataclass(frozen=True, slots=True)
class Enum:
    name: str
    library: Library
    values: tuple[Enumerator, ...]
    tag: str = ""
    """Name after the keyword ``enum``; "" for an enum known only by its typedef."""
    deprecated: bool = False
    taught: bool = True
    doc: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    offset: int
    count: int = 1
    doc: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct that callers see into. Layout as on x86-64; `size` in bytes."""

    name: str
    library: Library
    size: int
    fields: tuple[Field, ...]
    tag: str = ""
    taught: bool = False
    doc: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opaque:
    """A pointer to something the library keeps to itself. `kind` names it in traces: handle, tensor, filter, …"""

    name: str
    struct: str
    library: Library
    kind: str
    doc: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Callback:
    name: str
    library: Library
    returns: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Macro:
    name: str
    value: str
    library: Library
    arguments: tuple[str, ...] = ()
    doc: Text = field(default_factory=dict)

    @property
    def definition(self) -> str:
        """Its line in a header."""
        arguments = f"({', '.join(self.arguments)})" if self.arguments else ""
        return f"#define {self.name}{arguments} {self.value}"


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    library: Library
    title: Text
    order: int
