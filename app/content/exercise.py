"""An exercise for readers: the contract's exercise with prompt and hints rendered."""

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from app.content.markdown.blocks import HtmlBlock, Rendered
from app.content.markdown.links import Links, similar
from app.content.markdown.render import render, render_inline
from app.content.model import ExerciseContent
from app.i18n.locales import LANGS, Lang
from grader.contract.codes import Code
from grader.contract.exercise import load_exercise, split_rungs
from grader.contract.exercise_types import Exercise
from grader.contract.job import Language
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import ContentError, Problem
from grader.contract.reading import read_text


def load_exercise_content(folder: Path, links: Mapping[Lang, Links]) -> tuple[ExerciseContent, list[Problem]]:
    """The exercise, and problems that do not keep it from being shown.

    Raises ContentError with every problem of the exercise and of its texts that does.
    """
    exercise = load_exercise(folder)
    reader = _Reader(exercise, links)
    prompts = {lang: reader.whole(f"prompt.{lang}.md", exercise.prompts.get(lang, ""), lang) for lang in LANGS}
    ladders = {lang: reader.hints(lang) for lang in LANGS}
    explanations = {
        lang: reader.whole(f"explanation.{lang}.md", exercise.explanations[lang], lang).html
        for lang in LANGS
        if lang in exercise.explanations
    }
    symptoms = {lang: reader.symptom(lang) for lang in LANGS if lang in exercise.symptom}
    if exercise.lesson and links["ko"].find("lesson", exercise.lesson) is None:
        mend = similar(exercise.lesson, links["ko"].targets.get("lesson", {}))
        problem = Problem(
            folder / "exercise.yaml", reader.line("lesson"), f"there is no lesson {exercise.lesson!r}", mend
        )
        reader.problems.append(problem)
    if reader.problems:
        raise ContentError(reader.problems)
    content = ExerciseContent(exercise, prompts, ladders, _solutions(exercise), symptoms, explanations)
    return content, reader.warnings


class _Reader:
    """Renders the texts of one exercise and gathers what is wrong with them."""

    def __init__(self, exercise: Exercise, links: Mapping[Lang, Links]) -> None:
        self.exercise = exercise
        self.links = links
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def line(self, key: str) -> int:
        return load_marked(self.exercise.folder / "exercise.yaml").line((key,))

    def _noted(self, rendered: Rendered) -> Rendered:
        self.problems += rendered.problems
        self.warnings += rendered.warnings
        return rendered

    def whole(self, name: str, text: str, lang: Lang, first_line: int = 1) -> Rendered:
        """A text of its own file, or from `first_line` of it. Only HTML of it is shown."""
        file = self.exercise.folder / name
        rendered = self._noted(render(text, file, self.links[lang], first_line))
        for block in rendered.blocks:
            if not isinstance(block, HtmlBlock):
                at = next((i for i, row in enumerate(text.split("\n")) if f"{{{block.kind}}}" in row), 0)
                message = f"`{block.kind}` is not shown in the texts of an exercise"
                self.warnings.append(Problem(file, first_line + at, message, "put it into the lesson"))
        return rendered

    def hints(self, lang: Lang) -> tuple[Markup, ...]:
        name = f"hints.{lang}.md"
        text = read_text(self.exercise.folder / name, self.problems) or ""
        return tuple(self.whole(name, rung, lang, line).html for line, rung in split_rungs(text))

    def symptom(self, lang: Lang) -> Markup:
        file, text = self.exercise.folder / "exercise.yaml", self.exercise.symptom[lang]
        return self._noted(render_inline(text, file, self.links[lang], self.line("symptom"))).html


def _solutions(exercise: Exercise) -> dict[Language, str]:
    """The first accepted program of each language, in name order: what is shown after solving or giving up."""
    found: dict[Language, str] = {}
    for sample in sorted(exercise.samples, key=lambda sample: sample.path):
        if sample.code is Code.ACCEPTED and sample.language not in found:
            found[sample.language] = sample.path.read_text(encoding="utf-8")
    return found
