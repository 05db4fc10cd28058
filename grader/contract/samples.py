"""The sample programs of an exercise, and the verdict that each declares in its first comment lines."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from grader.contract.codes import FINAL, Code
from grader.contract.exercise_types import Case, Sample
from grader.contract.job import SUFFIX, Language
from grader.contract.problems import Problem

ACCEPTED_PER_LANGUAGE = 2
WRONG_PER_EXERCISE = 3
_KEYS = ("verdict", "gpu", "rule", "case", "pattern", "why")
_LINE = re.compile(r"^(?://|#)\s*(\w+):\s*(.*?)\s*$")


def load_samples(
    folder: Path, languages: tuple[Language, ...], cases: tuple[Case, ...], problems: list[Problem]
) -> tuple[Sample, ...]:
    """Programs of ``solutions/accepted`` and ``solutions/wrong``, in name order; problems are appended."""
    samples: list[Sample] = []
    for kind in ("accepted", "wrong"):
        for path in sorted((folder / "solutions" / kind).glob("*")):
            language = next((name for name in languages if SUFFIX[name] == path.suffix), None)
            if language is None:
                mend = f"name it *{' or *'.join(SUFFIX[name] for name in languages)}, or remove it"
                problems.append(Problem(path, 0, "not a program in a language of this exercise", mend))
            elif kind == "accepted":
                samples.append(Sample(path, language, Code.ACCEPTED))
            elif sample := _wrong(path, language, cases, problems):
                samples.append(sample)
    _count(folder, samples, languages, problems)
    return tuple(samples)


def header(path: Path) -> dict[str, tuple[str, int]]:
    """``key: value`` of the leading comment lines, each with its line number."""
    found: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.startswith(("//", "#")) or line.startswith("#include"):
            break
        match = _LINE.match(line)
        if match and match[1] in _KEYS:
            found[match[1]] = (match[2], number)
    return found


def unknown_keys(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, key and mend of leading comment lines that look like a declaration and are none."""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.startswith(("//", "#")) or line.startswith("#include"):
            return
        match = _LINE.match(line)
        if match and match[1] not in _KEYS and (close := get_close_matches(match[1].lower(), _KEYS, n=1)):
            yield number, match[1], f"write `{close[0]}:`"


def _wrong(path: Path, language: Language, cases: tuple[Case, ...], problems: list[Problem]) -> Sample | None:
    declared = header(path)
    comment = "//" if language == "cpp" else "#"
    for key in ("verdict", "why"):
        if key not in declared:
            mend = f"begin the file with `{comment} {key}: …`"
            problems.append(Problem(path, 1, f"the program declares no {key}", mend))
    code, line = declared.get("verdict", ("", 0))
    if code and code not in FINAL - {Code.ACCEPTED, Code.CANCELLED, Code.GRADER_FAULT}:
        mend = "use a code of grader/contract/codes.py that is not accepted, e.g. wrong_answer"
        problems.append(Problem(path, line, f"unknown verdict {code!r}", mend))
        return None
    on_gpu, gpu_line = declared.get("gpu", (code, line))
    if on_gpu and on_gpu not in FINAL - {Code.CANCELLED, Code.GRADER_FAULT}:
        mend = "use a code of grader/contract/codes.py; leave the line out where it is the same as `verdict`"
        problems.append(Problem(path, gpu_line, f"unknown verdict {on_gpu!r}", mend))
        return None
    case, case_line = declared.get("case", ("", 0))
    if case and case not in {known.name for known in cases}:
        mend = f"use one of: {', '.join(known.name for known in cases)}"
        problems.append(Problem(path, case_line, f"the exercise has no case {case!r}", mend))
    texts = {key: declared.get(key, ("", 0))[0] for key in ("rule", "case", "pattern", "why")}
    return (
        Sample(path, language, Code(code), on_gpu=Code(on_gpu) if on_gpu != code else None, **texts) if code else None
    )


def _count(folder: Path, samples: list[Sample], languages: tuple[Language, ...], problems: list[Problem]) -> None:
    for language in languages:
        accepted = sum(s.code is Code.ACCEPTED and s.language == language for s in samples)
        if accepted < ACCEPTED_PER_LANGUAGE:
            message = f"{accepted} accepted {language} solutions, at least {ACCEPTED_PER_LANGUAGE} are needed"
            mend = f"add solutions/accepted/<name>{SUFFIX[language]}"
            problems.append(Problem(folder / "solutions" / "accepted", 0, message, mend))
    wrong = sum(s.code is not Code.ACCEPTED for s in samples)
    if wrong < WRONG_PER_EXERCISE:
        message = f"{wrong} wrong programs, at least {WRONG_PER_EXERCISE} are needed"
        problems.append(Problem(folder / "solutions" / "wrong", 0, message, "add programs of mistakes learners make"))
