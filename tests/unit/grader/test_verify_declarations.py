"""What a sample program declares for the simulator and for a GPU, and how a verdict is held against it."""

from pathlib import Path

import pytest

from grader.contract.codes import Code
from grader.contract.exercise_types import Sample
from grader.contract.problems import Problem
from grader.contract.samples import load_samples
from grader.contract.verdict import BackendInfo, Verdict
from grader.verify import complaint

WRONG = "// verdict: runtime_error\n// gpu: {gpu}\n// why: writes behind y\n"


def load(folder: Path, gpu: str) -> tuple[list[Sample], list[Problem]]:
    wrong = folder / "solutions" / "wrong"
    wrong.mkdir(parents=True)
    (wrong / "past-the-end.cpp").write_text(WRONG.replace("{gpu}", gpu))
    problems: list[Problem] = []
    return list(load_samples(folder, ("cpp",), (), problems)), problems


@pytest.mark.parametrize(("backend", "code"), [("gpu", Code.WRONG_ANSWER), ("simulated", Code.RUNTIME_ERROR)])
def test_each_backend_is_held_to_its_own_declaration(tmp_path: Path, backend: str, code: Code) -> None:
    samples, _ = load(tmp_path, "wrong_answer")
    info = BackendInfo(backend, 91900, "device")  # type: ignore[arg-type]
    assert complaint(samples[0], Verdict(code, backend=info)) == ""
    other = Code.RUNTIME_ERROR if code is Code.WRONG_ANSWER else Code.WRONG_ANSWER
    assert complaint(samples[0], Verdict(other, backend=info)).startswith(f"declared {code}, got {other}")


def test_a_program_that_a_gpu_accepts_need_not_break_its_rule_there(tmp_path: Path) -> None:
    path = tmp_path / "overwritten.py"
    sample = Sample(path, "python", Code.API_MISUSE, on_gpu=Code.ACCEPTED, rule="output_from_the_host")
    gpu, simulated = BackendInfo("gpu", 91900, "device"), BackendInfo("simulated", 91900, "CPU")
    assert complaint(sample, Verdict(Code.ACCEPTED, backend=gpu)) == ""
    assert complaint(sample, Verdict(Code.ACCEPTED, backend=simulated)).startswith("declared api_misuse, got accepted")
    assert complaint(sample, Verdict(Code.API_MISUSE, backend=simulated)).startswith("declared to break rule")


def test_an_unknown_verdict_on_the_gpu_is_a_problem(tmp_path: Path) -> None:
    samples, problems = load(tmp_path, "crash")
    assert samples == []
    assert any("'crash'" in str(problem) and problem.line == 2 for problem in problems)
