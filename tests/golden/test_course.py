"""Every exercise of the course: accepted solutions pass, wrong programs get the verdict that they declare."""

from pathlib import Path

import pytest

from grader.contract.exercise import list_exercises, load_exercise
from grader.verify import run_sample
from grader.workshop import Workshop

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"

pytestmark = pytest.mark.usefixtures("native_build")


@pytest.fixture(scope="module")
def course() -> Workshop:
    return Workshop(EXERCISES)


@pytest.mark.parametrize("slug", [folder.name for folder in list_exercises(EXERCISES)])
def test_samples_get_what_they_declare(slug: str, course: Workshop) -> None:
    samples = load_exercise(EXERCISES / slug).samples
    outcomes = [run_sample(slug, sample, course, "simulated") for sample in samples]
    assert [f"{o.sample.path.name}: {o.complaint}" for o in outcomes if o.complaint] == []
    assert {sample.language for sample in samples} == {"cpp", "python"}
