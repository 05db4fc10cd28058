"""YAML with the line of every value, and a reader that collects what an author got wrong instead of stopping at it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grader.contract.problems import ContentError, Problem
from grader.contract.reading import read_text, yaml_problem

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
    problems: list[Problem] = []
    text = read_text(file, problems)
    if text is None:
        raise ContentError(problems)
    document = Document(file, None, {})
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        document.data = _convert(loader, node, (), document) if node is not None else None
    except yaml.YAMLError as error:
        raise ContentError([yaml_problem(file, text, error)]) from None
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


MAPPING = "keys with values"
_SHOWN: dict[type, str] = {type(None): "empty", list: "a list", dict: "keys with values"}


def _name(path: Path_) -> str:
    """A value as authors know it: `questions[2].choices[0]`."""
    if not path:
        return "the file"
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


class Section:
    """A mapping in a document. Reading a key that is missing or of a wrong type notes a problem and gives a default."""

    def __init__(self, document: Document, path: Path_ = ()) -> None:
        self.document = document
        self.path = path
        data = document.data
        for step in path:
            data = data[step]
        self.broken = not isinstance(data, dict)
        """Whether it is no mapping, which has been noted: what it lacks is not worth a word."""
        if self.broken and data is None and not path:
            noted = Problem(
                document.file, 1, "the file is empty", "write its keys and values, one a line: `key: value`"
            )
            document.problems += [] if noted in document.problems else [noted]
        elif self.broken:
            self._wrong(MAPPING, data, ())
        if self.broken:
            data = {}
        self.data: dict[Any, Any] = data

    def _wrong(self, wanted: str, value: Any, below: Path_, mend: str = "") -> None:
        path = (*self.path, *below)
        problem = f"{_name(path)} must be {wanted}, not {_SHOWN.get(type(value), repr(value))}"
        noted = Problem(self.document.file, self.document.line(path), problem, mend or f"write {wanted} here")
        if noted not in self.document.problems:
            self.document.problems.append(noted)

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
            if required and not self.broken:
                self.problem(None, f"{_name(self.path)} lacks the key {key!r}", f"add `{key}:` with {wanted}")
            return default
        value = self.data[key]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            self._wrong(wanted, value, (key,))
            return default
        return value

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        value = str(self._value(key, "a text", (str,), default, required))
        if required and self.data.get(key) is not None and isinstance(self.data[key], str) and not value.strip():
            self.problem(key, f"{_name((*self.path, key))} is empty", "write its text")
        return value

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
            if not self.broken:
                self.problem(None, f"the key {key!r} is missing", f"add `{key}: {{ko: …, en: …}}`")
            return {"ko": "", "en": ""}
        if not isinstance(self.data[key], dict):
            mend = f"write `{key}: {{ko: …, en: …}}`"
            self._wrong("a text in each language", self.data[key], (key,), mend)
            return {"ko": "", "en": ""}
        pair = Section(self.document, (*self.path, key))
        pair.only("ko", "en")
        return {lang: pair.text(lang, required=True) for lang in ("ko", "en")}
