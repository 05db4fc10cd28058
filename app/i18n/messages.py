"""Sentences kept in YAML, a text in each language: loaded once, checked, filled with values."""

from functools import cache
from pathlib import Path
from typing import Any

from app.i18n.locales import LANGS, Lang
from grader.contract.marked_yaml import Document, load_marked

FOLDER = Path(__file__).parent / "sentences"

Pair = dict[Lang, str]


class _Shown(dict[str, Any]):
    """Values for a sentence: a missing one shows its own name, since an error in a message must not hide the error."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def load(name: str) -> dict[str, Any]:
    """The mapping of `sentences/<name>.yaml`. Raises ContentError where it cannot be read or a language is missing."""
    document = load_marked(FOLDER / f"{name}.yaml")
    _check(document, document.data, ())
    document.finish()
    data: dict[str, Any] = document.data
    return data


def _check(document: Document, value: Any, path: tuple[str | int, ...]) -> None:
    """Whatever has one language must have the other."""
    if isinstance(value, dict):
        found = [lang for lang in LANGS if lang in value]
        if found and len(found) < len(LANGS):
            document.problem(path, f"{'.'.join(map(str, path))} has only {found[0]}", "write both ko and en")
        if found and len(value) > len(found):  # {en: Not run, since …} is two keys to YAML
            strange = sorted(set(map(str, value)) - set(found))[0]
            document.problem(path, f"{strange!r} is no language", "put a text with a comma in quotes")
        for key, below in value.items():
            _check(document, below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            _check(document, below, (*path, index))


def fill(text: str, values: dict[str, Any]) -> str:
    return text.format_map(_Shown(values))


def error(code: str, lang: Lang, values: dict[str, Any]) -> tuple[str, str]:
    """Message and mend of an error code of the web program."""
    entry = load("errors")[code]
    variant = entry.get(values.get("kind", ""), entry)
    return fill(variant["message"][lang], values), fill(variant.get("mend", {}).get(lang, ""), values)


def title(name: str, lang: Lang) -> str:
    """Title of a page of ours."""
    return str(load("titles")[name][lang])


def reference_text(kind: str, name: str, lang: Lang) -> str:
    """A word of the reference pages; that of `any` where the kind has none of this name."""
    texts = load("reference")[kind]
    return str(texts.get(name, texts.get("any", {lang: name}))[lang])
