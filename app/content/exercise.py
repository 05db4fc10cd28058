"""An exercise for readers: the contract's exercise with prompt and hints rendered."""

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from app.content.markdown.blocks import Rendered
from app.content.markdown.links import Links
from app.content.markdown.render import render, render_inline
from app.content.model import ExerciseContent, Htmls
from app.i18n.locales import LANGS, Lang
from grader.contract.codes import Code
from grader.contract.exercise import Exercise, load_exercise
from grader.contract.job import Language
from grader.contract.problems import ContentError, Problem


def load_exercise_content(folder: Path, links: Mapping[Lang, Links]) -> ExerciseContent:
    """Raises ContentError with every problem of the exercise and of its texts."""
    exercise = load_exercise(folder)
    problems: list[Problem] = []
    prompts: dict[Lang, Rendered] = {}
    hints: dict[Lang, tuple[Rendered, ...]] = {}
    for lang in LANGS:
        prompts[lang] = render(exercise.prompts.get(lang, ""), folder / f"prompt.{lang}.md", links[lang])
        file = folder / f"hints.{lang}.md"
        hints[lang] = tuple(render(rung, file, links[lang]) for rung in exercise.hints.get(lang, ()))
        for rendered in (prompts[lang], *hints[lang]):
            problems.extend(rendered.problems)
    symptoms = _inline(exercise.symptom, folder, links, problems)
    explanations = _explanations(exercise, links, problems)
    if exercise.lesson and links["ko"].find("lesson", exercise.lesson) is None:
        message = f"there is no lesson {exercise.lesson!r}"
        problems.append(Problem(folder / "exercise.yaml", 0, message, "name a lesson of course.yaml in `lesson:`"))
    if problems:
        raise ContentError(problems)
    ladders = {lang: tuple(rung.html for rung in rungs) for lang, rungs in hints.items()}
    return ExerciseContent(exercise, prompts, ladders, _solutions(exercise), symptoms, explanations)


def _inline(texts: Mapping[str, str], folder: Path, links: Mapping[Lang, Links], problems: list[Problem]) -> Htmls:
    """A short text of exercise.yaml in each language, where it has one; problems are appended."""
    found: dict[Lang, Markup] = {}
    for lang in LANGS:
        if lang in texts:
            result = render_inline(texts[lang], folder / "exercise.yaml", links[lang], 1)
            problems.extend(result.problems)
            found[lang] = result.html
    return found


def _explanations(exercise: Exercise, links: Mapping[Lang, Links], problems: list[Problem]) -> Htmls:
    found: dict[Lang, Markup] = {}
    for lang in LANGS:
        if lang in exercise.explanations:
            rendered = render(exercise.explanations[lang], exercise.folder / f"explanation.{lang}.md", links[lang])
            problems.extend(rendered.problems)
            found[lang] = rendered.html
    return found


def _solutions(exercise: Exercise) -> dict[Language, str]:
    """The first accepted program of each language, in name order: what is shown after solving or giving up."""
    found: dict[Language, str] = {}
    for sample in sorted(exercise.samples, key=lambda sample: sample.path):
        if sample.code is Code.ACCEPTED and sample.language not in found:
            found[sample.language] = sample.path.read_text(encoding="utf-8")
    return found
