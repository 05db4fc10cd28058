"""What became of a draft: source that was compiled in the background while its writer paused, and never run."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

DraftState = Literal["compiled", "cancelled", "busy", "failed", "off"]
"""cancelled: a newer draft, or a job, came first; busy: not begun; failed: a fault of the grader, which is in its log;
off: this grader compiles no drafts, or is not there."""
DRAFT_STATES: tuple[DraftState, ...] = get_args(DraftState)


@dataclass(frozen=True, slots=True)
class DraftReport:
    """id: of the draft's job. The rest is only filled where it was compiled. seconds: of the compiler."""

    id: str
    state: DraftState
    code: str = ""
    """A verdict code: accepted where it compiles."""
    diagnostics: list[dict[str, Any]] = field(default_factory=list)
    """Each a `Diagnostic`."""
    seconds: float = 0.0
    cached: bool = False
