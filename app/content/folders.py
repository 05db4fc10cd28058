"""Which folders hold lessons and exercises, in the order of the course, and what is wrong with their names."""

import re
from collections.abc import Iterator
from pathlib import Path

from app.content.markdown.links import similar
from app.content.model import Course, Section
from grader.contract.exercise import list_exercises
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import ContentError, Problem

NUMBERED = re.compile(r"^(\d{3})-([a-z0-9][a-z0-9-]*)$")
BESIDE = frozenset({"records", "__pycache__"})
"""Folders below lessons/ that hold no lesson."""


def lesson_folders(root: Path, course: Course, problems: list[Problem]) -> tuple[Course, dict[str, Path]]:
    """The course, and lesson folders by slug in its order. A course that cannot be read has all of them."""
    found = _numbered(root, problems)
    if not course.sections and found:
        everything = Section("all", {"ko": "모든 수업", "en": "All lessons"}, tuple(found))
        return Course(course.title, (everything,)), found
    file = root / "course.yaml"
    for slug in course.order:
        if slug not in found:
            unlisted = dict.fromkeys(sorted(set(found) - set(course.order)))
            mend = similar(slug, unlisted) if unlisted else f"create lessons/NNN-{slug}/, or take it out"
            problems.append(Problem(file, _line(file, slug), f"lesson {slug!r} has no folder", mend))
    for slug in sorted(set(found) - set(course.order)):
        mend = f"list `- {slug}` in lessons/course.yaml, where it belongs"
        problems.append(Problem(found.pop(slug), 0, "this lesson is in no section", mend))
    return course, {slug: found[slug] for slug in course.order if slug in found}


def _numbered(root: Path, problems: list[Problem]) -> dict[str, Path]:
    """By slug, in the order of the numbers. Notes names that are no number and slug, and those that are taken."""
    slugs: dict[str, Path] = {}
    numbers: dict[str, Path] = {}
    for folder in sorted(p for p in root.glob("*") if p.is_dir() and p.name not in BESIDE and any(p.iterdir())):
        match = NUMBERED.match(folder.name)
        if match is None:
            message = f"folder name {folder.name!r} is not a number and a slug"
            problems.append(Problem(folder, 0, message, "name it like 030-handles: a-z, 0-9 and hyphens"))
            continue
        if match[2] in slugs:
            message = f"lesson {match[2]!r} has two folders, the other is {slugs[match[2]].name}"
            problems.append(Problem(folder, 0, message, "rename or remove one of them"))
            continue
        if match[1] in numbers:
            message = f"the number {match[1]} is taken by {numbers[match[1]].name}"
            problems.append(Problem(folder, 0, message, "give it a number of its own"))
        slugs[match[2]] = numbers[match[1]] = folder
    return slugs


def _line(file: Path, slug: str) -> int:
    """Where course.yaml lists the lesson; 0 where that cannot be told."""
    try:
        document = load_marked(file)
    except ContentError:
        return 0
    found = (path for path in document.lines if len(path) == 4 and _at(document.data, path) == slug)
    return document.line(next(found, ()))


def _at(data: object, path: tuple[str | int, ...]) -> object:
    for step in path:
        data = data[step]  # type: ignore[index]  # the paths are those of this data
    return data


def exercise_folders(root: Path, problems: list[Problem]) -> Iterator[Path]:
    """Those that hold an exercise.yaml; notes other folders that are not empty."""
    folders = list_exercises(root)
    for folder in sorted(p for p in root.glob("*") if p.is_dir() and p not in folders):
        if any(folder.iterdir()) and folder.name != "__pycache__":
            mend = "create exercise.yaml, or remove the folder"
            problems.append(Problem(folder / "exercise.yaml", 0, "the file is missing", mend))
    return iter(folders)
