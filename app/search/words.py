"""Words of a query, in the forms in which they may stand in a text."""

import re
import unicodedata

_PARTICLES = """
은 는 이 가 을 를 와 과 의 에 도 만 로 으로 에서 에게 부터 까지 보다 처럼 마다 이나 나 이란 란
이라는 라는 이며 며 이고 고 하고 이랑 랑 에는 에도 에서는 에서도 으로는 로는 으로써 로써 이다
입니다 인가요 인가 조차 마저 밖에 들은 들이 들을 들의 하는 하기 하면 한다 합니다 되는 된다
"""
PARTICLES = sorted(_PARTICLES.split(), key=len, reverse=True)
"""Endings that Korean writes directly behind a word; the longest fitting one is taken off."""
MIN_STEM = 2
HANGUL_WORD = re.compile(r"[가-힣]$")


def normal(text: str) -> str:
    """NFC and without case, as texts and queries are compared. As long as the text itself."""
    composed = unicodedata.normalize("NFC", text)
    lowered = composed.lower()
    return lowered if len(lowered) == len(composed) else composed


def words(query: str) -> list[tuple[str, ...]]:
    """For each word its forms, the word itself first: `합성곱을` also as `합성곱`, `descriptors` as `descriptor`."""
    found = re.findall(r"[^\s,.;:!?()\[\]{}\"'“”‘’`]+", normal(query))
    return [forms(word) for word in found[:10]]


def forms(word: str) -> tuple[str, ...]:
    if HANGUL_WORD.search(word):
        for particle in PARTICLES:
            if word.endswith(particle) and len(word) - len(particle) >= MIN_STEM:
                return word, word[: -len(particle)]
        return (word,)
    if word.endswith("s") and len(word) > 4:
        return word, word[:-1]
    return (word,)


def grams(text: str, size: int = 2) -> set[str]:
    """Overlapping pieces; two characters are enough to tell Korean words apart, and survive a typing error."""
    return {text[i : i + size] for i in range(len(text) - size + 1)}
