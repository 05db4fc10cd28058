"""Where words stand: for each word of a language's documents, the documents and fields that have it."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from app.search.words import HANGUL

Places = Mapping[int, Mapping[int, int]]
"""How often, by document (its index) and field (its index)."""
INSIDE = 8
"""From this many letters on, a Latin word may also stand inside another: `ConvolutionForward`."""
WHOLE = 3
"""Latin words up to this length stand for themselves only, not for every word that they begin."""
REMEMBERED = 4096


class Postings:
    def __init__(self, fields: Sequence[Sequence[str]]) -> None:
        """fields: of each document, its texts as `spaced` gives them."""
        self._fields = fields
        places: defaultdict[str, dict[int, dict[int, int]]] = defaultdict(dict)
        for index, texts in enumerate(fields):
            for field, text in enumerate(texts):
                for word, number in Counter(text.split()).items():
                    places[word].setdefault(index, {})[field] = number
        self._places = dict(places)
        self._words = sorted(places)
        self._hangul = [word for word in self._words if HANGUL.search(word)]
        self.of = lru_cache(REMEMBERED)(self._of)

    def _of(self, form: str) -> Places:
        """Where a form stands: a Korean one anywhere in words, a Latin one at their beginning, several in a row."""
        if " " in form:
            return self._row(form)
        found: dict[int, dict[int, int]] = {}
        for word in self._holding(form):
            for index, fields in self._places[word].items():
                counts = found.setdefault(index, {})
                for field, number in fields.items():
                    counts[field] = counts.get(field, 0) + number
        return found

    def _row(self, form: str) -> Places:
        first, last = form.split()[0], form.split()[-1]
        both = self.of(first).keys() & self.of(last).keys()
        found: dict[int, dict[int, int]] = {}
        for index in both:
            counts = {f: n for f, text in enumerate(self._fields[index]) if (n := text.count(f" {form}"))}
            if counts:
                found[index] = counts
        return found

    def _holding(self, form: str) -> Iterator[str]:
        """The words in which a form stands."""
        if HANGUL.match(form):
            yield from (word for word in self._hangul if form in word)
        elif len(form) <= WHOLE:
            yield from (form,) if form in self._places else ()
        elif len(form) >= INSIDE:
            yield from (word for word in self._words if form in word)
        else:
            at = bisect_left(self._words, form)
            while at < len(self._words) and self._words[at].startswith(form):
                yield self._words[at]
                at += 1
