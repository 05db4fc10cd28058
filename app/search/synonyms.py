"""Other words for the words of a query: from synonyms.yaml and from the course's glossary."""

from collections.abc import Iterable
from pathlib import Path

import yaml

from app.search.words import HANGUL, spaced

FILE = Path(__file__).with_name("synonyms.yaml")


class Synonyms:
    """groups: words that mean the same; spelled in any way, compared as `spaced` words."""

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        self._groups = [tuple(spaced(word).strip() for word in group) for group in groups]
        self._of: dict[str, set[int]] = {}
        for number, group in enumerate(self._groups):
            for word in group:
                self._of.setdefault(word, set()).add(number)
        several = {word for word in self._of if " " in word}
        self._several = sorted(several, key=len, reverse=True)

    def phrases(self, query: str) -> tuple[list[str], str]:
        """The words of several parts in a query (`spaced`), and what is left of it."""
        found = []
        for phrase in self._several:
            at = query.find(f" {phrase}")
            end = at + 1 + len(phrase)
            if at >= 0 and (query[end] == " " or HANGUL.match(phrase[-1])):
                found.append(phrase)
                query = query[:at] + " " + query[end:].lstrip() if query[end] == " " else _cut(query, at, end)
        return found, query

    def of(self, forms: Iterable[str]) -> set[str]:
        """Other words for a word given in its forms."""
        numbers: set[int] = set()
        for form in forms:
            numbers |= self._of.get(form, set())
            if HANGUL.match(form):
                numbers |= {n for word, found in self._of.items() if _begins(form, word) for n in found}
        return {word for number in numbers for word in self._groups[number]}


def _cut(query: str, at: int, end: int) -> str:
    """Without the phrase and the ending that stands directly behind it."""
    return query[:at] + query[query.find(" ", end) :]


def _begins(form: str, word: str) -> bool:
    return len(word) > 1 and bool(HANGUL.match(word)) and form.startswith(word)


def groups() -> list[list[str]]:
    return [[str(word) for word in group] for group in yaml.safe_load(FILE.read_text(encoding="utf-8"))]
