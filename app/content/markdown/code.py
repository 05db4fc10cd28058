"""Code blocks, coloured by classes (no inline styles)."""

import ast
import re
from functools import lru_cache
from html import unescape

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from app.breaks import breakable

_TAG = re.compile(r"(<[^>]*>)")
FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def is_known(language: str) -> bool:
    try:
        get_lexer_by_name(language or "text")
    except ClassNotFound:
        return False
    return True


@lru_cache(maxsize=2048)
def to_html(source: str, language: str) -> Markup:
    """`<div class="highlight" data-language=…><pre><code>`; plain text where the language is unknown."""
    name = language if is_known(language) else "text"
    coloured = highlight(source, get_lexer_by_name(name or "text", stripnl=False), FORMATTER)
    label = escape(language or "text")
    return Markup(  # noqa: S704  (Pygments escapes the source)
        f'<div class="highlight" data-language="{label}"><pre tabindex="0"><code>{coloured}</code></pre></div>\n'
    )


def inline(source: str, language: str = "cpp") -> Markup:
    """One line of coloured code, for declarations, which go on in another line where they are long."""
    coloured = highlight(source, get_lexer_by_name(language), FORMATTER).rstrip("\n")
    parts = _TAG.split(coloured)
    parts[::2] = [breakable(unescape(part)) for part in parts[::2]]
    return Markup("".join(parts))  # noqa: S704  (Pygments and `breakable` escape the source)


def python_error(source: str) -> tuple[int, str] | None:
    """Line and reason where the source is no Python program; None where it is one."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except ValueError as error:
        return 1, str(error)
    return None
