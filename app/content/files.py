"""Looks at the files of a lesson's or exercise's folder: each is known, used, and saved as text should be."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.content.markdown.links import FIGURES, similar
from app.content.pictures import check_figure
from app.i18n.locales import LANGS, Lang
from grader.contract.job import LANGUAGES, SUFFIX
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import ContentError, Problem

IN_LESSONS = ("lesson.yaml", "ko.md", "en.md", "quiz.yaml", "figures.yaml")
TEXTS = frozenset({".md", ".yaml", ".py", ".cpp"})
_MARKED = tuple(f"{stem}.{lang}.md" for stem in ("prompt", "hints") for lang in ("ko", "en"))
IN_EXERCISES = ("exercise.yaml", "reference.py", *_MARKED, *(f"starter{SUFFIX[name]}" for name in LANGUAGES))
IN_CLINIC = tuple(f"explanation.{lang}.md" for lang in ("ko", "en"))
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Signs that are not seen and change how others are read; the first of a file may be its byte order mark."""
MERGE = re.compile(r"^(?:<{7}|>{7})(?=\s|$)")
CODE = re.compile(r"`[^`]*`|\$[^$]*\$|:api\[[^\]]*\]|\]\([^)]*\)|https?://\S+|^:[a-z]+:")
HANGUL = re.compile("[가-힣]")
LATIN_WORD = re.compile(r"\b[a-z]{3,}\b")


def check_lesson_files(folder: Path) -> Iterator[Problem]:
    """Strange and unused files, and figures that browsers cannot show."""
    texts = "\n".join(_read(folder / name) for name in IN_LESSONS)
    for file in _files(folder):
        if file.suffix in FIGURES:
            yield from check_figure(file)
            if file.name not in texts:
                yield Problem(file, 0, "no text shows this figure", f"write `:::{{figure}} {file.name}`, or remove it")
        elif str(file.relative_to(folder)) not in IN_LESSONS:
            mend = f"remove it; {similar(file.name, dict.fromkeys(IN_LESSONS))}"
            yield Problem(file, 0, "a lesson has no such file", mend.replace("; check the spelling", ""))


def check_exercise_files(folder: Path, kind: str) -> Iterator[Problem]:
    known = (*IN_EXERCISES, *(IN_CLINIC if kind == "clinic" else ()))
    settings = _read(folder / "exercise.yaml")
    for file in _files(folder):
        name = str(file.relative_to(folder))
        if name in known or (file.parent.parent == folder / "solutions" and file.parent.name in ("accepted", "wrong")):
            continue
        if file.suffix == ".npz":
            if file.name not in settings:
                yield Problem(file, 0, "no argument is filled from this file", "remove it, or name it in `fill:`")
            continue
        mend = f"remove it; {similar(name, dict.fromkeys((*known, 'solutions/accepted', 'solutions/wrong')))}"
        yield Problem(
            file, 0, f"an exercise of `kind: {kind}` has no such file", mend.replace("; check the spelling", "")
        )


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def check_saved(files: Iterable[Path]) -> Iterator[Problem]:
    """How texts are saved: line ends, byte order marks, invisible signs, leftovers of merges."""
    for file in files:
        if file.suffix not in TEXTS:
            continue
        data = file.read_bytes()
        if data.startswith(b"\xef\xbb\xbf"):
            yield Problem(file, 1, "begins with a byte order mark", "save it as UTF-8 without BOM")
        if b"\r" in data:
            line = data[: data.index(b"\r")].count(b"\n") + 1
            yield Problem(file, line, "line ends of Windows (CR LF)", "save it with line ends LF")
        for number, text in enumerate(data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n"), 1):
            if found := BIDI.search(text):
                message = f"an invisible sign, U+{ord(found[0]):04X}, behind {text[: found.start()][-20:]!r}"
                yield Problem(file, number, message, "remove it")
            if MERGE.match(text):
                yield Problem(file, number, "a merge has left its marks", "keep one of the two versions")


def check_language(file: Path, lang: Lang) -> Iterator[Problem]:
    """An English text with Hangul in it; a Korean one without."""
    prose = list(_prose(_read(file)))
    if lang == "en":
        for number, text in prose:
            if found := HANGUL.search(text):
                message = f"Korean in an English text: {text[found.start() :][:20].strip()!r}"
                yield Problem(file, number, message, "write it in English, or put it between backticks")
                return
    words = sum(len(LATIN_WORD.findall(text)) for _, text in prose)
    if lang == "ko" and words > 8 and not any(HANGUL.search(text) for _, text in prose):
        yield Problem(file, 1, "no Korean in the Korean text", "write it in Korean")


def check_pairs(file: Path) -> Iterator[Problem]:
    """Texts `{ko: …, en: …}` of a YAML file whose languages were swapped or copied."""
    try:
        document = load_marked(file)
    except ContentError:
        return
    for path, line in document.lines.items():
        value = document.data
        for step in path:
            value = value[step]
        if not isinstance(value, str) or not path or path[-1] not in LANGS:
            continue
        text = CODE.sub("", value)
        if path[-1] == "en" and HANGUL.search(text):
            yield Problem(file, line, f"Korean under `en:`: {text[:30]!r}", "write it in English")
        elif path[-1] == "ko" and not HANGUL.search(text) and len(LATIN_WORD.findall(text)) > 3:
            yield Problem(file, line, f"no Korean under `ko:`: {text[:30]!r}", "write it in Korean")


def _prose(source: str) -> Iterator[tuple[int, str]]:
    """Lines outside code, without code, formulas and addresses in them."""
    inside = ""
    for number, line in enumerate(source.split("\n"), 1):
        fence = re.match(r"\s*(`{3,}|~{3,}|:{3,}(?=\{run\}))", line)
        if inside and line.strip().startswith(inside):
            inside = ""
        elif inside:
            continue
        elif fence:
            inside = fence[1]
        else:
            yield number, CODE.sub("", line)
