"""Python: checks the syntax outside the sandbox (parsing runs nothing); the source itself is what the sandbox gets."""

import ast
import warnings

from grader.contract.exercise import Exercise
from grader.contract.verdict import Diagnostic
from grader.runners.base import Built

SOURCE = "solution.py"


def build(source: bytes, exercise: Exercise | None) -> Built:
    """Parses the module, and looks for the function that the exercise asks for."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree = ast.parse(source, SOURCE)
        except SyntaxError as error:
            return Built(b"", (_diagnostic(error),))
        except (ValueError, RecursionError, MemoryError) as error:
            return Built(b"", (Diagnostic(0, 0, "error", f"the source cannot be parsed: {error}"),))
    notes = tuple(Diagnostic(w.lineno, 0, "warning", str(w.message)) for w in caught)
    if exercise is not None and exercise.form == "function" and (data := _function_problem(tree, exercise)):
        line = int(data.pop("line", 0))
        message = f"expected: {data['expected']}"
        return Built(b"", (*notes, Diagnostic(line, 0, "error", message)), data=data)
    return Built(source, notes)


def signature(exercise: Exercise) -> str:
    return f"def {exercise.function}({', '.join(argument.name for argument in exercise.arguments)})"


def _diagnostic(error: SyntaxError) -> Diagnostic:
    same_line = error.end_lineno == error.lineno
    end = error.end_offset or 0 if same_line else 0
    return Diagnostic(error.lineno or 0, error.offset or 0, "error", error.msg, max(end, 0))


def _function_problem(tree: ast.Module, exercise: Exercise) -> dict[str, str | int]:
    """Only what is certain before running: no such name at all, or a number of parameters that cannot fit."""
    known: dict[str, str | int] = {"function": exercise.function, "expected": signature(exercise)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == exercise.function]
    if not functions:
        anywhere = any(isinstance(n, ast.FunctionDef) and n.name == exercise.function for n in ast.walk(tree))
        mentioned = exercise.function in names or anywhere or "*" in names
        return {} if mentioned else {"problem": "missing_function", **known}
    arguments = functions[-1].args
    count, positional = len(exercise.arguments), len(arguments.args) + len(arguments.posonlyargs)
    required = positional - len(arguments.defaults)
    fits = required <= count and (count <= positional or arguments.vararg is not None)
    if functions[-1].decorator_list or (fits and not any(d is None for d in arguments.kw_defaults)):
        return {}
    return {"problem": "signature", **known, "line": functions[-1].lineno}
