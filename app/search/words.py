"""Words of a query, in the forms in which they may stand in a text."""

import re
import unicodedata

_PARTICLES = """
은 는 이 가 을 를 와 과 의 에 도 만 로 으로 에서 에게 부터 까지 보다 처럼 마다 이나 나 이란 란
이라는 라는 이며 며 이고 고 하고 이랑 랑 에는 에도 에서는 에서도 으로는 로는 으로써 로써 이다 대로 마저 조차 밖에
들 들은 들이 들을 들의 이랑은 이라면 라면 인데 인지 인가 인가요 이에요 예요 입니다
하는 하기 하면 한다 합니다 하려면 려면 으려면 하나요 하나 하는지 할까 할까요 하지 해서 해요 해야 했는데 했더니 하고도
되는 된다 됩니다 되나요 되는지 되면 돼요 안돼요 기 하려고 시키기 시키려면
"""
PARTICLES = sorted(_PARTICLES.split(), key=len, reverse=True)
"""Endings that Korean writes directly behind a word; the longest fitting one is taken off."""

_STOP = """
왜 어떻게 어떡하나요 무엇 무엇인가요 무엇이 무엇을 뭐 뭐가 뭔가요 뭔지 뭐예요 뭐에요 어떤 어느 언제 어디 어디서 누가
얼마나 이유 이유가 이유는 까닭 방법 방법은 법 것 거 게 걸 건가요 수 때 때는 경우 경우에 좀 그냥 자꾸 계속 정말
그리고 그런데 그래서 하지만 하나요 하나 하는 하면 해요 해야 할 한 하려면 되나요 되나 되는 되면 돼요 된 됩니다 합니다
있나요 있어요 있는 있을 있다 없나요 없어요 인가요 필요한가요 필요해요 필요하나요 뜨는 뜹니다 떠요 떠서 뜰 나요
나와요 나오는 나옵니다 나오나요 난다 나는 납니다 알려줘 알고 싶어요 싶은데 이게 이거 이건 저는 제가 내 내가 제
좋나요 좋은가요 무슨 대해 대한 위한 위해 여러 개를 개 만들면 만드는 만들기 써야 쓰는 쓰나요 쓰면 쓰려면 써요 써도
같이 difference 차이 차이가 차이는 a an the and or of to in on at by for with from as is are was be been do does did
it its this that these those i my me we our you your what why how when where which who whether can could should
would will shall must may might if then than so too very just get got getting gets have has had there about into use
used using need needs want mean means meaning vs versus please help
"""
STOP = frozenset(_STOP.split())
"""Words of questions rather than of answers; looked for only where a query has no others."""

MIN_STEM = 2
MAX_WORDS = 12
WORD = re.compile(r"[가-힣]+|[^\W가-힣][^\W가-힣]*(?:[.][0-9]+)*")
HANGUL = re.compile(r"[가-힣]")
SUFFIXES = ("ings", "ing", "ies", "ed", "es", "s")


def normal(text: str) -> str:
    """NFC and without case, as texts and queries are compared. As long as the text itself."""
    composed = unicodedata.normalize("NFC", text)
    lowered = composed.lower()
    return lowered if len(lowered) == len(composed) else composed


def spaced(text: str) -> str:
    """The words of a text between single spaces, also around it; `BAD_PARAM` counts as two."""
    return f" {' '.join(WORD.findall(normal(text).replace('_', ' ')))} "


def words(query: str) -> list[str]:
    """The words that say what is looked for: `cuDNN의 핸들을 왜 만드나요` gives `cudnn`, `핸들을`, `만드나요`."""
    found = [word for word in WORD.findall(normal(query)) if word not in _LONE]
    telling = [word for word in found if word not in STOP]
    return (telling or found)[:MAX_WORDS]


_LONE = frozenset(particle for particle in PARTICLES if len(particle) == 1) | {"에서", "으로", "에는", "이고", "입니다"}
"""What is left of a particle behind a Latin word, as in `cuDNN의`."""


def forms(word: str) -> tuple[str, ...]:
    """The word itself, then what is left without its ending: `합성곱을` also as `합성곱`, `layouts` as `layout`."""
    if HANGUL.search(word):
        return _korean(word)
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4 and "_" not in word:
            return word, word[: -len(suffix)]
    return (word,)


def _korean(word: str) -> tuple[str, ...]:
    """Two endings may stand behind one another: `핸들들에서는`."""
    found = [word]
    while len(found) < 3:
        stem = _without_ending(found[-1])
        if stem == found[-1]:
            break
        found.append(stem)
    return tuple(found)


def _without_ending(word: str) -> str:
    for particle in PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= MIN_STEM:
            return word[: -len(particle)]
    return word


def letters(word: str) -> str:
    """Hangul syllables as the letters they are made of, so that one wrong letter is one difference."""
    return unicodedata.normalize("NFD", word)


def grams(text: str, size: int = 2) -> frozenset[str]:
    """Overlapping pieces of the letters, with the ends marked; they survive a typing error."""
    marked = f"^{letters(text)}$"
    return frozenset(marked[i : i + size] for i in range(len(marked) - size + 1))
