"""What a misspelt word may have meant."""

from collections.abc import Iterable

from app.search.words import HANGUL, forms, grams

SIMILAR = 0.7
"""Share of common pairs of letters (Dice) from which a word may be another one misspelt."""
SHORT = 3


class Vocabulary:
    def __init__(self, texts: Iterable[str]) -> None:
        """texts: `spaced`. Korean words without their endings."""
        found = {word for text in texts for word in text.split()}
        stems = {forms(word)[-1] if HANGUL.match(word) else word for word in found}
        self._words = [(word, grams(word)) for word in sorted(stems) if len(word) > 1 and not word.isdigit()]

    def nearest(self, word: str) -> str:
        """The most similar word, or "" where none is similar."""
        if len(word) < SHORT:
            return ""
        wanted = grams(word)
        scored = ((2 * len(wanted & other) / (len(wanted) + len(other)), known) for known, other in self._words)
        score, best = max(scored, default=(0.0, ""))
        return best if score >= SIMILAR else ""
