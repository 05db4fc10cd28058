"""The API table while it is read: its entries so far, where they stand, and what is wrong with them."""

from dataclasses import dataclass, field

from grader.contract.api_types import (
    Callback,
    Enum,
    Function,
    Group,
    Macro,
    Opaque,
    Struct,
    Text,
)
from grader.contract.marked_yaml import Section
from grader.contract.problems import Problem


@dataclass(slots=True)
class Tables:
    groups: dict[str, Group] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    opaques: dict[str, Opaque] = field(default_factory=dict)
    callbacks: dict[str, Callback] = field(default_factory=dict)
    macros: dict[str, Macro] = field(default_factory=dict)
    parameter_docs: dict[str, Text] = field(default_factory=dict)
    places: dict[str, Section] = field(default_factory=dict)
    """Where each name was read, for problems found later."""
    problems: list[Problem] = field(default_factory=list)

    def add(self, name: str, place: Section) -> bool:
        """False, and a problem noted, where the name is empty or taken."""
        if name in self.places:
            first = self.places[name]
            where = f"{first.document.file.name}:{first.document.line(first.path)}"
            place.problem("name", f"{name} is already in the table ({where})", "keep one of the two entries")
            return False
        self.places[name] = place
        return bool(name)
