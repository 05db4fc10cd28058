"""Looks at how a text is built: headings in order, fences that are closed, tables of even rows, footnotes in use."""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from markdown_it.token import Token

Report = Callable[[int, str, str], None]
"""line, message, mend"""
_PIPE = re.compile(r"(?<!\\)\|")


def check(tokens: list[Token], source: str, first_line: int, env: Mapping[str, Any], report: Report) -> None:
    """Reports what renders, but not as its author meant it."""
    lines = source.split("\n")
    _headings(tokens, first_line, report)
    for token in tokens:
        if token.map is None:
            continue
        at = first_line + token.map[0]
        if token.type in ("colon_fence", "fence") and not _closed(token, lines):
            report(at, f"`{token.markup}` is never closed", f"write {token.markup} in a line of its own behind it")
        elif token.type == "front_matter":
            report(at, "front matter in a text", "title and summary stand in lesson.yaml")
        elif token.type == "table_open":
            _table(token.map, lines, first_line, report)
    for name, number in env.get("footnotes", {}).get("refs", {}).items():
        if number < 0:
            at = next((i for i, line in enumerate(lines) if line.startswith(f"[^{name[1:]}]:")), 0)
            report(first_line + at, f"the footnote {name[1:]!r} is used nowhere", f"write [^{name[1:]}] in the text")


def _headings(tokens: list[Token], first_line: int, report: Report) -> None:
    above, seen = 1, set[str]()
    for token, inline in pairwise(tokens):
        if token.type != "heading_open" or token.map is None or token.tag == "h1":
            continue
        at, level = first_line + token.map[0], int(token.tag[1])
        name = str(token.attrGet("id") or inline.content)
        if not inline.content.strip():
            report(at, "a heading without words", "write its words")
        elif level > above + 1:
            report(at, f"a heading of level {level} below one of level {above}", f"write {'#' * (above + 1)}")
        elif name.removesuffix("-2") in seen:
            report(at, f"two headings have the id {name.removesuffix('-2')!r}", "word one of them differently")
        seen.add(name)
        above = level


def _closed(token: Token, lines: list[str]) -> bool:
    first, end = token.map or (0, 0)
    sign = token.markup[0]
    last = lines[min(end, len(lines)) - 1].strip(" \t>")
    return end - first > 1 and len(last) >= len(token.markup) and not last.strip(sign)


def _table(place: list[int], lines: list[str], first_line: int, report: Report) -> None:
    """Cells beyond the head's are dropped when a table is rendered."""
    columns = _cells(lines[place[0]])
    for number in range(place[0] + 2, min(place[1], len(lines))):
        if (cells := _cells(lines[number])) != columns and lines[number].strip():
            message = f"a row of {cells} cells in a table of {columns} columns"
            report(first_line + number, message, r"give each row as many cells as the head; write \| for the sign")


def _cells(row: str) -> int:
    return len(_PIPE.findall(row.strip().removeprefix("|").removesuffix("|"))) + 1
