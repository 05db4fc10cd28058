"""Where a long identifier may go on in another line: after an underscore, and where a next word of camelCase begins."""

import re

from markupsafe import Markup, escape

LONG = 16
"""Characters of the shortest identifier that is broken; a shorter one goes to the next line as a whole."""
_WORD = re.compile(rf"\w{{{LONG},}}", re.ASCII)
_PLACES = re.compile(r"(?<=[A-Za-z0-9]_)(?=[A-Za-z0-9]{2})|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def breakable(text: str) -> Markup:
    """The text as HTML with `<wbr>` in its long identifiers; it is no character: copies and searches stay the same."""
    return Markup(_WORD.sub(lambda word: _PLACES.sub("<wbr>", word[0]), str(escape(text))))  # noqa: S704  (escaped)
