"""Marks of Markdown that are left in the rendered text: something was meant by them and did not come about."""

import re
from collections.abc import Iterator

from markdown_it.token import Token

Found = tuple[int, str, str]
"""lines below the paragraph's first, message, mend"""
_ELSEWHERE = "\x00"
"""Stands for code, formulas, roles and pictures: no mark is looked for in them."""
_RULES = (
    (r"\]\(", "a link that is none: {}", "write [words](lesson:slug) or an https:// address, without spaces"),
    (r"\]\[[^\]]*\]", "a link whose target is named nowhere: {}", "write [words](lesson:slug)"),
    (r"\[\^[^\]]*\]", "the footnote {} does not exist", "write its text below, behind `[^name]: `"),
    (r":(?:term|api)\[[^\]]*\]?", "{} names nothing", "write :term[id], :api[name] or :term[words <id>]"),
    (r"(?<![\w:]):[a-z]+\[", "{} is no role", "write :term[id] or :api[name]"),
    (
        r"\{[a-z:]+\}(?=\x00)|(?<!\w):[a-z]+:(?=\x00)",
        "{} is a role of another Markdown",
        "write :term[id] or :api[name]",
    ),
    (r"\$", "a {} that begins or ends no formula", r"write $x$ without spaces inside, or \$ for the sign"),
    (r"\*\*", "bold type that is not closed, or not opened: {}", "put ** before and behind the words"),
    (r"</?[A-Za-z][^<>]*>|<!--", "{} would be shown as it stands", "use Markdown; put code between backticks"),
    (r"^:{2,}", "{} begins no directive here", "write `:::{name}` behind an empty line, with three colons"),
    (r"^#{1,6}(?=[^\s#])", "{} without a space behind it makes no heading", "write `## Title`"),
    (r"^\|.*\|\s*$", "a row of a table that is none: {}", "put a line such as |---|---| below the table's head"),
    (r"\{[.#][^{}]*\}", "{} is no attribute here", "write `## Title {#id}`, the id from letters, digits and hyphens"),
    (r"\b(?:TODO|FIXME)\b", "{} is left in the text", "do it, or take it out"),
    (r"^(?:<{7}|>{7}|={7})(?=\s|$)", "{} is left of a merge", "keep one of the two versions"),
)
RULES = tuple((re.compile(pattern, re.MULTILINE), message, mend) for pattern, message, mend in _RULES)


def look(inline: Token) -> Iterator[Found]:
    """What is left in a paragraph, heading or cell. A sign that is escaped somewhere in it is not looked for."""
    text = "".join(_shown(child) for child in inline.children or ())
    for pattern, message, mend in RULES:
        for match in pattern.finditer(text):
            sign = match[0].strip()[:1] or "$"
            if f"\\{sign}" in inline.content:
                break
            shown = match[0].replace(_ELSEWHERE, "").strip()
            yield text.count("\n", 0, match.start()), message.format(repr(shown[:40])), mend


def _shown(token: Token) -> str:
    if token.type == "text":
        return token.content
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    return "" if token.nesting else _ELSEWHERE
