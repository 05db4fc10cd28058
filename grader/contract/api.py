"""The one table of the taught API: loaded once, checked, and asked by grader, generators and web program alike.

The table lies in ``grader/native/api/``; docs/api-table.md describes its files and what is made from it.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from grader.contract.api_reader import read_tables
from grader.contract.api_types import (
    Callback,
    Enum,
    Enumerator,
    Function,
    Group,
    Macro,
    Opaque,
    Struct,
)

TABLE = Path(__file__).parent.parent / "native" / "api"


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
    tables = read_tables(table)
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
