"""The lesson page for one reader (docs/pages.md)."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.content.markdown.blocks import Block, ExerciseBlock, QuizBlock
from app.content.markdown.headings import Heading, tree
from app.content.model import Content, Lesson
from app.i18n.locales import Lang
from app.quizzes.service import QuestionView
from app.views import ExerciseCard, LessonCard, Progress, exercise_card, lesson_card


@dataclass(frozen=True, slots=True)
class QuizView:
    kind = "quiz"
    questions: list[QuestionView]


@dataclass(frozen=True, slots=True)
class ExerciseBlockView:
    kind = "exercise"
    exercise: ExerciseCard


BlockView = Block | QuizView | ExerciseBlockView


@dataclass(frozen=True, slots=True)
class LessonView(LessonCard):
    section: str
    toc: list[Heading]
    blocks: list[BlockView]
    requires: list[LessonCard]
    previous: LessonCard | None
    next: LessonCard | None
    stale: bool
    math: bool
    has_run: bool


def lesson_view(
    content: Content, lesson: Lesson, lang: Lang, progress: Progress, questions: Mapping[str, QuestionView]
) -> LessonView:
    card = lesson_card(content, lesson.slug, lang, progress, lesson.slug)
    if card is None:
        raise LookupError(lesson.slug)
    text = lesson.texts[lang]
    blocks = (_block(content, block, lang, progress, questions) for block in text.blocks)
    order = content.order()
    place = order.index(lesson.slug)
    section = next(s for s in content.course.sections if lesson.slug in s.lessons)
    required = (lesson_card(content, slug, lang, progress) for slug in lesson.requires)
    return LessonView(
        **{name: getattr(card, name) for name in LessonCard.__slots__},
        section=section.title[lang],
        toc=tree(text.headings),
        blocks=[block for block in blocks if block],
        requires=[card for card in required if card],
        previous=lesson_card(content, order[place - 1], lang, progress) if place else None,
        next=lesson_card(content, order[place + 1], lang, progress) if place + 1 < len(order) else None,
        stale=lang in lesson.stale,
        math=text.math,
        has_run=text.has_run,
    )


def _block(
    content: Content, block: Block, lang: Lang, progress: Progress, questions: Mapping[str, QuestionView]
) -> BlockView | None:
    if isinstance(block, QuizBlock):
        names = list(questions) if block.questions == ("all",) else list(block.questions)
        return QuizView([questions[name] for name in names])
    if isinstance(block, ExerciseBlock):
        card = exercise_card(content, block.slug, lang, progress)
        return ExerciseBlockView(card) if card else None
    return block
