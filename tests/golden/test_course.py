"""Every exercise of the course: accepted solutions pass, wrong programs get the verdict that they declare."""

from pathlib import Path

import pytest

from app.scaffolds.write import new_clinic
from grader.contract.codes import Code
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.job import Job
from grader.grade import grade
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


CASES = [
    folder.name for folder in list_exercises(EXERCISES) if "kind: clinic" in (folder / "exercise.yaml").read_text()
]


@pytest.mark.parametrize("slug", CASES)
def test_the_broken_program_of_a_case_is_rejected(slug: str, course: Workshop) -> None:
    broken = (Code.WRONG_ANSWER, Code.RUNTIME_ERROR, Code.API_MISUSE)
    for language, starter in load_exercise(EXERCISES / slug).starters.items():
        job = Job(f"{slug}-starter", language, starter, slug, backend="simulated")
        assert grade(job, lambda _: None, course).code in broken, language


def test_a_new_case_of_the_clinic_gets_what_it_declares(tmp_path: Path) -> None:
    new_clinic(tmp_path, "mine", "handles")
    samples, workshop = load_exercise(tmp_path / "mine").samples, Workshop(tmp_path)
    outcomes = [run_sample("mine", sample, workshop, "simulated") for sample in samples]
    assert [f"{o.sample.path.name}: {o.complaint}" for o in outcomes if o.complaint] == []
