"""Korean particles behind numbers: whether 은 or 는, 이 or 가 fits depends on the last syllable of the number."""

import re

PAIRS = (("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("으로", "로"))
"""After a consonant, after a vowel."""
_PARTICLE = re.compile(r"[`*$]*(으로|[은는이가을를과와로])(?![가-힣])")
_CONSONANT = "013678"
"""Last digits whose reading ends in a consonant: 영, 일, 삼, 육, 칠, 팔. Tens and higher do, too (십, 백, 천)."""
_RIEUL = "178"
"""Readings that end in ㄹ, after which 로 stands."""


def behind(text: str, position: int) -> str:
    """The particle that follows at `position`; "" where none does, or one that fits every number (의, 에, 도, 이면)."""
    found = _PARTICLE.match(text, position)
    return found[1] if found else ""


def fitting(particle: str, number: str) -> str:
    """The form of the particle that fits the number, `이` and `가` behind 3 and 2."""
    consonant, vowel = next(pair for pair in PAIRS if particle in pair)
    closed = number[-1] in _CONSONANT and not (vowel == "로" and number[-1] in _RIEUL)
    return consonant if closed else vowel
