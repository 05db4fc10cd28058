"""Heading ids that stay the same, and the table of contents made of them."""

import re
import unicodedata
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import escape

EXPLICIT = re.compile(r"\s*\{#([A-Za-z][\w-]*)\}\s*$")


@dataclass(slots=True)
class Heading:
    id: str
    text: str
    level: int
    children: list["Heading"] = field(default_factory=list)


def slug(text: str) -> str:
    """Letters (Hangul too), digits, hyphens: `알고리즘 고르기!` → `알고리즘-고르기`."""
    kept = re.sub(r"[^\w\s-]", "", unicodedata.normalize("NFC", text).lower())
    return re.sub(r"[\s_]+", "-", kept).strip("-") or "section"


def headings_plugin(md: MarkdownIt) -> None:
    """Gives h2 and h3 an id (`## Title {#id}`, else from the text) and collects them in `env["headings"]`."""
    md.core.ruler.push("headings", _rule)
    md.add_render_rule("heading_close", _close)


def _rule(state: StateCore) -> None:
    found: list[Heading] = state.env.setdefault("headings", [])
    for opening, inline, closing in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if opening.type != "heading_open" or opening.tag not in ("h2", "h3"):
            continue
        explicit = _take_explicit(inline)
        text = "".join(child.content for child in inline.children or [] if child.type in ("text", "code_inline"))
        text = text.strip()
        name = _unique(explicit or slug(text), {heading.id for heading in found})
        opening.attrSet("id", name)
        closing.meta = {"anchor": name, "text": text}
        found.append(Heading(name, text, int(opening.tag[1])))


def _take_explicit(inline: Token) -> str:
    last = inline.children[-1] if inline.children else None
    match = EXPLICIT.search(last.content) if last and last.type == "text" else None
    if last is None or match is None:
        return ""
    last.content = last.content[: match.start()]
    return match[1]


def _unique(name: str, taken: set[str]) -> str:
    candidate, count = name, 2
    while candidate in taken:
        candidate, count = f"{name}-{count}", count + 1
    return candidate


def _close(self: object, tokens: list[Token], index: int, options: object, env: object) -> str:
    token = tokens[index]
    if not token.meta:
        return f"</{token.tag}>\n"
    anchor, text = escape(token.meta["anchor"]), escape(token.meta["text"])
    return f' <a class="anchor" href="#{anchor}" aria-label="{text}">#</a></{token.tag}>\n'


def tree(flat: list[Heading]) -> list[Heading]:
    """h3 below the h2 before it; an h3 that comes first stands by itself."""
    top: list[Heading] = []
    for heading in flat:
        if heading.level == 3 and top and top[-1].level == 2:
            top[-1].children.append(heading)
        else:
            top.append(heading)
    return top
