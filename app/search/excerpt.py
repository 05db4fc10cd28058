"""The place of a text that shows most of what was looked for, with the words marked."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from app.search.query import Concept
from app.search.words import HANGUL

LENGTH = 160
BEFORE = 40
MOST_PLACES = 40


def excerpt(text: str, compared: str, wanted: Sequence[Concept]) -> Markup:
    """text: as shown; compared: the same without case."""
    start = _start(compared, wanted)
    end = _end(text, start)
    spans = {(at, at + len(form)) for one in wanted for form in _spelt(one) for at in _all(compared, form, start, end)}
    marks = sorted(spans, key=lambda span: (span[0], -span[1]))  # the longest form of a word that begins at a place
    pieces: list[Markup] = [Markup("…") if start else Markup()]
    done = start
    for left, right in marks:
        if left < done:
            continue
        pieces += [escape(text[done:left]), Markup("<mark>{}</mark>").format(text[left:right])]
        done = right
    pieces += [escape(text[done:end]), Markup("…") if end < len(text) else Markup()]
    return Markup().join(pieces)


def _start(text: str, wanted: Sequence[Concept]) -> int:
    """Where most of the things asked for stand close together; the first such place."""
    places = sorted(
        (at, number)
        for number, one in enumerate(wanted)
        for form in _spelt(one)
        for at in _all(text, form, 0, len(text))[:MOST_PLACES]
    )
    best, most = 0, 0
    for at, _ in places:
        near = len({number for other, number in places if at <= other < at + LENGTH - BEFORE})
        if near > most:
            best, most = at, near
    start = max(0, best - BEFORE)
    return text.find(" ", start, best) + 1 or start if start else 0


def _end(text: str, start: int) -> int:
    """The end of the last whole word."""
    if len(text) <= start + LENGTH:
        return len(text)
    space = text.rfind(" ", start + BEFORE, start + LENGTH)
    return space if space > 0 else start + LENGTH


def _spelt(one: Concept) -> set[str]:
    """Forms as they may be written: names keep their underscores."""
    return {one.word, *one.weights}


def _all(text: str, form: str, start: int, end: int) -> list[int]:
    """Where the form stands between start and end; a Latin one only at the beginning of a word, unless it is long."""
    places: list[int] = []
    at = text.find(form, start, end)
    while at >= 0:
        inside = at > 0 and text[at - 1].isalnum() and not HANGUL.match(text[at - 1])
        if HANGUL.match(form) or not inside or len(form) > 7:
            places.append(at)
        at = text.find(form, at + len(form), end)
    return places
