"""Sample programs of the exercises, which the browser tests type in."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = ROOT / "exercises"
LESSONS = ROOT / "lessons"
SUFFIX = {"cpp": ".cpp", "python": ".py"}

EXERCISE = "forward-convolution"
LESSON = "forward-convolution"
LONG = "changing-sizes"
"""Its programs may run for half a minute: time to do something else meanwhile, also on a busy machine."""


def accepted(slug: str, language: str) -> str:
    folder = EXERCISES / slug / "solutions" / "accepted"
    return sorted(folder.glob(f"*{SUFFIX[language]}"))[0].read_text(encoding="utf-8")


def wrong(slug: str, language: str, verdict: str) -> str:
    """The first wrong program that declares `verdict`."""
    for file in sorted((EXERCISES / slug / "solutions" / "wrong").glob(f"*{SUFFIX[language]}")):
        text = file.read_text(encoding="utf-8")
        if f"verdict: {verdict}" in text.splitlines()[0]:
            return text
    raise LookupError(f"{slug} has no {language} program that declares {verdict}")


def sleeping() -> str:
    """A program for the exercise LONG that runs until its time is over."""
    return f"import time\n\ntime.sleep(60)\n{accepted(LONG, 'python')}"


def lesson_slugs() -> list[str]:
    course = yaml.safe_load((LESSONS / "course.yaml").read_text(encoding="utf-8"))
    return [slug for section in course["sections"] for slug in section["lessons"]]


def exercise_slugs() -> list[str]:
    return sorted(path.name for path in EXERCISES.iterdir() if (path / "exercise.yaml").is_file())


def quiz_of(slug: str) -> list[dict[str, Any]]:
    file = next(LESSONS.glob(f"*-{slug}")) / "quiz.yaml"
    questions: list[dict[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))["questions"]
    return questions
