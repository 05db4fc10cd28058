"""Views that several features share (docs/pages.md): cards, links, and how they are made from content and progress."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from app.content.model import Broken, Content, ExerciseContent
from app.i18n.locales import Lang
from grader.contract.exercise_types import EXERCISE_KINDS, ExerciseKind


@dataclass(frozen=True, slots=True)
class Link:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What a reader has done so far; empty for someone unknown."""

    read: frozenset[str] = frozenset()
    """Lessons."""
    attempted: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()
    """Exercises."""
    right: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Questions answered rightly at least once, by lesson."""
    resume: tuple[str, str] | None = None
    """Lesson and heading id where the reader last was."""
    writing: str | None = None
    """Exercise of the last draft, where it is newer than the last visit to a lesson."""


@dataclass(frozen=True, slots=True)
class ExerciseCard:
    slug: str
    title: str
    url: str
    languages: list[str]
    solved: bool
    attempted: bool
    broken: bool
    kind: ExerciseKind
    difficulty: int


@dataclass(frozen=True, slots=True)
class LessonCard:
    slug: str
    title: str
    url: str
    summary: Markup
    number: int
    minutes: int
    read: bool
    current: bool
    broken: bool
    quiz_total: int
    quiz_right: int
    exercises: list[ExerciseCard]
    prerequisites: list[Link]
    """Lessons to read first that this reader has not read."""


@dataclass(frozen=True, slots=True)
class SectionView:
    slug: str
    title: str
    lessons: list[LessonCard]


@dataclass(frozen=True, slots=True)
class CourseView:
    title: str
    sections: list[SectionView]
    lessons_total: int
    lessons_read: int
    exercises_total: int
    exercises_solved: int
    """Exercises proper; cases of the clinic and challenges are counted below."""
    clinic_total: int
    clinic_solved: int
    challenges_total: int
    challenges_solved: int
    resume: Link | None
    content: str
    """Version of the content that all this was read from."""


def exercise_card(content: Content, slug: str, lang: Lang, progress: Progress) -> ExerciseCard | None:
    """None for an exercise that does not exist."""
    found = content.exercises.get(slug)
    if found is None:
        return None
    title = (found.title if isinstance(found, Broken) else found.exercise.title).get(lang) or slug
    known = found.exercise if isinstance(found, ExerciseContent) else None
    return ExerciseCard(
        slug=slug,
        title=title,
        url=f"/{lang}/exercises/{slug}",
        languages=list(known.languages) if known else [],
        solved=slug in progress.solved,
        attempted=slug in progress.attempted,
        broken=known is None,
        kind=known.kind if known else "exercise",
        difficulty=known.difficulty if known else 1,
    )


def lesson_card(content: Content, slug: str, lang: Lang, progress: Progress, current: str = "") -> LessonCard | None:
    """None for a lesson that does not exist."""
    found = content.lessons.get(slug)
    if found is None:
        return None
    number = content.order().index(slug) + 1
    url = f"/{lang}/lessons/{slug}"
    if isinstance(found, Broken):
        title = found.title.get(lang) or slug
        return LessonCard(slug, title, url, Markup(), number, 0, False, slug == current, True, 0, 0, [], [])
    cards = (exercise_card(content, name, lang, progress) for name in found.exercises)
    return LessonCard(
        slug=slug,
        title=found.title[lang],
        url=url,
        summary=found.summary[lang],
        number=number,
        minutes=found.minutes,
        read=slug in progress.read,
        current=slug == current,
        broken=False,
        quiz_total=len(found.questions),
        quiz_right=len(progress.right.get(slug, frozenset()) & set(found.questions)),
        exercises=[card for card in cards if card],
        prerequisites=[_lesson_link(content, other, lang) for other in found.requires if other not in progress.read],
    )


def _lesson_link(content: Content, slug: str, lang: Lang) -> Link:
    found = content.lessons.get(slug)
    return Link((found.title.get(lang) if found else "") or slug, f"/{lang}/lessons/{slug}")


def course_view(content: Content, lang: Lang, progress: Progress, current: str = "") -> CourseView:
    sections: list[SectionView] = []
    for section in content.course.sections:
        cards = (lesson_card(content, slug, lang, progress, current) for slug in section.lessons)
        sections.append(SectionView(section.slug, section.title[lang], [card for card in cards if card]))
    kinds = {kind: {exercise.slug for exercise in content.of_kind(kind)} for kind in EXERCISE_KINDS}
    return CourseView(
        title=content.course.title[lang],
        sections=sections,
        lessons_total=len(content.order()),
        lessons_read=len(progress.read & set(content.order())),
        exercises_total=len(kinds["exercise"]),
        exercises_solved=len(progress.solved & kinds["exercise"]),
        clinic_total=len(kinds["clinic"]),
        clinic_solved=len(progress.solved & kinds["clinic"]),
        challenges_total=len(kinds["challenge"]),
        challenges_solved=len(progress.solved & kinds["challenge"]),
        resume=_resume(content, lang, progress),
        content=content.version,
    )


def _resume(content: Content, lang: Lang, progress: Progress) -> Link | None:
    """What the reader last read or wrote, if that is unfinished; else the first lesson not read. None before any."""
    writing = content.exercises.get(progress.writing or "")
    if isinstance(writing, ExerciseContent) and writing.slug not in progress.solved:
        return Link(writing.exercise.title[lang], f"/{lang}/exercises/{writing.slug}")
    if progress.resume is None and not (progress.read or progress.attempted or progress.right):
        return None
    lessons = {lesson.slug: lesson for lesson in content.good_lessons()}
    if progress.resume and progress.resume[0] in lessons and progress.resume[0] not in progress.read:
        slug, heading = progress.resume
        anchor = f"#{heading}" if heading else ""
        return Link(lessons[slug].title[lang], f"/{lang}/lessons/{slug}{anchor}")
    for slug, lesson in lessons.items():
        if slug not in progress.read:
            return Link(lesson.title[lang], f"/{lang}/lessons/{slug}")
    return None


def lessons_with(content: Content, lang: Lang, progress: Progress, mention: re.Pattern[str]) -> list[LessonCard]:
    """Lessons whose source mentions something."""
    found = [lesson.slug for lesson in content.good_lessons() if mention.search(lesson.sources[lang])]
    cards = (lesson_card(content, slug, lang, progress) for slug in found)
    return [card for card in cards if card]
