"""Arithmetic in exercise files, evaluated over a syntax tree: names, numbers, a fixed set of operators, never `eval`.

Shapes, derived sizes and scalar values are such expressions: ``(H + 2*pad - R)//stride + 1``.
"""

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"min": min, "max": max, "abs": abs}
MAX_LENGTH = 500


class ExpressionError(ValueError):
    """An expression that does not parse, uses something that is not allowed, or cannot be computed."""


@functools.lru_cache(maxsize=4096)
def _parse(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"expression is longer than {MAX_LENGTH} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"{text!r} is not an expression: {error}") from None


def names_in(text: str) -> set[str]:
    """Variables that the expression reads. Raises ExpressionError where it does not parse."""
    found = {node.id for node in ast.walk(_parse(text)) if isinstance(node, ast.Name)}
    return found - set(FUNCTIONS)


def evaluate(text: str, variables: Mapping[str, Any], modules: Mapping[str, Any] | None = None) -> Any:
    """Value of `text` over `variables`.

    modules: objects whose public functions may be called by name, e.g. ``{"np": numpy, "rng": generator}``.
    Raises ExpressionError with a sentence for the author.
    """
    tree = _parse(text)
    try:
        return _Evaluator(variables, modules or {}).value(tree)
    except ExpressionError:
        raise
    except (ArithmeticError, TypeError, ValueError, AttributeError) as error:
        raise ExpressionError(f"{text!r} cannot be computed: {error}") from None


class _Evaluator:
    def __init__(self, variables: Mapping[str, Any], modules: Mapping[str, Any]) -> None:
        self.variables = variables
        self.modules = modules

    def value(self, node: ast.expr) -> Any:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in an expression")
        return method(node)

    def _Constant(self, node: ast.Constant) -> Any:
        if not isinstance(node.value, int | float | str):
            raise ExpressionError(f"{node.value!r} is not a number")
        return node.value

    def _Name(self, node: ast.Name) -> Any:
        if node.id not in self.variables:
            known = ", ".join(sorted(self.variables)) or "none"
            raise ExpressionError(f"unknown name {node.id!r}; known names: {known}")
        return self.variables[node.id]

    def _BinOp(self, node: ast.BinOp) -> Any:
        operation = _BINARY.get(type(node.op))
        if operation is None:
            raise ExpressionError(f"operator in {ast.unparse(node)!r} is not allowed; use + - * / // %")
        return operation(self.value(node.left), self.value(node.right))

    def _UnaryOp(self, node: ast.UnaryOp) -> Any:
        operation = _UNARY.get(type(node.op))
        if operation is None:
            raise ExpressionError(f"operator in {ast.unparse(node)!r} is not allowed")
        return operation(self.value(node.operand))

    def _Compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for kind, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            operation = _COMPARE.get(type(kind))
            if operation is None:
                raise ExpressionError(f"comparison in {ast.unparse(node)!r} is not allowed")
            if not operation(left, right):
                return False
            left = right
        return True

    def _IfExp(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def _Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.value(item) for item in node.elts)

    def _List(self, node: ast.List) -> list[Any]:
        return [self.value(item) for item in node.elts]

    def _Call(self, node: ast.Call) -> Any:
        arguments = [self.value(item) for item in node.args]
        keywords = {item.arg: self.value(item.value) for item in node.keywords if item.arg}
        return self._function(node.func)(*arguments, **keywords)

    def _function(self, node: ast.expr) -> Callable[..., Any]:
        if isinstance(node, ast.Name) and node.id in FUNCTIONS:
            return FUNCTIONS[node.id]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and not node.attr.startswith("_"):
            module = self.modules.get(node.value.id)
            if module is not None:
                return getattr(module, node.attr)  # type: ignore[no-any-return]
            return getattr(self.value(node.value), node.attr)  # type: ignore[no-any-return]
        if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
            return getattr(self.value(node.value), node.attr)  # type: ignore[no-any-return]
        allowed = ", ".join([*sorted(FUNCTIONS), *(f"{name}.…" for name in sorted(self.modules))])
        raise ExpressionError(f"{ast.unparse(node)!r} may not be called here; allowed: {allowed}")
