"""What the exercise page shows (docs/pages.md)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup

from app.content.model import Content, ExerciseContent
from app.exercises.models import Draft, Help
from app.i18n.locales import Lang
from app.i18n.sentences import demand_sentence, use_sentence
from app.submissions.service import Record
from app.views import ExerciseCard, LessonCard, Link, Progress, exercise_card, lesson_card
from grader.contract.exercise_types import Exercise, Limits, Tolerance, Uses
from grader.contract.job import Language
from grader.contract.signatures import signature

@dataclass(frozen=True, slots=True)
class CaseView:
    name: str
    shown: bool
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class UseView:
    code: str
    sentence: str
    url: str


@dataclass(frozen=True, slots=True)
class UsesView:
    required: list[UseView]
    advised: list[UseView]
    forbidden: list[UseView]
    workspace_kib: int | None


@dataclass(frozen=True, slots=True)
class SourceView:
    starter: str
    source: str
    saved_at: datetime | None
    has_previous: bool


@dataclass(frozen=True, slots=True)
class ExerciseView(ExerciseCard):
    form: str
    lesson: LessonCard | None
    next: Link | None
    prompt: Markup
    math: bool
    signature: dict[Language, str]
    limits: Limits
    cases: list[CaseView]
    tolerance: Tolerance | None
    uses: UsesView
    hints: list[Markup]
    hints_total: int
    wrong: int
    solution_open: bool
    symptom: Markup
    explanation: Markup
    """Of a clinic case: empty until the solution is open."""


@dataclass(frozen=True, slots=True)
class State:
    """What the reader has done at this exercise."""

    progress: Progress
    help: Help
    record: Record
    solution_open: bool


def exercise_view(content: Content, found: ExerciseContent, lang: Lang, state: State) -> ExerciseView:
    card = exercise_card(content, found.slug, lang, state.progress)
    if card is None:
        raise LookupError(found.slug)
    exercise = found.exercise
    hints = found.hints[lang]
    return ExerciseView(
        **{name: getattr(card, name) for name in ExerciseCard.__slots__},
        form=exercise.form,
        lesson=lesson_card(content, exercise.lesson, lang, state.progress),
        next=_next(content, found.slug, lang),
        prompt=found.prompts[lang].html,
        math=found.prompts[lang].math,
        signature=_signatures(exercise),
        limits=exercise.limits,
        cases=[CaseView(case.name, case.shown, case.parameters if case.shown else {}) for case in exercise.cases],
        tolerance=exercise.tolerance,
        uses=_uses(content, exercise.uses, lang),
        hints=list(hints[: state.help.hints]),
        hints_total=len(hints),
        wrong=state.record.wrong,
        solution_open=state.solution_open,
        symptom=found.symptoms.get(lang, Markup()),
        explanation=found.explanations.get(lang, Markup()) if state.solution_open else Markup(),
    )


def _next(content: Content, slug: str, lang: Lang) -> Link | None:
    """The exercise after this one in the order of the course; of the clinic and of challenges, the next of its kind."""
    found = content.exercises[slug]
    if isinstance(found, ExerciseContent) and found.exercise.kind != "exercise":
        order = [other.slug for other in content.of_kind(found.exercise.kind)]
    else:
        order = [name for lesson in content.good_lessons() for name in lesson.exercises if name in content.exercises]
    following = order[order.index(slug) + 1 :] if slug in order else []
    card = exercise_card(content, following[0], lang, Progress()) if following else None
    return Link(card.title, card.url) if card else None


def _uses(content: Content, uses: Uses, lang: Lang) -> UsesView:
    def view(kind: str, names: tuple[str, ...]) -> list[UseView]:
        return [UseView(name, *use_sentence(kind, name, lang)) for name in names]

    lists = {kind: view(kind, getattr(uses, kind)) for kind in ("required", "advised", "forbidden")}
    lists["required"] += _demands(uses, lang)
    return UsesView(**lists, workspace_kib=uses.workspace_kib)


def _demands(uses: Uses, lang: Lang) -> list[UseView]:
    """What is demanded of some cases only, of types of data and of each case's workspace."""
    found = []
    for demand in uses.cases:
        for name in demand.required:
            sentence, url = use_sentence("required", name, lang)
            if url:
                sentence = demand_sentence("in_case", lang, name=name, when=demand.when)
            found.append(UseView(name, sentence, url))
    found += [UseView(name, demand_sentence("data_type", lang, name=name), "") for name in uses.data_types]
    if limit := uses.workspace_bytes:
        found.append(UseView("workspace_bytes", demand_sentence("workspace_bytes", lang, name=limit), ""))
    return found


def _signatures(exercise: Exercise) -> dict[Language, str]:
    """The function to write, by language; empty for programs."""
    return {} if exercise.form == "program" else {name: signature(exercise, name) for name in exercise.languages}


def source_views(found: ExerciseContent, drafts: list[Draft]) -> dict[Language, SourceView]:
    saved = {draft.language: draft for draft in drafts}
    views: dict[Language, SourceView] = {}
    for language in found.exercise.languages:
        starter = found.exercise.starters[language]
        draft = saved.get(language)
        source = draft.source if draft and draft.source is not None else starter
        saved_at = draft.saved_at if draft and draft.source is not None else None
        views[language] = SourceView(starter, source, saved_at, bool(draft and draft.previous is not None))
    return views
