"""The one table of the taught API: loaded once, checked, and asked by grader, generators and web program alike.

The table lies in ``grader/native/api/``; docs/api-table.md describes its files and what is made from it.
"""

from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from grader.contract.api_reader import Tables, read_tables
from grader.contract.api_types import (
    ROLES,
    Callback,
    Enum,
    Enumerator,
    Field,
    Function,
    Group,
    Library,
    Macro,
    Opaque,
    Parameter,
    Struct,
    Text,
)

__all__ = [
    "ROLES",
    "Api",
    "Callback",
    "Enum",
    "Enumerator",
    "Field",
    "Function",
    "Group",
    "Library",
    "Macro",
    "Opaque",
    "Parameter",
    "Struct",
    "Text",
    "completions",
    "load_api",
    "status_codes",
]

TABLE = Path(__file__).parent.parent / "native" / "api"
STATUS_ENUM: dict[Library, str] = {"cudnn": "cudnnStatus_t", "cudart": "cudaError_t"}


@dataclass(frozen=True, slots=True)
class Api:
    """All names of the table. Dictionaries keep the order of the files: groups by `order`, then as written."""

    groups: dict[str, Group]
    functions: dict[str, Function]
    enums: dict[str, Enum]
    structs: dict[str, Struct]
    opaques: dict[str, Opaque]
    callbacks: dict[str, Callback]
    macros: dict[str, Macro]
    enumerators: dict[str, tuple[Enum, Enumerator]] = field(default_factory=dict)
    """Enumerator name → its enum and itself."""

    def in_group(self, group: str) -> list[Function]:
        return [f for f in self.functions.values() if f.group == group]

    def taught(self) -> list[Function]:
        return [f for f in self.functions.values() if f.taught]

    def enumerator_name(self, enum: str, value: int) -> str:
        """Name of `value` in `enum`, never an alias; the number as text where there is none. KeyError: no such enum."""
        for enumerator in self.enums[enum].values:
            if enumerator.value == value and not enumerator.alias:
                return enumerator.name
        return str(value)


@lru_cache(maxsize=4)
def load_api(table: Path = TABLE) -> Api:
    """The checked table, read once a process. Raises ContentError with every problem found, by file and line."""
    tables: Tables = read_tables(table)
    by_name = {e.name: (enum, e) for enum in tables.enums.values() for e in enum.values}
    return Api(
        tables.groups,
        tables.functions,
        tables.enums,
        tables.structs,
        tables.opaques,
        tables.callbacks,
        tables.macros,
        by_name,
    )


def completions() -> list[dict[str, Any]]:
    """Entries for editor completion, hover and signature help, taught names only.

    Each is ``{name, signature, doc: {en, ko}, kind: function|enumerator|enum|type|macro, deprecated}``; a function
    also has ``parameters: [{name, type, doc}]`` and an enumerator ``enum``.
    """
    api = load_api()
    functions = [_function_entry(f) for f in api.taught()]
    taught_enums = [e for e in api.enums.values() if e.taught]
    enums = [_entry(e.name, f"enum {e.name}", e.doc, "enum", e.deprecated) for e in taught_enums]
    values = [_enumerator_entry(e, v) for e in taught_enums for v in e.values]
    types = [_entry(o.name, o.name, o.doc, "type", False) for o in api.opaques.values()]
    structs = [_entry(s.name, f"struct {s.name}", s.doc, "type", False) for s in api.structs.values() if s.taught]
    macros = [_entry(m.name, f"{m.name} = {m.value}", m.doc, "macro", False) for m in api.macros.values()]
    return functions + values + enums + types + structs + macros


def _entry(name: str, signature: str, doc: Text, kind: str, deprecated: bool) -> dict[str, Any]:
    return {"name": name, "signature": signature, "doc": doc, "kind": kind, "deprecated": deprecated}


def _function_entry(function: Function) -> dict[str, Any]:
    entry = _entry(function.name, function.signature, function.doc, "function", function.deprecated)
    entry["parameters"] = [{"name": p.name, "type": p.type, "doc": p.doc} for p in function.parameters]
    return entry


def _enumerator_entry(enum: Enum, value: Enumerator) -> dict[str, Any]:
    entry = _entry(value.name, f"{value.name} = {value.value}", value.doc, "enumerator", value.deprecated)
    return entry | {"enum": enum.name}


def status_codes(library: Library = "cudnn") -> list[dict[str, Any]]:
    """Every status code of a library: ``{name, value, category, alias, deprecated, text, doc, cause, mend}``.

    category: value // 1000 * 1000 of a cuDNN status (1000 set-up, 2000 bad parameter, 3000 not supported, 4000
    internal, 5000 execution); 0 for SUCCESS and for every code of the CUDA runtime, which has no categories.
    """
    enum = load_api().enums[STATUS_ENUM[library]]
    return [asdict(v) | {"category": v.value // 1000 * 1000 if library == "cudnn" else 0} for v in enum.values]
