"""A query as the things that it asks for, each with the words that may stand for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.search.synonyms import Synonyms
from app.search.words import forms, spaced, words

OTHER_WORD = 0.6
"""What a synonym counts against the word itself."""


@dataclass(frozen=True, slots=True)
class Concept:
    """word: as asked. own: its forms. weights: forms and synonyms (all `spaced`, without the outer spaces)."""

    word: str
    own: tuple[str, ...]
    weights: Mapping[str, float]


def concepts(query: str, synonyms: Synonyms) -> list[Concept]:
    phrases, rest = synonyms.phrases(spaced(query))
    joined = [word for word in words(query) if "_" in word]
    parts = {part for word in joined for part in spaced(word).split()}
    single = [word for word in words(rest) if word not in parts]
    return [concept(word, synonyms) for word in (*joined, *phrases, *single)]


def concept(word: str, synonyms: Synonyms) -> Concept:
    own = (spaced(word).strip(),) if "_" in word or " " in word else forms(word)
    others = {other: OTHER_WORD for other in synonyms.of(own) if other}
    return Concept(word, own, others | dict.fromkeys(own, 1.0))


def all_forms(wanted: Iterable[Concept]) -> list[str]:
    return [form for one in wanted for form in one.weights]
