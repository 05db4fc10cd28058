"""All content: loaded once, and in development again whenever a file changes. Broken parts never break the rest."""

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from app.content import targets
from app.content.course import load_course, load_glossary
from app.content.exercise import load_exercise_content
from app.content.lesson import load_lesson
from app.content.markdown.links import Links
from app.content.model import Broken, Content, Course, ExerciseContent, Lesson, Texts
from app.content.pairs import both
from app.i18n.locales import Lang
from grader.contract.api import Api
from grader.contract.exercise import list_exercises
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError, Problem

NUMBERED = re.compile(r"^\d{3}-([a-z0-9][a-z0-9-]*)$")
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
        self._cache: dict[tuple[str, str], tuple[object, object]] = {}
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
        lesson_folders = self._lesson_folders(course, problems)
        exercise_folders = {folder.name: folder for folder in self._exercise_folders(problems)}
        lesson_titles = {slug: _title(folder / "lesson.yaml") for slug, folder in lesson_folders.items()}
        exercise_titles = {slug: _title(folder / "exercise.yaml") for slug, folder in exercise_folders.items()}
        links = targets.build(self._api, terms, lesson_titles, exercise_titles)
        context = hashlib.sha256(repr((terms, lesson_titles, exercise_titles)).encode()).hexdigest()
        definitions = targets.render_definitions(terms, self._lessons_dir / "glossary.yaml", links, problems)
        lessons = self._load_lessons(lesson_folders, lesson_titles, links, context, problems)
        exercises = self._load_exercises(exercise_folders, exercise_titles, links, context, problems)
        version = hashlib.sha256(repr(self._stamps).encode()).hexdigest()[:16]
        return Content(course, lessons, exercises, terms, definitions, tuple(problems), version)

    def _lesson_folders(self, course: Course, problems: list[Problem]) -> dict[str, Path]:
        """Lesson folders by slug, in the order of the course."""
        folders: dict[str, Path] = {}
        for folder in sorted(p for p in self._lessons_dir.glob("*") if p.is_dir()):
            match = NUMBERED.match(folder.name)
            if match is None and (folder / "lesson.yaml").is_file():
                message = f"folder name {folder.name!r} is not a number and a slug"
                problems.append(Problem(folder, 0, message, "name it like 030-handles"))
            elif match:
                folders[match[1]] = folder
        file = self._lessons_dir / "course.yaml"
        for slug in course.order:
            if slug not in folders:
                problems.append(Problem(file, 0, f"lesson {slug!r} has no folder", f"create lessons/NNN-{slug}/"))
        for slug in sorted(set(folders) - set(course.order)):
            mend = f"list {slug!r} in course.yaml"
            problems.append(Problem(folders.pop(slug), 0, "this lesson is in no section", mend))
        return {slug: folders[slug] for slug in course.order if slug in folders}

    def _exercise_folders(self, problems: list[Problem]) -> list[Path]:
        folders = list_exercises(self._exercises_dir)
        for folder in sorted(p for p in self._exercises_dir.glob("*") if p.is_dir() and p not in folders):
            if any(folder.iterdir()) and folder.name != "__pycache__":
                problems.append(Problem(folder / "exercise.yaml", 0, "the file is missing", "create exercise.yaml"))
        return folders

    def _load_lessons(
        self,
        folders: Mapping[str, Path],
        titles: Mapping[str, Texts],
        links: Mapping[Lang, Links],
        context: str,
        problems: list[Problem],
    ) -> dict[str, Lesson | Broken]:
        lessons: dict[str, Lesson | Broken] = {}
        for slug, folder in folders.items():
            try:
                load = partial(load_lesson, folder, slug, links)
                lesson, warnings = self._cached("lesson", slug, folder, context, load)
                lessons[slug] = lesson
                problems += warnings
            except ContentError as error:
                lessons[slug] = Broken(slug, tuple(error.problems), titles[slug])
                problems += error.problems
        return lessons

    def _load_exercises(
        self,
        folders: Mapping[str, Path],
        titles: Mapping[str, Texts],
        links: Mapping[Lang, Links],
        context: str,
        problems: list[Problem],
    ) -> dict[str, ExerciseContent | Broken]:
        exercises: dict[str, ExerciseContent | Broken] = {}
        for slug, folder in folders.items():
            try:
                load = partial(load_exercise_content, folder, links)
                exercises[slug] = self._cached("exercise", slug, folder, context, load)
            except ContentError as error:
                exercises[slug] = Broken(slug, tuple(error.problems), titles[slug])
                problems += error.problems
        return exercises

    def _cached(self, kind: str, slug: str, folder: Path, context: str, load: Callable[[], T]) -> T:
        """What `load` gave for this state of the folder. Raises what it raised."""
        key = (stamp(folder), context)
        known = self._cache.get((kind, slug))
        if known is None or known[0] != key:
            try:
                known = (key, load())
            except ContentError as error:
                known = (key, error)
            self._cache[kind, slug] = known
        if isinstance(known[1], ContentError):
            raise known[1]
        return cast(T, known[1])


def _title(file: Path) -> Texts:
    """Title of a lesson or exercise, empty where it cannot be read: loading it reports why."""
    try:
        return both(Section(load_marked(file)), "title")
    except ContentError:
        return {}
