"""A job: everything the grader is told about one submission. No reader, no session, no database."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Language = Literal["cpp", "python"]
BackendName = Literal["auto", "simulated", "gpu"]
Purpose = Literal["grade", "run", "compile"]

LANGUAGES: tuple[Language, ...] = ("cpp", "python")
SUFFIX: dict[Language, str] = {"cpp": ".cpp", "python": ".py"}
MAX_SOURCE_BYTES = 256 * 1024
"""A submission larger than this is refused before it becomes a row (HTTP 413)."""


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt at grading one source text.

    purpose: ``grade`` judges it against `exercise`; ``run`` runs a whole program without judging it
    (lesson snippets, playground; `exercise` is then empty); ``compile`` only compiles (live diagnostics).
    seed: of the random inputs; None lets the grader draw one, which the verdict records.
    """

    id: str
    language: Language
    source: str
    exercise: str = ""
    purpose: Purpose = "grade"
    backend: BackendName = "auto"
    attempt: int = 1
    seed: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Job":
        """Raises ValueError naming the field that is missing, unknown or of a wrong value."""
        known = set(cls.__slots__)
        if unknown := set(data) - known:
            raise ValueError(f"job: unknown field {sorted(unknown)[0]!r}; known fields are {sorted(known)}")
        for name in ("id", "language", "source"):
            if not isinstance(data.get(name), str):
                raise ValueError(f"job: field {name!r} must be a string")
        for name in ("attempt", "seed"):
            if not isinstance(data.get(name, 1), int) and not (name == "seed" and data[name] is None):
                raise ValueError(f"job: field {name!r} must be an integer")
        if data["language"] not in LANGUAGES:
            raise ValueError(f"job: language {data['language']!r} is not one of {LANGUAGES}")
        if data.get("purpose", "grade") not in ("grade", "run", "compile"):
            raise ValueError(f"job: purpose {data['purpose']!r} is not 'grade', 'run' or 'compile'")
        if data.get("backend", "auto") not in ("auto", "simulated", "gpu"):
            raise ValueError(f"job: backend {data['backend']!r} is not 'auto', 'simulated' or 'gpu'")
        return cls(**data)
