"""MyST colon fences: `:::{note} Title`. What each may contain, and what it becomes."""

import re
from dataclasses import dataclass

from markdown_it.token import Token

DIRECTIVE = re.compile(r"^\s*\{([a-z]+)\}\s*(.*?)\s*$")
OPTION = re.compile(r"^:([a-z][\w-]*):\s*(.*?)\s*$")

INLINE = ("note", "warning", "hint", "figure")
"""Become HTML where they stand, and may be nested."""
FILLED = ("exercise", "quiz", "visualiser", "run", "record")
"""Filled in by the page for each reader; never nested."""
NAMES = INLINE + FILLED
RUN_LANGUAGES = ("cpp", "python")
VISUALISERS = ("convolution", "layout", "life", "algorithms", "blending", "pooling", "softmax", "rounding", "order")
"""Those that frontend/src/visualisers/load.ts knows; a test compares the two lists."""


@dataclass(frozen=True, slots=True)
class Directive:
    """lines count within the text that holds the fence: `line` of the fence, `body_line` of its first body line."""

    name: str
    argument: str
    options: dict[str, str]
    body: str
    line: int
    body_line: int


def parse(token: Token, first_line: int) -> Directive | None:
    """The directive in a colon fence; None where the fence names none."""
    match = DIRECTIVE.match(token.info)
    if match is None:
        return None
    line = first_line + (token.map[0] if token.map else 0)
    lines = token.content.split("\n")
    options: dict[str, str] = {}
    if match[1] != "run":  # a program may begin with anything
        while lines and (option := OPTION.match(lines[0])):
            options[option[1]] = option[2]
            lines.pop(0)
    return Directive(match[1], match[2], options, "\n".join(lines), line, line + 1 + len(options))
