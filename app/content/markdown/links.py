"""What a text may point to: terms, API names, lessons, exercises, figures. Everything else is a problem."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

from app.i18n.locales import Lang

INTERNAL = re.compile(r"^(?:/?(lessons?|exercises?|reference|api|glossary|term)[:/])([^#\s]*)(#\S+)?$")
FIGURES = (".svg", ".png", ".webp")
"""What the site serves from a lesson's folder."""
EXTERNAL = re.compile(r"^(https?://|mailto:)")
KINDS = {
    "lesson": "lesson",
    "lessons": "lesson",
    "exercise": "exercise",
    "exercises": "exercise",
    "reference": "api",
    "api": "api",
    "glossary": "term",
    "term": "term",
}


@dataclass(frozen=True, slots=True)
class Target:
    """name: shown where an author gives no text; hint: one line for the title attribute."""

    url: str
    name: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """Known targets of one language, by kind (lesson, exercise, api, term) and name."""

    lang: Lang
    targets: Mapping[str, Mapping[str, Target]]
    media: str = ""
    """URL below which the folder's own figures are served; empty where there are none."""
    folder: Path | None = None
    questions: frozenset[str] | None = field(default_factory=frozenset)
    """Ids in the text's quiz.yaml; None where that cannot be read."""

    def find(self, kind: str, name: str) -> Target | None:
        return self.targets.get(kind, {}).get(name)

    def resolve(self, href: str) -> str | None:
        """URL for a link's target as an author writes it (`lesson:handles#why`); None where it leads nowhere."""
        if EXTERNAL.match(href):
            return href if href.startswith("mailto:") or urlsplit(href).hostname else None
        if href.startswith("#"):
            return href
        match = INTERNAL.match(href)
        if match is None:
            return None
        target = self.find(KINDS[match[1]], match[2].strip("/"))
        return target.url + (match[3] or "") if target else None

    def figure(self, name: str) -> str | None:
        """URL of a figure that lies in the text's own folder; None where there is no such file."""
        if self.folder is None or "/" in name or not (self.folder / name).is_file() or Path(name).suffix not in FIGURES:
            return None
        return f"{self.media}/{name}"

    def missing_figure(self) -> str:
        """How to mend a figure that is not there."""
        if self.folder is None:
            return "only lessons have figures: tell it in words, or link the lesson"
        known = ", ".join(sorted(file.name for file in self.folder.iterdir() if file.suffix in FIGURES))
        return f"use one of: {known}" if known else "put the file beside the text"

    def similar(self, href: str) -> str:
        """A mend for a link that leads nowhere: the nearest target of its kind, or what can be written."""
        match = INTERNAL.match(href)
        if match:
            return similar(match[2].strip("/"), self.targets.get(KINDS[match[1]], {}))
        return "write lesson:SLUG, exercise:SLUG, api:NAME, term:ID, #heading or a full https:// address"


def similar(name: str, known: Mapping[str, object]) -> str:
    """A mend that offers the closest known name."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else "check the spelling"
