"""YAML with the line of every value, and a reader that collects what an author got wrong instead of stopping at it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grader.contract.problems import ContentError, Problem

Path_ = tuple[str | int, ...]


_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's parser is ten times as fast


class _Loader(_Base):  # type: ignore[misc]
    """YAML 1.1 reads `1e-4` as text; authors mean the number."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d[\d_]*)(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


@dataclass(slots=True)
class Document:
    """A parsed file: plain data, the line of each value by its path, and the problems found so far."""

    file: Path
    data: Any
    lines: dict[Path_, int]
    problems: list[Problem] = field(default_factory=list)

    def line(self, path: Path_) -> int:
        """Line of the value at `path`, or of the nearest enclosing value that has one."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 0)

    def problem(self, path: Path_, message: str, mend: str) -> None:
        self.problems.append(Problem(self.file, self.line(path), message, mend))

    def finish(self) -> None:
        """Raises ContentError where any problem was found."""
        if self.problems:
            raise ContentError(self.problems)


def load_marked(file: Path) -> Document:
    """Raises ContentError where the file is missing, not UTF-8, or not YAML."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ContentError([Problem(file, 0, "the file is missing", f"create {file.name}")]) from None
    except UnicodeDecodeError as error:
        raise ContentError([Problem(file, 0, f"not UTF-8: {error}", "save the file as UTF-8")]) from None
    document = Document(file, None, {})
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        document.data = _convert(loader, node, (), document) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        reason = getattr(error, "problem", None) or str(error)
        problem = Problem(file, line, f"not valid YAML: {reason}", "check indentation, colons and brackets here")
        raise ContentError([problem]) from None
    finally:
        loader.dispose()
    return document


def _convert(loader: _Loader, node: yaml.Node, path: Path_, document: Document) -> Any:
    document.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            key = key if isinstance(key, str | int) else str(key)
            document.lines[(*path, key)] = key_node.start_mark.line + 1
            if key in result:
                document.problem((*path, key), f"key {key!r} is given twice", "keep one of them")
            result[key] = _convert(loader, value_node, (*path, key), document)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_convert(loader, item, (*path, i), document) for i, item in enumerate(node.value)]
    return loader.construct_object(node, deep=True)


class Section:
    """A mapping in a document. Reading a key that is missing or of a wrong type notes a problem and gives a default."""

    def __init__(self, document: Document, path: Path_ = ()) -> None:
        self.document = document
        self.path = path
        data = document.data
        for step in path:
            data = data[step]
        if not isinstance(data, dict):
            self._wrong("a mapping", data, ())
            data = {}
        self.data: dict[Any, Any] = data

    def _wrong(self, wanted: str, value: Any, below: Path_) -> None:
        name = ".".join(map(str, (*self.path, *below))) or "the file"
        shown = type(value).__name__ if isinstance(value, dict | list) else repr(value)
        self.document.problem((*self.path, *below), f"{name} must be {wanted}, not {shown}", f"write {wanted} here")

    def problem(self, key: str | int | None, message: str, mend: str) -> None:
        path = self.path if key is None else (*self.path, key)
        self.document.problem(path, message, mend)

    def only(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.problem(key, f"unknown key {key!r}", f"remove it, or use one of: {', '.join(known)}")

    def has(self, key: str) -> bool:
        return key in self.data

    def _value(self, key: str, wanted: str, types: tuple[type, ...], default: Any, required: bool) -> Any:
        if key not in self.data:
            if required:
                where = ".".join(map(str, self.path)) or "the file"
                self.problem(None, f"{where} lacks the key {key!r}", f"add `{key}:` with {wanted}")
            return default
        value = self.data[key]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            self._wrong(wanted, value, (key,))
            return default
        return value

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        return str(self._value(key, "a text", (str,), default, required))

    def integer(self, key: str, default: int = 0, *, required: bool = False) -> int:
        return int(self._value(key, "an integer", (int,), default, required))

    def number(self, key: str, default: float = 0.0, *, required: bool = False) -> float:
        return float(self._value(key, "a number", (int, float), default, required))

    def truth(self, key: str, default: bool = False) -> bool:
        return bool(self._value(key, "true or false", (bool,), default, required=False))

    def choice(self, key: str, allowed: tuple[str, ...], default: str = "", *, required: bool = False) -> str:
        value = self.text(key, default, required=required)
        if key in self.data and value not in allowed:
            self.problem(key, f"{key} is {value!r}", f"use one of: {', '.join(allowed)}")
        return value

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        values = self._value(key, "a list of texts", (list,), [], required)
        for i, value in enumerate(values):
            if not isinstance(value, str):
                self._wrong("a text", value, (key, i))
        return tuple(str(value) for value in values)

    def section(self, key: str) -> "Section | None":
        """The mapping under `key`; None where the key is absent."""
        return Section(self.document, (*self.path, key)) if key in self.data else None

    def sections(self, key: str, *, required: bool = False) -> "list[Section]":
        values = self._value(key, "a list", (list,), [], required)
        return [Section(self.document, (*self.path, key, i)) for i in range(len(values))]

    def both_languages(self, key: str) -> dict[str, str]:
        """A text in Korean and English: ``{ko: …, en: …}``."""
        if not self.has(key):
            self.problem(None, f"the key {key!r} is missing", f"add `{key}: {{ko: …, en: …}}`")
            return {"ko": "", "en": ""}
        pair = Section(self.document, (*self.path, key))
        pair.only("ko", "en")
        return {lang: pair.text(lang, required=True) for lang in ("ko", "en")}
