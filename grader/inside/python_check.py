"""What is wrong with a Python source before it runs. Used inside the sandbox: a parser can be made to take minutes.

Needs nothing but the standard library.
"""

import ast
import warnings
from typing import Any

SOURCE = "solution.py"


def check(source: str, function: str, count: int) -> dict[str, Any]:
    """Problems of `source`, which must define `function` of `count` parameters; "" for a whole program.

    Returns ``{"diagnostics": [[line, column, end column, severity, message]…], "problem": code, "line": n}``. problem:
    "", or missing_function or signature where that is certain without running the source.
    """
    diagnostics: list[list[Any]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree = ast.parse(source, SOURCE)
            compile(source, SOURCE, "exec", dont_inherit=True)  # finds what parsing lets through, and warns
        except SyntaxError as error:
            same_line = error.end_lineno == error.lineno
            end = max(error.end_offset or 0, 0) if same_line else 0
            diagnostics.append([error.lineno or 0, error.offset or 0, end, "error", error.msg])
        except (ValueError, RecursionError, MemoryError) as error:
            text = str(error) or "it is nested too deeply"
            diagnostics.append([0, 0, 0, "error", f"the source cannot be parsed: {text}"])
    if diagnostics:
        return {"diagnostics": diagnostics, "problem": "", "line": 0}
    diagnostics = [[warning.lineno, 0, 0, "warning", str(warning.message)] for warning in caught]
    problem, line = _function_problem(tree, function, count) if function else ("", 0)
    return {"diagnostics": diagnostics, "problem": problem, "line": line}


def _function_problem(tree: ast.Module, function: str, count: int) -> tuple[str, int]:
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    if not defined:
        return ("", 0) if _may_exist(tree, function) else ("missing_function", 0)
    arguments = defined[-1].args
    positional = len(arguments.args) + len(arguments.posonlyargs)
    fits = positional - len(arguments.defaults) <= count and (count <= positional or arguments.vararg is not None)
    needs_keywords = any(default is None for default in arguments.kw_defaults)
    if defined[-1].decorator_list or (fits and not needs_keywords):
        return "", 0
    return "signature", defined[-1].lineno


def _may_exist(tree: ast.Module, function: str) -> bool:
    """Whether the name could come about in another way: assigned, imported, defined below an `if`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name) in (function, "*") for alias in node.names):
                return True
        elif getattr(node, "id", getattr(node, "name", None)) == function:
            return True
    return False
