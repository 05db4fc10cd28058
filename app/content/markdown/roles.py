"""`:term[workspace]` and `:api[cudnnCreate]`; a text of one's own is written `:term[the space <workspace>]`."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

ROLE = re.compile(r":(term|api)\[([^\[\]<>]+?)(?:\s*<([^<>\[\]]+)>)?\]")


def roles_plugin(md: MarkdownIt) -> None:
    """Tokens of type `role`: meta has `role`, `target` and `text` (empty: the target's own name is shown)."""
    md.inline.ruler.before("escape", "role", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != ":":
        return False
    match = ROLE.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("role", "", 0)
        token.content = match[0]
        token.meta = {"role": match[1], "target": (match[3] or match[2]).strip(), "text": match[2] if match[3] else ""}
    state.pos = match.end()
    return True
