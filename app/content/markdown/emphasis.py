"""Emphasis beside Hangul.

CommonMark lets `**` close only where it is followed by a space or punctuation when punctuation stands before it. Korean
writes particles directly behind a word, so `**합성곱(convolution)**은` would stay plain text. Here a run of `*` next to
Hangul is judged as if a space stood there.
"""

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType

HANGUL = ((0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x3130, 0x318F))


def is_hangul(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in HANGUL)


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


class HangulInline(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        scanned = super().scanDelims(start, canSplitWord)
        if self.src[start] != "*":
            return scanned
        end = start + scanned.length
        before = self.src[start - 1] if start else " "
        after = self.src[end] if end < self.posMax else " "
        if scanned.length == 1 and before.isdigit() and after.isdigit():
            return Scanned(False, False, 1)  # a product: 2*3
        closes = scanned.can_close or (_is_punctuation(before) and is_hangul(after))
        # One star before punctuation, as in 값*(b)*, is too often a product or a pointer to be read as an opening.
        opens = scanned.can_open or (scanned.length > 1 and is_hangul(before) and _is_punctuation(after))
        return Scanned(opens, closes, scanned.length)


class HangulParser(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = HangulInline(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def hangul_emphasis_plugin(md: MarkdownIt) -> None:
    """To be used first: it replaces the inline parser, and with it rules that were added before."""
    md.inline = HangulParser()
