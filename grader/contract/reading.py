"""Reads an author's text file, and says in which line it cannot be read."""

from pathlib import Path

import yaml

from grader.contract.problems import Problem

_MENDS = {
    "tab character": "indent with spaces: YAML takes no tabs",
    "cannot start any token": "indent with spaces, and put a text that begins with a sign in quotes",
    "mapping values are not allowed": "put a text that holds a colon and a space in quotes",
    "undefined alias": "put a text that begins with * in quotes",
    "could not determine a constructor": "put a text that begins with ! in quotes",
    "another document": "remove the line `---`",
    "control characters": "remove the invisible character",
    "block end": "give the keys of one mapping the same indentation",
    "expected key": "give the keys of one mapping the same indentation",
}
"""By a piece of libyaml's message."""
_BRACKETS = "close every bracket and brace, and put commas between the entries"
_QUOTES = "close the quotes"


def read_text(file: Path, problems: list[Problem]) -> str | None:
    """Text of a UTF-8 file without its byte order mark; None where it cannot be read, which is noted."""
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        problems.append(Problem(file, 0, "the file is missing", f"create {file.name}"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"not UTF-8: byte 0x{error.object[error.start]:02x}"
        problems.append(Problem(file, line, found, "save the file as UTF-8"))
    except OSError as error:
        problems.append(Problem(file, 0, f"cannot be read: {error.strerror}", "let it be a readable file"))
    return None


def yaml_problem(file: Path, text: str, error: yaml.YAMLError) -> Problem:
    """What is wrong in the author's words, at the line where it began: a quote's or bracket's, not the file's end."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark, mend = error.problem_mark, "check indentation, colons and brackets here"
        context = error.context or ""
        if "quoted scalar" in context or "flow " in context:
            mark = error.context_mark or mark
            mend = _QUOTES if "quoted" in context else _BRACKETS
        line = mark.line + 1 if mark else 0
        reason = f"{error.problem or error}"
    else:
        control = next((i for i, sign in enumerate(text) if ord(sign) < 32 and sign not in "\n\r\t"), None)
        line = text.count("\n", 0, control) + 1 if control is not None else 0
        reason, mend = str(error).split("\n", 1)[0], "remove the invisible character"
    mend = next((better for piece, better in _MENDS.items() if piece in reason), mend)
    return Problem(file, line, f"not valid YAML: {reason}", mend)
