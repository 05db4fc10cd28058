"""Looks for names that an exercise forbids, in the learner's source: not in comments, not in strings."""

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from grader.contract.job import Language


@dataclass(frozen=True, slots=True)
class Use:
    """A forbidden name and the first line that uses it."""

    token: str
    line: int


_CPP_SKIP = re.compile(
    r"""//(?:[^\n\\]|\\.|\\\n)*            # line comment, continued by a backslash
      | /\*.*?(?:\*/|\Z)                   # block comment
      | (?:u8|[uUL])?R"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)   # raw string
      | (?:u8|[uUL])?"(?:[^"\\\n]|\\.|\\\n)*"?
      | '(?:[^'\\\n]|\\.)+'""",
    re.S | re.X,
)


def find_forbidden(source: str, language: Language, forbidden: tuple[str, ...]) -> Use | None:
    """The first use of a forbidden name, by line; None where there is none.

    A dotted name (``numpy.dot``) is found in Python under any alias of its module; in C++ names are words.
    """
    if not forbidden:
        return None
    uses = _python(source, forbidden) if language == "python" else _cpp(source, forbidden)
    return min(uses, key=lambda use: (use.line, use.token), default=None)


def strip_cpp(source: str) -> str:
    """The source without comments and strings; line numbers stay."""

    def blank(match: re.Match[str]) -> str:
        return " " + "\n" * match[0].count("\n")

    return _CPP_SKIP.sub(blank, source)


def _cpp(source: str, forbidden: tuple[str, ...]) -> list[Use]:
    text = strip_cpp(source)
    uses: list[Use] = []
    for token in forbidden:
        match = re.search(rf"(?<![\w]){re.escape(token)}(?![\w])", text)
        if match:
            uses.append(Use(token, text.count("\n", 0, match.start()) + 1))
    return uses


def _python(source: str, forbidden: tuple[str, ...]) -> list[Use]:
    """By tokens, not by a syntax tree: reading them takes time in proportion to the source, whatever it holds."""
    words = _words(source)
    aliases = _aliases(words)
    uses: list[Use] = []
    for name, line in _dotted_names(words):
        first, _, rest = name.partition(".")
        full = aliases.get(first, first) + (f".{rest}" if rest else "")
        uses += [Use(token, line) for token in forbidden if _matches(full, token) or _matches(name, token)]
    uses += [Use(token, line) for full, line in _imported(words) for token in forbidden if _matches(full, token)]
    return uses


def _matches(name: str, token: str) -> bool:
    """`numpy.dot` forbids numpy.dot; `numpy` forbids the module; `dot` forbids the name wherever it is used."""
    return name == token or name.startswith(token + ".") or ("." not in token and token in name.split("."))


Word = tuple[str, int]
"""A name or an operator, and its line. Every logical line ends with a word "\\n"."""


def _words(source: str) -> list[Word]:
    words: list[Word] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.NAME, tokenize.OP):
                words.append((token.string, token.start[0]))
            elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                words.append(("\n", token.start[0]))
            elif token.type == tokenize.STRING and "f" in token.string.split(token.string[-1], 1)[0].lower():
                words += [(word, token.start[0]) for word in _WORD.findall(token.string)]
    except (tokenize.TokenError, SyntaxError):
        words.append(("\n", 0))
    return words


_WORD = re.compile(r"[^\W\d]\w*|\.")
"""In a formatted string, which may hold expressions."""


def _dotted_names(words: list[Word]) -> Iterator[Word]:
    """``a.b.c`` as one name."""
    parts: list[str] = []
    line = 0
    for i, (word, number) in enumerate(words):
        if word.isidentifier() and (not parts or words[i - 1][0] == "."):
            line = line if parts else number
            parts.append(word)
        elif word != "." or not parts:
            if parts:
                yield ".".join(parts[:MAX_PARTS]), line
            parts = []
            if word.isidentifier():
                parts, line = [word], number
    if parts:
        yield ".".join(parts[:MAX_PARTS]), line


MAX_PARTS = 20


def _statements(words: list[Word]) -> Iterator[list[Word]]:
    statement: list[Word] = []
    for word in words:
        if word[0] in ("\n", ";"):
            if statement:
                yield statement
            statement = []
        else:
            statement.append(word)


def _imports(words: list[Word]) -> Iterator[tuple[str, str, int]]:
    """(full name, local name, line) of everything that is imported."""
    for statement in _statements(words):
        texts = [text for text, _ in statement]
        line = statement[0][1]
        if texts[0] == "import":
            module, items = "", texts[1:]
        elif texts[0] == "from" and "import" in texts:
            module, items = "".join(texts[1 : texts.index("import")]) + ".", texts[texts.index("import") + 1 :]
        else:
            continue
        for item in " ".join(word for word in items if word not in "()").split(","):
            name, _, local = item.partition(" as ")
            full = module + name.replace(" ", "")
            yield full, local.strip() or (full.rpartition(".")[2] if module else full.partition(".")[0]), line


def _aliases(words: list[Word]) -> dict[str, str]:
    """Local name → full name, where they differ."""
    return {local: full for full, local, _ in _imports(words) if not full.startswith(local)}


def _imported(words: list[Word]) -> Iterator[tuple[str, int]]:
    for full, _, line in _imports(words):
        yield full, line
