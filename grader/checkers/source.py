"""Looks for names that an exercise forbids, in the learner's source: not in comments, not in strings."""

import ast
import io
import re
import tokenize
from dataclasses import dataclass

from grader.contract.job import Language


@dataclass(frozen=True, slots=True)
class Use:
    """A forbidden name and the first line that uses it."""

    token: str
    line: int


_CPP_SKIP = re.compile(
    r"""//(?:[^\n\\]|\\.|\\\n)*            # line comment, continued by a backslash
      | /\*.*?(?:\*/|\Z)                   # block comment
      | (?:u8|[uUL])?R"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)   # raw string
      | (?:u8|[uUL])?"(?:[^"\\\n]|\\.|\\\n)*"?
      | '(?:[^'\\\n]|\\.)+'""",
    re.S | re.X,
)


def find_forbidden(source: str, language: Language, forbidden: tuple[str, ...]) -> Use | None:
    """The first use of a forbidden name, by line; None where there is none.

    A dotted name (``numpy.dot``) is found in Python under any alias of its module; in C++ names are words.
    """
    if not forbidden:
        return None
    uses = _python(source, forbidden) if language == "python" else _cpp(source, forbidden)
    return min(uses, key=lambda use: (use.line, use.token), default=None)


def strip_cpp(source: str) -> str:
    """The source without comments and strings; line numbers stay."""

    def blank(match: re.Match[str]) -> str:
        return " " + "\n" * match[0].count("\n")

    return _CPP_SKIP.sub(blank, source)


def _cpp(source: str, forbidden: tuple[str, ...]) -> list[Use]:
    text = strip_cpp(source)
    uses: list[Use] = []
    for token in forbidden:
        match = re.search(rf"(?<![\w]){re.escape(token)}(?![\w])", text)
        if match:
            uses.append(Use(token, text.count("\n", 0, match.start()) + 1))
    return uses


def _python(source: str, forbidden: tuple[str, ...]) -> list[Use]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return _python_words(source, forbidden)
    aliases = _aliases(tree)
    uses: list[Use] = []
    for node in ast.walk(tree):
        for name in _names(node, aliases):
            uses += [Use(token, getattr(node, "lineno", 0)) for token in forbidden if _matches(name, token)]
    return uses


def _matches(name: str, token: str) -> bool:
    """`numpy.dot` forbids numpy.dot; `numpy` forbids the module; `dot` forbids the name wherever it is used."""
    return name == token or name.startswith(token + ".") or ("." not in token and token in name.split("."))


def _aliases(tree: ast.Module) -> dict[str, str]:
    """Local name → full name, of every import."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                aliases[item.asname or item.name.split(".")[0]] = item.name if item.asname else item.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for item in node.names:
                aliases[item.asname or item.name] = f"{node.module}.{item.name}"
    return aliases


def _names(node: ast.AST, aliases: dict[str, str]) -> list[str]:
    """Full names that a node uses."""
    if isinstance(node, ast.Import):
        return [item.name for item in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{item.name}" for item in node.names]
    if isinstance(node, ast.Name):
        return [aliases.get(node.id, node.id)]
    if isinstance(node, ast.Attribute):
        return [name] if (name := _dotted(node, aliases)) else [node.attr]
    return []


def _dotted(node: ast.expr, aliases: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value, aliases)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _python_words(source: str, forbidden: tuple[str, ...]) -> list[Use]:
    """For source that does not parse: names among its tokens, as far as they can be read."""
    uses: list[Use] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and token.string in forbidden:
                uses.append(Use(token.string, token.start[0]))
    except (tokenize.TokenError, SyntaxError):
        pass
    return uses
