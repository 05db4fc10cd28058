"""MyST colon fences: `:::{note} Title`. What each may contain, and what it becomes."""

import re
from collections.abc import Collection, Iterator
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
VISUALISERS: dict[str, dict[str, tuple[int, int] | tuple[str, ...]]] = {
    "convolution": {"size": (1, 9), "kernel": (1, 5), "pad": (0, 3), "stride": (1, 4), "dilation": (1, 3)},
    "layout": {"n": (1, 2), "c": (1, 4), "h": (1, 3), "w": (1, 4), "format": ("NCHW", "NHWC")},
    "life": {"story": ("good", "leak", "unset", "early")},
    "algorithms": {},
    "blending": {},
    "pooling": {
        "size": (2, 9),
        "window": (1, 4),
        "pad": (0, 3),
        "stride": (1, 4),
        "mode": ("max", "include", "exclude"),
    },
    "softmax": {"mode": ("channel", "instance")},
    "rounding": {},
    "order": {},
    "groups": {},
}
"""Those that frontend/src/visualisers/load.ts knows, and their parameters: a range of integers, or words.
A test compares the two."""
OPTIONS = {"figure": ("alt",), "record": ("rows", "only", "label", "bars", "columns", "names")}
"""Of directives other than visualisers; the rest takes none."""
WITHOUT_TEXT = ("exercise", "quiz")


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


def complaints(directive: Directive) -> Iterator[tuple[int, str, str]]:
    """Line, message and mend of options that the directive does not take, and of text that it would not show."""
    taken: Collection[str] = OPTIONS.get(directive.name, ())
    if directive.name == "visualiser":
        taken = VISUALISERS.get(directive.argument, directive.options)
    for number, (name, value) in enumerate(directive.options.items(), directive.line + 1):
        if name not in taken:
            mend = f"remove it, or use one of: {', '.join(taken)}" if taken else "remove it: this takes no options"
            yield number, f"unknown option {name!r} of {directive.argument or directive.name!r}", mend
        elif directive.name == "visualiser":
            wanted = VISUALISERS.get(directive.argument, {}).get(name, ())
            if mend := _unfit(value, wanted):
                yield number, f"{name} is {value!r}", mend
    if directive.name in WITHOUT_TEXT and directive.body.strip():
        yield directive.body_line, f"text inside {directive.name!r} is not shown", "put it before or behind"


def _unfit(value: str, wanted: tuple[int, int] | tuple[str, ...]) -> str:
    """How to mend a parameter's value; "" where it is right."""
    match wanted:
        case (int(low), int(high)):
            good = value.isdecimal() and low <= int(value) <= high
            return "" if good else f"give an integer from {low} to {high}"
        case ():
            return ""
        case _:
            return "" if value in wanted else f"use one of: {', '.join(map(str, wanted))}"
