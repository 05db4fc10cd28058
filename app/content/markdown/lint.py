"""Looks through the tokens of a text for what would not work on the page."""

from collections.abc import Callable, Iterator

from markdown_it.token import Token

from app.content.markdown import code, leftovers, maths
from app.content.markdown.links import Links, similar

Report = Callable[[int, str, str], None]
"""line, message, mend"""


def walk(tokens: list[Token], line: int) -> Iterator[tuple[Token, int]]:
    """Every token with its line (from 1); `line` is that of the text's first line."""
    at = line
    for token in tokens:
        if token.map:
            at = line + token.map[0]
        yield token, at
        row = at
        for child in token.children or []:
            yield child, row
            row += child.type in ("softbreak", "hardbreak")


def check(tokens: list[Token], line: int, links: Links, report: Report, warn: Report) -> bool:
    """Reports problems, warns of what can be shown all the same, turns the links of authors into URLs.

    True where the text has mathematics.
    """
    math = False
    for token, at in walk(tokens, line):
        if token.type == "inline":
            for below, message, mend in leftovers.look(token):
                warn(at + below, message, mend)
        if token.type.startswith("math_"):
            math = True
            if found := maths.complaint(token.content.strip()):
                report(at, *found)
        elif token.type == "fence":
            _check_code(token, at, report)
        elif token.type == "role":
            _check_role(token, at, links, report)
        elif token.type == "link_open":
            _resolve_link(token, at, links, report)
        elif token.type == "image":
            _resolve_image(token, at, links, report)
        elif token.type == "heading_open" and token.tag == "h1":
            report(at, "a heading of the first level; the title comes from lesson.yaml", "begin at ##")
    return math


def _check_code(token: Token, at: int, report: Report) -> None:
    language = token.info.strip().split(" ")[0]
    if not language:
        report(at, "a code block without a language", "write ```cpp, ```python, ```console or ```text")
    elif not code.is_known(language):
        report(at, f"{language!r} is no language of the highlighter", "use cpp, python, console or text")


def _check_role(token: Token, at: int, links: Links, report: Report) -> None:
    kind, name = token.meta["role"], token.meta["target"]
    if links.find(kind, name) is None:
        where = "lessons/glossary.yaml" if kind == "term" else "the table of the API"
        report(at, f"{name!r} is not in {where}", similar(name, links.targets.get(kind, {})))


def _resolve_link(token: Token, at: int, links: Links, report: Report) -> None:
    href = str(token.attrGet("href") or "")
    url = links.resolve(href)
    if url is None:
        report(at, f"the link {href!r} leads nowhere", links.similar(href))
    else:
        token.attrSet("href", url)


def _resolve_image(token: Token, at: int, links: Links, report: Report) -> None:
    source = str(token.attrGet("src") or "")
    url = links.figure(source)
    if url is None:
        report(at, f"there is no figure {source!r} in this folder", links.missing_figure())
    else:
        token.attrSet("src", url)
    if not token.content.strip():
        report(at, f"the figure {source!r} has no alternative text", "write ![what it shows](file.svg)")
