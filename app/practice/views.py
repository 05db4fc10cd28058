"""What the lists of the clinic and of the challenges show (docs/pages.md)."""

from dataclasses import dataclass

from markupsafe import Markup

from app.content.model import Content, ExerciseContent
from app.i18n.locales import Lang
from app.views import ExerciseCard, LessonCard, Progress, exercise_card, lesson_card
from grader.contract.exercise_types import ExerciseKind


@dataclass(frozen=True, slots=True)
class PracticeCard(ExerciseCard):
    symptom: Markup
    """Of a clinic case; empty for a challenge."""
    lesson: LessonCard | None


@dataclass(frozen=True, slots=True)
class PracticeGroup:
    """Cases of one lesson."""

    lesson: LessonCard | None
    cards: list[PracticeCard]


def cards(content: Content, kind: ExerciseKind, lang: Lang, progress: Progress) -> list[PracticeCard]:
    return [_card(content, found, lang, progress) for found in content.of_kind(kind)]


def groups(content: Content, kind: ExerciseKind, lang: Lang, progress: Progress) -> list[PracticeGroup]:
    """By lesson, in the order of the course."""
    found: dict[str, PracticeGroup] = {}
    for card in cards(content, kind, lang, progress):
        slug = card.lesson.slug if card.lesson else ""
        found.setdefault(slug, PracticeGroup(card.lesson, [])).cards.append(card)
    return list(found.values())


def _card(content: Content, found: ExerciseContent, lang: Lang, progress: Progress) -> PracticeCard:
    card = exercise_card(content, found.slug, lang, progress)
    if card is None:
        raise LookupError(found.slug)
    return PracticeCard(
        **{name: getattr(card, name) for name in ExerciseCard.__slots__},
        symptom=found.symptoms.get(lang, Markup()),
        lesson=lesson_card(content, found.exercise.lesson, lang, progress),
    )
