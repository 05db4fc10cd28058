"""Statuses that a source throws away: what the trace of a run in which every call succeeded cannot show."""

import ast
import re

from grader.checkers.api_trace.rule import Severity
from grader.checkers.source import strip_cpp
from grader.contract.exercise_types import Uses
from grader.contract.job import Language
from grader.contract.verdict import Finding

STATUS_DROPPED = "status_dropped"
"""Code of the finding about a call whose status nothing looks at."""

_WORD = "checks_statuses"
_STATEMENT = re.compile(r"(?:[;{}]|\)(?=\s*cudnn)|\belse\b)\s*(cudnn[A-Z]\w*)\s*\(")
"""A call at the start of a statement, so that its status goes nowhere; behind `if (…)`, `for (…)` and `(void)` too."""
_CAUGHT = {"CudnnError", "Exception", "BaseException"}


def dropped_statuses(source: str, language: Language, uses: Uses) -> list[Finding]:
    """The first call whose status is thrown away, where the exercise asks for statuses to be checked.

    C++: a call as a statement of its own, destroying functions apart. Python: a handler that catches a failure of
    cuDNN and does nothing, or only prints it.
    """
    if _WORD not in (*uses.required, *uses.advised):
        return []
    name, line = _python(source) if language == "python" else _cpp(source)
    severity: Severity = "required" if _WORD in uses.required else "advised"
    data = {"language": language} | ({"function": name} if name else {})
    return [Finding(STATUS_DROPPED, severity, None, line, data)] if line else []


def _cpp(source: str) -> tuple[str, int]:
    """Function and line; ("", 0) where there is none."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", _blank, strip_cpp(source), flags=re.M | re.S)
    for match in _STATEMENT.finditer(text):
        if "Destroy" not in match[1]:
            return match[1], text.count("\n", 0, match.start(1)) + 1
    return "", 0


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _python(source: str) -> tuple[str, int]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "", 0
    handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    lines = [node.lineno for node in handlers if _catches(node.type) and all(map(_idle, node.body))]
    return "", min(lines, default=0)


def _catches(kind: ast.expr | None) -> bool:
    """Whether a handler of this type catches what libcudnn raises."""
    if isinstance(kind, ast.Tuple):
        return any(_catches(item) for item in kind.elts)
    name = kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else ""
    return kind is None or name in _CAUGHT


def _idle(statement: ast.stmt) -> bool:
    """Whether a statement does nothing with a failure: pass, continue, a constant, a print."""
    if isinstance(statement, ast.Pass | ast.Continue):
        return True
    if not isinstance(statement, ast.Expr):
        return False
    called = statement.value.func if isinstance(statement.value, ast.Call) else None
    return isinstance(statement.value, ast.Constant) or (isinstance(called, ast.Name) and called.id == "print")
