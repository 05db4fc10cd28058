"""Which tests stay together where two processes run them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.policy import MAX_SLOTS
from tests.conftest import SLOTS
from tests.schedule import APART, TOGETHER, scope

LINE = re.compile(r"^\[(gw\d)\] \[ *\d+%\] PASSED (\S+?)::", re.MULTILINE)


def test_what_the_schedule_names_is_there(repository: Path) -> None:
    assert [file for file in APART if not (repository / file).is_file()] == []
    assert SLOTS == MAX_SLOTS
    assert [folder for folder in TOGETHER if not (repository / folder).is_dir()] == []


@pytest.mark.parametrize(
    ("test", "together"),
    [
        ("tests/web/test_pages.py::test_a[sqlite-std::vector]", "tests/web/test_pages.py"),
        ("tests/browser/test_help.py::test_b", "tests/browser/"),
        (f"{APART[0]}::test_c[one]", f"{APART[0]}::test_c[one]"),
    ],
)
def test_files_stay_together_or_with_their_folder_or_go_apart(test: str, together: str) -> None:
    assert scope(test) == together


def test_two_processes_share_out_files(repository: Path) -> None:
    files = [f"tests/unit/grader/test_{name}.py" for name in ("turns", "expressions", "worker", "pool")]
    command = [sys.executable, "-m", "pytest", "-n", "2", "-v", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = set(LINE.findall(done.stdout))
    assert {file for _, file in ran} == set(files)
    assert len(ran) == len(files), "a file was divided between the processes"
    assert len({process for process, _ in ran}) == 2
