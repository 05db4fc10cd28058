"""`forwardpass check`: everything that can be wrong with content, found without serving it."""

from dataclasses import dataclass

from app.content.library import Library
from app.i18n import messages
from app.settings import Settings
from grader.contract.api import load_api
from grader.contract.problems import ContentError, Problem

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
    content = Library(settings.lessons_dir, settings.exercises_dir, api).current()
    return Report(
        problems=(*problems, *content.problems),
        lessons=len(content.good_lessons()),
        exercises=len(content.of_kind("exercise")),
        clinic=len(content.of_kind("clinic")),
        challenges=len(content.of_kind("challenge")),
        questions=sum(len(lesson.questions) for lesson in content.good_lessons()),
    )
