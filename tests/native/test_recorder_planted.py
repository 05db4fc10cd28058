"""Planted bugs get their rule and no other, clean programs get none: real programs over recorder and simulator."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from grader.checkers.api_trace import check_trace
from grader.contract.exercise_types import Uses
from tests.native.planted import programs
from tests.native.recorded import BUILD, LIBRARIES, Run, run, run_python

pytestmark = pytest.mark.usefixtures("native_build")

FOLDER = Path(__file__).parent / "planted"
MAIN = """
extern "C" int fp_recorder_attach(int);
extern "C" void fp_recorder_case(const char *);
extern "C" void fp_recorder_report();
int main(int, char **argv) {
  fp_recorder_attach(std::atoi(std::getenv("TRACE")));
  fp_recorder_case("one");
  kPrograms[std::atoi(argv[1])]();
  fp_recorder_case("");
  fp_recorder_report();
}
"""
FAULTS = {"host_pointer_given", "buffer_too_small", "workspace_too_small"}
LATE = {rule: {"asynchronous_error"} for rule in FAULTS}
"""What follows from a fault of a kernel, at a later call."""


@cache
def names(file: str) -> list[str]:
    """The programs of a C++ file, by the name that each is declared with."""
    return re.findall(r"^(?:PLANTED|CLEAN)\((\w+)\)", (FOLDER / file).read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All C++ programs in one, chosen by number: the bugs, then the clean ones."""
    folder = tmp_path_factory.mktemp("planted")
    text = (FOLDER / "bugs.cpp").read_text() + (FOLDER / "clean.cpp").read_text()
    count = 0

    def declare(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"static void program{count - 1}()"

    body = re.sub(r"^(?:PLANTED|CLEAN)\(\w+\)", declare, text, flags=re.MULTILINE)
    table = ", ".join(f"program{i}" for i in range(count))
    source = f'#include "prelude.hpp"\n{body}\nstatic void (*const kPrograms[])() = {{{table}}};\n{MAIN}'
    (folder / "programs.cpp").write_text(source)
    command = ["g++", "-std=c++17", "-w", f"-I{FOLDER}", f"-I{BUILD / 'include'}", str(folder / "programs.cpp"),
               "-o", str(folder / "programs"), f"-L{LIBRARIES}", "-lfp_recorder",
               f"-Wl,-rpath,{LIBRARIES}"]  # fmt: skip
    subprocess.run(command, check=True)
    return folder / "programs"


def found(done: Run) -> list[str]:
    """Codes of all findings on a program that came to its end."""
    assert done.status == 0, done.stderr
    assert done.trace.calls
    return [finding.rule for finding in check_trace(done.trace.calls, done.trace.notes, Uses())]


def is_found_alone(rule: str, codes: list[str]) -> bool:
    return rule in codes and set(codes) <= {rule} | LATE.get(rule, set())


@pytest.mark.parametrize("number", range(len(names("bugs.cpp"))), ids=lambda n: f"{n}-{names('bugs.cpp')[n]}")
def test_a_planted_bug_in_cpp_gets_its_rule_and_no_other(executable: Path, number: int) -> None:
    codes = found(run([str(executable), str(number)]))
    assert is_found_alone(names("bugs.cpp")[number], codes), codes


@pytest.mark.parametrize("number", range(len(names("clean.cpp"))), ids=lambda n: names("clean.cpp")[n])
def test_a_clean_program_in_cpp_is_not_blamed(executable: Path, number: int) -> None:
    done = run([str(executable), str(len(names("bugs.cpp")) + number)])
    assert "failed" not in done.stdout
    assert found(done) == []


@pytest.mark.parametrize(("rule", "source"), programs.BUGS, ids=[f"{i}-{r}" for i, (r, _) in enumerate(programs.BUGS)])
def test_a_planted_bug_in_python_gets_its_rule_and_no_other(rule: str, source: str) -> None:
    codes = found(run_python(programs.SETUP + source))
    assert is_found_alone(rule, codes), codes


@pytest.mark.parametrize("source", programs.CLEAN, ids=range(len(programs.CLEAN)))
def test_a_clean_program_in_python_is_not_blamed(source: str) -> None:
    assert found(run_python(programs.SETUP + source)) == []


POOLING_GRADIENT = """
pool = L.cudnnCreatePoolingDescriptor()
L.cudnnSetPooling2dDescriptor(pool, L.CUDNN_POOLING_{mode}, L.CUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 1, 1)
result, gradient = cupy.empty_like(dx), cupy.empty_like(dx)
L.cudnnPoolingForward(h, pool, 1.0, x, dx, 0.0, x, result)
L.cudnnPoolingBackward(h, pool, 1.0, x, result, x, result, x, dx, 0.0, x, gradient)
L.cudnnDestroyPoolingDescriptor(pool); destroy()"""


@pytest.mark.parametrize(
    ("mode", "expected"), [("MAX", ["non_deterministic_algorithm"]), ("MAX_DETERMINISTIC", [])], ids=["max", "settled"]
)
def test_a_pooling_gradient_is_judged_by_its_mode(mode: str, expected: list[str]) -> None:
    done = run_python(programs.SETUP + POOLING_GRADIENT.format(mode=mode))
    assert done.status == 0, done.stderr
    uses = Uses(required=("deterministic_algorithms",))
    assert [finding.rule for finding in check_trace(done.trace.calls, done.trace.notes, uses)] == expected


def test_there_are_enough_of_both() -> None:
    assert len(names("bugs.cpp")) + len(programs.BUGS) >= 30
    assert len(names("clean.cpp")) + len(programs.CLEAN) >= 20
