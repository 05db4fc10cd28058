"""Make the code font from D2Coding: a Latin file for every page and a Hangul file for pages that need it.

Usage: python subset_code_font.py d2coding.ttf   (needs fonttools and brotli; the results are committed)

D2Coding is 1.5 MB as WOFF2, too much for a phone. A cut-down copy is a modified version, and the licence keeps
the name D2Coding for the original, so the copies are called "FP Code". Widths are D2Coding's own: Hangul is
exactly two columns wide.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

LATIN = "U+0020-007E,U+00A0-024F,U+0370-03FF,U+2010-2027,U+2030-205E,U+20A9,U+2190-21FF,U+2200-22FF,U+2500-25FF"
HANGUL_BLOCKS = "U+3000-303F,U+3131-318E,U+FF01-FF5E"
FAMILY = "FP Code"


def common_hangul() -> str:
    """The 2,350 syllables of KS X 1001, which is what EUC-KR can encode."""
    syllables = (chr(code) for code in range(0xAC00, 0xD7A4))
    kept = [s for s in syllables if encodes(s)]
    return ",".join(f"U+{ord(s):04X}" for s in kept)


def encodes(character: str) -> bool:
    try:
        return len(character.encode("euc_kr")) == 2
    except UnicodeEncodeError:
        return False


def rename(font: TTFont) -> None:
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = FAMILY.replace(" ", "") if record.nameID == 6 else FAMILY


def cut(source: Path, unicodes: str, target: Path) -> None:
    options = subset.Options(flavor="woff2", layout_features=[], name_IDs=["*"], notdef_outline=True, hinting=False)
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(unicodes.replace(",", " ").replace("U+", "")))
    subsetter.subset(font)
    rename(font)
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    here = Path(__file__).parent
    cut(Path(sys.argv[1]), LATIN, here / "fp-code-latin.woff2")
    cut(Path(sys.argv[1]), f"{HANGUL_BLOCKS},{common_hangul()}", here / "fp-code-hangul.woff2")
