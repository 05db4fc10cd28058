"""A problem in content (lessons, exercises, the API table): what is wrong, where, and how to mend it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Problem:
    file: Path
    line: int
    """From 1; 0 where the problem is the file as a whole."""
    message: str
    mend: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{where}: {self.message}\n    mend: {self.mend}"


class ContentError(Exception):
    """Content that cannot be used. `problems` has at least one entry."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(p) for p in problems))
        self.problems = problems
