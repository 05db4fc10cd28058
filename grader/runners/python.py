"""Python: nothing to build; the source is checked in the sandbox that will run it, before anything of it runs."""

import json
from collections.abc import Callable
from typing import Any, cast

from grader.contract.exercise_types import Exercise
from grader.contract.signatures import signature
from grader.contract.verdict import Diagnostic
from grader.runners.base import Built

MAX_DIAGNOSTICS = 50
Check = Callable[[str, int], bytes]
"""(function, number of its parameters) → JSON of `grader/inside/python_check.py`; "" where a program is checked."""


def build(source: bytes, exercise: Exercise | None, check: Check) -> Built:
    """The source as it is, or what is wrong with it. exercise None: a whole program that is not judged."""
    judged = exercise if exercise is not None and exercise.form == "function" else None
    answer = _read(check(judged.function, len(judged.arguments)) if judged else check("", 0))
    diagnostics = answer["diagnostics"]
    if any(d.severity == "error" for d in diagnostics):
        return Built(b"", diagnostics)
    if judged is not None and answer["problem"]:
        expected, line = signature(judged, "python"), answer["line"]
        data = {"problem": answer["problem"], "function": judged.function, "expected": expected, "line": line}
        return Built(b"", (*diagnostics, Diagnostic(line, 0, "error", f"expected: {expected}")), data=data)
    return Built(source, diagnostics)


def _read(answer: bytes) -> dict[str, Any]:
    """Raises ValueError where the sandbox answers anything but what was agreed."""
    try:
        data = json.loads(answer)
        diagnostics = tuple(_diagnostic(row) for row in data["diagnostics"][:MAX_DIAGNOSTICS])
        problem, line = str(data["problem"]), int(data["line"])
    except (KeyError, TypeError, IndexError, RecursionError) as error:
        raise ValueError(f"the check of the source gave no sense: {error!r}") from None
    if problem not in ("", "missing_function", "signature"):
        raise ValueError(f"the check of the source gave {problem[:40]!r}")
    return {"diagnostics": diagnostics, "problem": problem, "line": line}


def _diagnostic(row: list[Any]) -> Diagnostic:
    line, column, end, severity, message = row
    if severity not in ("error", "warning", "note"):
        raise TypeError(f"severity {severity!r}")
    return Diagnostic(int(line), int(column), cast(Any, severity), str(message)[:2000], int(end))
