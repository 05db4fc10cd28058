"""One thing, one word: refuses words of the Korean texts for which `lessons/wording.yaml` names another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError, Problem

TEXTS = frozenset({".md", ".yaml", ".po", ".svg", ".cpp", ".py"})
RULES = "wording.yaml"


@dataclass(frozen=True, slots=True)
class Word:
    use: str
    avoid: tuple[str, ...]
    allow: tuple[str, ...]
    """Phrases in which a word of `avoid` is right."""

    def found(self, line: str) -> str:
        """The first of the words to avoid that the line has; "" where it has none."""
        for phrase in self.allow:
            line = line.replace(phrase, "")
        return next((word for word in self.avoid if word in line), "")


def load_words(file: Path) -> tuple[list[Word], list[Problem]]:
    """The rules and what is wrong with the file; a course without the file has no rules."""
    if not file.is_file():
        return [], []
    try:
        document = load_marked(file)
    except ContentError as error:
        return [], error.problems
    top = Section(document)
    top.only("words")
    words = []
    for entry in top.sections("words", required=True):
        entry.only("use", "avoid", "allow")
        words.append(Word(entry.text("use", required=True), entry.texts("avoid", required=True), entry.texts("allow")))
    return words, document.problems


def check_wording(lessons: Path, folders: Iterable[Path]) -> list[Problem]:
    """Problems of all texts below the folders, by the rules in `lessons`."""
    words, problems = load_words(lessons / RULES)
    if words:
        for folder in folders:
            problems += [problem for file in _texts(folder) for problem in _check(file, words)]
    return problems


def _texts(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in TEXTS and path.name != RULES and path.is_file():
            yield path


def _check(file: Path, words: list[Word]) -> Iterator[Problem]:
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.isascii():
            continue
        for word in words:
            if found := word.found(line):
                yield Problem(file, number, f"{found.strip()!r} stands for {word.use!r}", f"write {word.use!r}")
