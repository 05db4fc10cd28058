"""What kind of exercise it is: a plain one, a case of the clinic or a challenge, and what each of them needs."""

from typing import Any, cast

from grader.contract.codes import Code
from grader.contract.exercise_types import DIFFICULTIES, EXERCISE_KINDS, Exercise, ExerciseKind, Sample
from grader.contract.job import SUFFIX
from grader.contract.marked_yaml import Section
from grader.contract.problems import Problem

WRONG_MENDS = 3
"""Wrong mends of a clinic case in each language."""


def read_kind(top: Section) -> dict[str, Any]:
    """Fields `kind`, `difficulty` and `symptom` of an Exercise; problems are noted in the document."""
    kind = cast(ExerciseKind, top.choice("kind", EXERCISE_KINDS, "exercise"))
    return {"kind": kind, "difficulty": _difficulty(top, kind), "symptom": _symptom(top, kind)}


def _difficulty(top: Section, kind: ExerciseKind) -> int:
    difficulty = top.integer("difficulty", DIFFICULTIES[0], required=kind != "exercise")
    if difficulty not in DIFFICULTIES:
        top.problem("difficulty", f"difficulty {difficulty} is not known", "use 1 (easy), 2 or 3 (hard)")
    return difficulty


def _symptom(top: Section, kind: ExerciseKind) -> dict[str, str]:
    if kind == "clinic":
        return top.both_languages("symptom")
    if top.has("symptom"):
        top.problem("symptom", f"only a clinic case has a symptom, and this is `kind: {kind}`", "remove it")
    return {}


def check_mends(exercise: Exercise, samples: tuple[Sample, ...], problems: list[Problem]) -> None:
    """Notes each language of a clinic case that has too few wrong mends."""
    for language in exercise.languages if exercise.kind == "clinic" else ():
        wrong = sum(sample.language == language and sample.code is not Code.ACCEPTED for sample in samples)
        if wrong < WRONG_MENDS:
            message = f"{wrong} wrong {language} mends, a clinic case needs at least {WRONG_MENDS}"
            mend = f"add solutions/wrong/<name>{SUFFIX[language]}: what people try first"
            problems.append(Problem(exercise.folder / "solutions" / "wrong", 0, message, mend))
