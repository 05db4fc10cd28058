"""Every program that a lesson offers runs, in both languages of the course, and prints what the text says of it."""

import re
from pathlib import Path
from typing import cast

import pytest
import yaml

from grader.contract.codes import Code
from grader.contract.job import Job, Language
from grader.grade import grade
from grader.workshop import Workshop

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^:::\{run\} (\w+)\n(.*?)\n:::$", re.MULTILINE | re.DOTALL)
CLAIMS = yaml.safe_load((Path(__file__).parent / "snippet_claims.yaml").read_text("utf-8"))
LESSONS = sorted(folder.name for folder in (ROOT / "lessons").iterdir() if (folder / "lesson.yaml").exists())

pytestmark = pytest.mark.usefixtures("native_build")


@pytest.fixture(scope="module")
def course() -> Workshop:
    return Workshop(ROOT / "exercises")


def programs(lesson: str) -> dict[tuple[str, str], str]:
    """Language and source of each program, with the place where it stands; the same one in ko and en counts once."""
    found: dict[tuple[str, str], str] = {}
    for text in ("ko.md", "en.md"):
        matches = PROGRAM.finditer((ROOT / "lessons" / lesson / text).read_text())
        found |= {(match[1], match[2]): f"{text}, program {i}" for i, match in enumerate(matches, 1)}
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_programs_of_the_lesson_run(lesson: str, course: Workshop) -> None:
    failed, printed = [], ""
    for (language, source), place in programs(lesson).items():
        job = Job(f"{lesson}-program", cast(Language, language), source, purpose="run", backend="simulated")
        verdict = grade(job, lambda _: None, course)
        printed += verdict.stdout
        if verdict.code != Code.ACCEPTED or not verdict.stdout.strip():
            failed.append(f"{place} ({language}): {verdict.code}, {verdict.data}, {verdict.stderr[-500:]}")
    assert failed == []
    assert [claim for claim in CLAIMS[lesson[4:]] if claim["prints"] not in printed] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_text_still_says_what_its_programs_are_held_to(lesson: str) -> None:
    text = (ROOT / "lessons" / lesson / "en.md").read_text("utf-8")
    claims = CLAIMS[lesson[4:]]
    assert claims
    assert [claim["says"] for claim in claims if claim["says"] not in text] == []


def test_programs_are_found() -> None:
    assert all(programs(lesson) for lesson in LESSONS)
