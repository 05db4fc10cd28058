"""Mathematics: LaTeX to MathML, and what of LaTeX cannot be shown."""

import re
from functools import lru_cache

from latex2mathml.converter import convert
from markupsafe import escape

from app.content.markdown.emphasis import is_hangul

TEXT_COMMAND = re.compile(r"\\(?:text|mbox|hbox|textrm|textbf|textit)\s*\{[^{}]*\}")
UNKNOWN = re.compile(r"<(?:mi|mo|mtext)[^>]*>(\\[A-Za-z]+\*?)<")
BARE_AMPERSAND = re.compile(r"<mi>&</mi>")


@lru_cache(maxsize=4096)
def to_mathml(latex: str, display: bool) -> str:
    """MathML, or the source as code where it cannot be converted; `complaint` says why."""
    try:
        return convert(latex, display="block" if display else "inline")
    except Exception:  # the converter raises a dozen unrelated types, IndexError among them
        return f"<code>{escape(latex)}</code>"


@lru_cache(maxsize=4096)
def complaint(latex: str) -> tuple[str, str] | None:
    """What is wrong with a formula, and how to mend it; None where it renders."""
    if any(is_hangul(character) for character in TEXT_COMMAND.sub("", latex)):
        shown = latex if len(latex) < 40 else latex[:40] + "…"
        return f"Korean text inside a formula: ${shown}$", r"put it in \text{…}, or write \$ for a dollar sign"
    bare = re.sub(r"\\\\|\\[{}]", "", latex)
    if bare.count("{") != bare.count("}"):
        return f"a brace without its counterpart in the formula ${latex}$", "give each { its }"
    try:
        mathml = convert(latex)
    except Exception as error:  # see to_mathml
        return f"the formula cannot be read ({type(error).__name__}): ${latex}$", "check braces and \\left … \\right"
    if unknown := UNKNOWN.search(mathml):
        return (
            f"{unknown[1]} is unknown to the formula renderer",
            "check its spelling, or use another command",
        )
    if BARE_AMPERSAND.search(mathml):
        return "an environment in this formula is unknown", r"use \begin{align*}, \begin{cases} or \begin{matrix}"
    if " style=" in mathml or " href=" in mathml:
        return "this formula has inline styles or links, which the page forbids", r"do without \style and \href"
    if 'width="negative' in mathml:
        return "browsers ignore the negative space in this formula", r"do without \!"
    return None
