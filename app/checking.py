"""`forwardpass check`: everything that can be wrong with content, found without serving it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from app.content.figures import check_figures
from app.content.library import Library
from app.content.review import review
from app.content.wording import check_wording
from app.i18n import messages
from app.settings import ROOT, Settings
from grader.contract.api import load_api
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.problems import ContentError, Problem

INTERFACE = (ROOT / "app" / "i18n", ROOT / "grader" / "native" / "api")
"""Korean texts that are not content: sentences, words of the pages, the reference."""
SENTENCES = ("errors", "reference", "rules", "titles", "uses", "verdicts")


@dataclass(frozen=True, slots=True)
class Report:
    problems: tuple[Problem, ...]
    lessons: int = 0
    exercises: int = 0
    clinic: int = 0
    challenges: int = 0
    questions: int = 0

    @property
    def summary(self) -> str:
        kinds = f"{self.exercises} exercises, {self.clinic} clinic, {self.challenges} challenges"
        counts = f"{self.lessons} lessons, {kinds}, {self.questions} questions in ko and en"
        return f"checked: {counts}; {len(self.problems)} problems"


def check_content(settings: Settings) -> Report:
    problems: list[Problem] = []
    for name in SENTENCES:
        try:
            messages.load(name)
        except ContentError as error:
            problems += error.problems
    try:
        api = load_api()
    except ContentError as error:  # texts cannot be checked without it: every :api[] would be unknown
        return Report((*problems, *error.problems))
    problems += check_figures(settings.lessons_dir)
    problems += check_wording(settings.lessons_dir, (settings.lessons_dir, settings.exercises_dir, *INTERFACE))
    content = Library(settings.lessons_dir, settings.exercises_dir, api).current()
    found = [*problems, *content.problems, *review(content, settings.lessons_dir, settings.exercises_dir)]
    return Report(
        problems=tuple(dict.fromkeys(found)),
        lessons=len(content.good_lessons()),
        exercises=len(content.of_kind("exercise")),
        clinic=len(content.of_kind("clinic")),
        challenges=len(content.of_kind("challenge")),
        questions=sum(len(lesson.questions) for lesson in content.good_lessons()),
    )


def exercises_named(settings: Settings, slugs: Iterable[str]) -> tuple[list[str], list[str]]:
    """Exercises of these names, or of lessons of these names; and the names that are neither."""
    exercises = {folder.name for folder in list_exercises(settings.exercises_dir)}
    by_lesson: dict[str, list[str]] = {}
    for slug in sorted(exercises):
        with suppress(ContentError):
            by_lesson.setdefault(load_exercise(settings.exercises_dir / slug, complete=False).lesson, []).append(slug)
    found: list[str] = []
    unknown = []
    for slug in slugs:
        found += [slug] if slug in exercises else by_lesson.get(slug, [])
        if slug not in exercises and slug not in by_lesson:
            unknown.append(slug)
    return list(dict.fromkeys(found)), unknown
