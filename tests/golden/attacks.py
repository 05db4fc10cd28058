"""Attacks on the grader, read from the tables beside this file."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.golden.toys import GOOD_CPP, hooked

CPP_HEADERS = "".join(
    f"#include <{name}>\n"
    for name in (
        "cudnn.h",
        "errno.h",
        "fcntl.h",
        "signal.h",
        "string.h",
        "sys/ptrace.h",
        "sys/socket.h",
        "sys/syscall.h",
        "thread",
        "unistd.h",
    )
)


@dataclass(frozen=True)
class Attack:
    """One entry of a table; the table's first lines say what the fields mean."""

    language: str
    number: int
    name: str
    place: str
    verdict: tuple[str, ...]
    code: str

    def source(self, secret: Path) -> str:
        code = self.code.replace("SECRET", f'"{secret}"')
        if self.place == "hook":
            return (CPP_HEADERS if self.language == "cpp" else "") + hooked(self.language, code)
        return code + GOOD_CPP if self.place == "head" else code

    def __str__(self) -> str:
        return f"{self.number}-{self.name.replace(' ', '-')}"


def load(language: str) -> list[Attack]:
    path = Path(__file__).with_name(f"hostile_{language}.yaml")
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [Attack(language, **{**entry, "verdict": tuple(entry["verdict"])}) for entry in entries]
