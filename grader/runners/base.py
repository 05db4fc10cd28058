"""What every runner gives: something built, ready to be handed to a sandbox, or diagnostics that say why not."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.contract.verdict import Diagnostic


@dataclass(frozen=True, slots=True)
class LineTable:
    """Code addresses of a library → lines of the learner's file. Sorted by address; line 0 = not the learner's."""

    addresses: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()

    def line(self, offset: int) -> int:
        """Line of the call that returns to `offset`; 0 = unknown."""

        index = bisect_right(self.addresses, offset - 1) - 1
        return self.lines[index] if index >= 0 else 0


@dataclass(frozen=True, slots=True)
class Built:
    """code: shared library (C++) or source (Python); empty where building failed, and then `diagnostics` says why."""

    code: bytes
    diagnostics: tuple[Diagnostic, ...] = ()
    lines: LineTable = LineTable()
    data: Mapping[str, Any] = field(default_factory=dict)
    """For the verdict of a failed build, e.g. ``{"problem": "signature", "expected": "void f(…)"}``."""
    cached: bool = False


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A finished run of a tool in the compile jail. status: 128 + signal where a signal ended it."""

    status: int
    stderr: bytes
    outputs: Mapping[str, bytes]


Compile = Callable[[bytes, bytes, Callable[[], bool]], ToolRun | None]
"""(the learner's file, the adapter, superseded) → run of the compiler, with the outputs `library` and `lines`.

None where `superseded` became true before it had ended: it was then stopped.
"""
RunTool = Callable[[list[str], Mapping[str, bytes], Mapping[str, int]], ToolRun]
"""(command line, files by path inside, outputs: name → largest size) → run.

`{name}` in the command line is the number of the descriptor to write that output to.
"""
