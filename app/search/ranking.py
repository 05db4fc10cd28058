"""Which documents answer a query best: BM25F, S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework".

Words in a title count more than words in a text, rare words more than frequent ones, and a document that has every word
asked for comes before one that has some of them.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from app.search.documents import Document
from app.search.postings import Postings
from app.search.query import Concept
from app.search.words import normal, spaced

KIND = {"lesson": 1.35, "term": 1.1, "exercise": 0.95, "clinic": 1.0, "challenge": 0.8, "function": 0.8}
OTHER_KIND = 0.75
"""Types and values: a question is answered by a lesson rather than by a list of fields."""
FIELDS = (8.0, 4.0, 2.5, 1.0)
"""Weights of title, other names, lead and text."""
LENGTH = (0.4, 0.2, 0.3, 0.7)
"""How much a long field is held against its words, 0 to 1."""
SATURATION = 3.0
COVERED = 1.5
"""Power of the share of the query that a document has."""
LEAST_SHARE = 0.3
LEAST_OF_BEST = 0.2
SAME_NAME = 60.0
"""Added where the query is the title or another name; more than any sum of words gives."""
NAMED = 40.0
"""Added where a word of the query is the name of a function, a status or the like."""
NAME_LENGTH = 11
"""Names of one word that are shorter, like `create`, may be meant as plain words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as it is compared. fields: title, other names, lead, text (`spaced`). text: `normal`."""

    document: Document
    fields: tuple[str, str, str, str]
    sizes: tuple[int, int, int, int]
    text: str
    names: frozenset[str]


def entry(document: Document) -> Entry:
    names = " / ".join(document.names)
    fields = (spaced(document.title), spaced(names), spaced(document.lead), spaced(document.text))
    own = document.title.rsplit(" – ", 1)[-1]
    known = frozenset(spaced(name).strip() for name in (document.title, own, *document.names))
    sizes = (fields[0].count(" "), fields[1].count(" "), fields[2].count(" "), fields[3].count(" "))
    return Entry(document, fields, sizes, normal(document.text), known)


class Ranking:
    """Of the documents of one language."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._postings = Postings([one.fields for one in entries])
        number = max(1, len(entries))
        self._average = [max(1.0, sum(one.sizes[field] for one in entries) / number) for field in range(4)]

    def has(self, concept: Concept) -> bool:
        return any(self._postings.of(form) for form in concept.weights)

    def best(self, wanted: Sequence[Concept], query: str) -> list[Entry]:
        """Best first; without those that have only a small part of what is asked for."""
        scores: defaultdict[int, float] = defaultdict(float)
        shares: defaultdict[int, float] = defaultdict(float)
        for concept in wanted:
            rarity = self._rarity(concept)
            for index, frequency in self._frequencies(concept).items():
                scores[index] += frequency / (SATURATION + frequency) * rarity
                shares[index] += rarity
        known = sum(self._rarity(concept) for concept in wanted)
        whole, named = spaced(query).strip(), {spaced(concept.word).strip() for concept in wanted}
        found = []
        for index, points in scores.items():
            one, share = self.entries[index], shares[index] / known
            by_name = _by_name(one, whole, named)
            if by_name or share >= LEAST_SHARE:
                kind = KIND.get(one.document.kind, OTHER_KIND) * one.document.weight
                found.append((points * kind * share**COVERED + by_name, one))
        found.sort(key=lambda pair: (-pair[0], pair[1].document.title))
        least = found[0][0] * LEAST_OF_BEST if found and found[0][0] < NAMED else 0.0
        return [one for score, one in found if score >= least]

    def _frequencies(self, concept: Concept) -> dict[int, float]:
        """How much of the concept each document has: in each field the best of its words, weighted."""
        counts: dict[int, list[float]] = {}
        for form, weight in concept.weights.items():
            for index, fields in self._postings.of(form).items():
                best = counts.setdefault(index, [0.0] * len(FIELDS))
                for field, number in fields.items():
                    best[field] = max(best[field], number * weight)
        return {index: self._weighted(self.entries[index], best) for index, best in counts.items()}

    def _weighted(self, one: Entry, counts: Sequence[float]) -> float:
        lengths = (1 - b + b * size / mean for b, size, mean in zip(LENGTH, one.sizes, self._average, strict=True))
        return sum(w * count / length for w, count, length in zip(FIELDS, counts, lengths, strict=True))

    def _rarity(self, concept: Concept) -> float:
        """Inverse document frequency, by the word itself where it stands anywhere; 0 for a word that nobody has."""
        own = {index for form in concept.own for index in self._postings.of(form)}
        number = len(own or {index for form in concept.weights for index in self._postings.of(form)})
        return math.log(1 + (len(self.entries) - number + 0.5) / (number + 0.5)) if number else 0.0


def _by_name(one: Entry, whole: str, named: set[str]) -> float:
    if whole in one.names:
        return SAME_NAME * KIND.get(one.document.kind, OTHER_KIND)
    api = one.document.kind in ("function", "enum", "type", "value")
    telling = (name for name in one.names if " " in name or len(name) >= NAME_LENGTH)
    return NAMED if api and any(name in named for name in telling) else 0.0
