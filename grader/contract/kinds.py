"""What kind of exercise it is: a plain one, a case of the clinic or a challenge, and what each of them needs."""

from typing import Any, cast

from grader.contract.exercise_types import DIFFICULTIES, EXERCISE_KINDS, ExerciseKind
from grader.contract.marked_yaml import Section


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
