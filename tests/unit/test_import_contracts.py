"""Every import contract can fail: a planted import breaks exactly the contract that forbids it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLANTED = [
    ("grader/grade.py", "import sqlalchemy", {"1"}),
    ("grader/grade.py", "import app.settings", {"1"}),
    ("app/settings.py", "import cupy", {"2"}),
    ("app/settings.py", "import grader.native.api", {"2", "3"}),
    ("app/settings.py", "import grader.rules", {"3"}),
    ("grader/contract/job.py", "import grader.paths", {"4"}),
    ("grader/checkers/planted.py", "import grader.sandbox.policy", {"5"}),
    ("grader/inside/planted.py", "import grader.checkers.planted", {"6"}),
    ("app/quizzes/models.py", "import app.quizzes.service", {"7a"}),
    ("app/quizzes/service.py", "import app.submissions.queries", {"7b"}),
    ("app/settings.py", "import tests.conftest", {"8"}),
]


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    """The Python packages and their contracts, to be damaged at will."""
    for package in ("app", "grader"):
        shutil.copytree(repository / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "*.cpp"))
    (tmp_path / "tests").mkdir()
    for name in ("tests/__init__.py", "tests/conftest.py", ".importlinter"):
        shutil.copy(repository / name, tmp_path / name)
    (tmp_path / "grader" / "checkers" / "planted.py").touch()
    return tmp_path


def broken(root: Path) -> set[str]:
    """Numbers of the contracts that do not hold."""
    lint = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([lint, "--no-cache"], cwd=root, env={"PYTHONPATH": "."}, capture_output=True, text=True)
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(\w+)\. .* BROKEN", done.stdout, re.MULTILINE))


@pytest.mark.parametrize(("file", "line", "contracts"), PLANTED)
def test_a_planted_import_breaks_its_contract(copy: Path, file: str, line: str, contracts: set[str]) -> None:
    with (copy / file).open("a") as source:
        source.write(f"\n{line}\n")
    assert broken(copy) == contracts
