"""All content: loaded once, and in development again whenever a file changes. Broken parts never break the rest."""

import hashlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from app.content import folders, targets
from app.content.course import load_course, load_glossary
from app.content.exercise import load_exercise_content
from app.content.lesson import load_lesson
from app.content.model import Broken, Content, ExerciseContent, Lesson, Texts
from app.content.pairs import both
from grader.contract.api import Api
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError, Problem

LOOK_EVERY_S = 0.5

T = TypeVar("T")
Stamp = tuple[tuple[str, int, int], ...]


def stamp(path: Path) -> Stamp:
    """Names, times and sizes of all files below a folder: changes whenever one of them does."""
    files = sorted(p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return tuple((str(p.relative_to(path)), p.stat().st_mtime_ns, p.stat().st_size) for p in files)


class Library:
    """authoring: look for changed files, at most every half second. Single-threaded."""

    def __init__(self, lessons: Path, exercises: Path, api: Api, *, authoring: bool = False) -> None:
        self._lessons_dir = lessons
        self._exercises_dir = exercises
        self._api = api
        self._authoring = authoring
        self._cache: dict[Path, tuple[object, object]] = {}
        self._looked_at = time.monotonic()
        self._stamps = self._stamp()
        self._content = self._load()

    def current(self) -> Content:
        if self._authoring and time.monotonic() - self._looked_at > LOOK_EVERY_S:
            self._looked_at = time.monotonic()
            stamps = self._stamp()
            if stamps != self._stamps:
                self._stamps = stamps
                self._content = self._load()
        return self._content

    def _stamp(self) -> tuple[Stamp, Stamp]:
        return stamp(self._lessons_dir), stamp(self._exercises_dir)

    def _load(self) -> Content:
        problems: list[Problem] = []
        course, found = load_course(self._lessons_dir / "course.yaml")
        problems += found
        terms, found = load_glossary(self._lessons_dir / "glossary.yaml")
        problems += found
        course, lesson_folders = folders.lesson_folders(self._lessons_dir, course, problems)
        exercise_folders = {folder.name: folder for folder in folders.exercise_folders(self._exercises_dir, problems)}
        lesson_titles = {slug: _title(folder / "lesson.yaml") for slug, folder in lesson_folders.items()}
        exercise_titles = {slug: _title(folder / "exercise.yaml") for slug, folder in exercise_folders.items()}
        links = targets.build(self._api, terms, lesson_titles, exercise_titles)
        context = hashlib.sha256(repr((terms, lesson_titles, exercise_titles)).encode()).hexdigest()
        definitions = targets.render_definitions(terms, self._lessons_dir / "glossary.yaml", links, problems)

        def lesson(slug: str, folder: Path) -> tuple[Lesson, list[Problem]]:
            return load_lesson(folder, slug, links)

        def exercise(_slug: str, folder: Path) -> tuple[ExerciseContent, list[Problem]]:
            return load_exercise_content(folder, links)

        lessons = self._load_each(lesson, lesson_folders, lesson_titles, context, problems)
        exercises = self._load_each(exercise, exercise_folders, exercise_titles, context, problems)
        version = hashlib.sha256(repr(self._stamps).encode()).hexdigest()[:16]
        return Content(course, lessons, exercises, terms, definitions, tuple(problems), version)

    def _load_each(
        self,
        load: Callable[[str, Path], tuple[T, list[Problem]]],
        found: Mapping[str, Path],
        titles: Mapping[str, Texts],
        context: str,
        problems: list[Problem],
    ) -> dict[str, T | Broken]:
        """What `load` gives for each folder, by slug; what is wrong with them is added to `problems`."""
        loaded: dict[str, T | Broken] = {}
        for slug, folder in found.items():
            try:
                loaded[slug], warnings = self._cached(folder, context, partial(load, slug, folder))
                problems += warnings
            except ContentError as error:
                loaded[slug] = Broken(slug, tuple(error.problems), titles[slug])
                problems += error.problems
        return loaded

    def _cached(self, folder: Path, context: str, load: Callable[[], T]) -> T:
        """What `load` gave for this state of the folder. Raises what it raised."""
        key = (stamp(folder), context)
        known = self._cache.get(folder)
        if known is None or known[0] != key:
            try:
                known = (key, load())
            except ContentError as error:
                known = (key, error)
            self._cache[folder] = known
        if isinstance(known[1], ContentError):
            raise known[1]
        return cast(T, known[1])


def _title(file: Path) -> Texts:
    """Title of a lesson or exercise, empty where it cannot be read: loading it reports why."""
    try:
        return both(Section(load_marked(file)), "title")
    except ContentError:
        return {}
