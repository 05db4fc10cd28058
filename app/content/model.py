"""Loaded content, as plain frozen objects. Rendering has been done; readers' progress is not in here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from app.content.markdown.blocks import Rendered
from app.i18n.locales import Lang
from grader.contract.exercise_types import Exercise, ExerciseKind
from grader.contract.job import Language
from grader.contract.problems import Problem

Texts = Mapping[Lang, str]
Htmls = Mapping[Lang, Markup]
Number = int | float
QuestionKind = Literal["single", "several", "number", "order", "blank", "status", "shape"]
KINDS: tuple[QuestionKind, ...] = ("single", "several", "number", "order", "blank", "status", "shape")
WITH_CHOICES: tuple[QuestionKind, ...] = ("single", "several", "status")
WITH_PARAMETERS: tuple[QuestionKind, ...] = ("number", "shape")


@dataclass(frozen=True, slots=True)
class Section:
    slug: str
    title: Texts
    lessons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    title: Texts
    sections: tuple[Section, ...]

    @property
    def order(self) -> list[str]:
        return [slug for section in self.sections for slug in section.lessons]


@dataclass(frozen=True, slots=True)
class Term:
    id: str
    name: Texts
    source: Texts
    """Definitions as written (inline Markdown)."""
    line: int


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    html: Htmls
    correct: bool
    feedback: Htmls


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    html: Htmls


@dataclass(frozen=True, slots=True)
class Variant:
    """One drawing of a question's parameters."""

    key: str
    """Its name in addresses and forms, made of the values: it says nothing that the prompt does not."""
    values: Mapping[str, Number]
    answer: Any
    words: Mapping[str, str]
    """What stands in the texts for each mark."""


@dataclass(frozen=True, slots=True)
class Question:
    """answer and the choices' `correct` and `feedback` are the key: they never leave the server before an answer.

    With variants, the texts hold marks and the answer is an expression, until app.quizzes.variants fills one in.
    """

    id: str
    kind: QuestionKind
    prompt: Htmls
    choices: tuple[Choice, ...] = ()
    items: tuple[Item, ...] = ()
    answer: Any = None
    tolerance: float = 0.0
    right: Htmls = field(default_factory=dict)
    wrong: Htmls = field(default_factory=dict)
    variants: Mapping[str, Variant] = field(default_factory=dict)
    """By key; empty for a question without parameters."""


@dataclass(frozen=True, slots=True)
class Lesson:
    slug: str
    folder: Path
    title: Texts
    summary: Htmls
    minutes: int
    requires: tuple[str, ...]
    exercises: tuple[str, ...]
    questions: Mapping[str, Question]
    texts: Mapping[Lang, Rendered]
    sources: Texts
    """Markdown as written, for the search."""
    stale: frozenset[Lang] = frozenset()


@dataclass(frozen=True, slots=True)
class ExerciseContent:
    exercise: Exercise
    prompts: Mapping[Lang, Rendered]
    hints: Mapping[Lang, tuple[Markup, ...]]
    solutions: Mapping[Language, str]
    symptoms: Htmls = field(default_factory=dict)
    """Of a clinic case: what one sees; empty otherwise."""
    explanations: Htmls = field(default_factory=dict)
    """Of a clinic case: what it was, shown once it is solved or given up; empty otherwise."""

    @property
    def slug(self) -> str:
        return self.exercise.slug


@dataclass(frozen=True, slots=True)
class Broken:
    """A lesson or exercise that cannot be loaded. title: where at least that could be read."""

    slug: str
    problems: tuple[Problem, ...]
    title: Texts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Content:
    """One consistent state of all content."""

    course: Course
    lessons: Mapping[str, Lesson | Broken]
    exercises: Mapping[str, ExerciseContent | Broken]
    terms: Mapping[str, Term]
    definitions: Mapping[str, Htmls]
    problems: tuple[Problem, ...]
    """Every problem, those of broken lessons and exercises included."""
    version: str
    """Changes whenever any file changes."""

    def order(self) -> list[str]:
        return [slug for slug in self.course.order if slug in self.lessons]

    def good_lessons(self) -> list[Lesson]:
        """Those that can be shown, in the order of the course."""
        found = (self.lessons[slug] for slug in self.order())
        return [lesson for lesson in found if isinstance(lesson, Lesson)]

    def good_exercises(self) -> list[ExerciseContent]:
        return [exercise for exercise in self.exercises.values() if isinstance(exercise, ExerciseContent)]

    def of_kind(self, kind: ExerciseKind) -> list[ExerciseContent]:
        """Good ones of a kind: in the order of their lessons in the course, then by difficulty and name."""
        place = {slug: number for number, slug in enumerate(self.order())}
        found = (exercise for exercise in self.good_exercises() if exercise.exercise.kind == kind)

        def key(found: ExerciseContent) -> tuple[int, int, str]:
            return place.get(found.exercise.lesson, len(place)), found.exercise.difficulty, found.slug

        return sorted(found, key=key)
