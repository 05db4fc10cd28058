"""Planted bugs get their rule and no other, clean programs get none: real programs over recorder and simulator."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from grader.checkers.api_trace import check_trace
from grader.contract.exercise_types import Uses
from tests.native.planted import programs, programs_graph_rnn
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
def text(kind: str) -> str:
    """All C++ programs of a kind: bugs or clean."""
    return "".join(file.read_text() for file in sorted(FOLDER.glob(f"{kind}*.cpp")))


@cache
def names(kind: str) -> list[str]:
    """The programs of a kind, by the name that each is declared with."""
    return re.findall(r"^(?:PLANTED|CLEAN)\((\w+)\)", text(kind), re.MULTILINE)


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All C++ programs in one, chosen by number: the bugs, then the clean ones."""
    folder = tmp_path_factory.mktemp("planted")
    count = 0

    def declare(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"static void program{count - 1}()"

    body = re.sub(r"^(?:PLANTED|CLEAN)\(\w+\)", declare, text("bugs") + text("clean"), flags=re.MULTILINE)
    table = ", ".join(f"program{i}" for i in range(count))
    source = f'#include "graph_rnn.hpp"\n{body}\nstatic void (*const kPrograms[])() = {{{table}}};\n{MAIN}'
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


@pytest.mark.parametrize("number", range(len(names("bugs"))), ids=lambda n: f"{n}-{names('bugs')[n]}")
def test_a_planted_bug_in_cpp_gets_its_rule_and_no_other(executable: Path, number: int) -> None:
    codes = found(run([str(executable), str(number)]))
    assert is_found_alone(names("bugs")[number], codes), codes


@pytest.mark.parametrize("number", range(len(names("clean"))), ids=lambda n: names("clean")[n])
def test_a_clean_program_in_cpp_is_not_blamed(executable: Path, number: int) -> None:
    done = run([str(executable), str(len(names("bugs")) + number)])
    assert "failed" not in done.stdout
    assert found(done) == []


BUGS = [(programs.SETUP, *bug) for bug in programs.BUGS] + programs_graph_rnn.BUGS
CLEAN = [(programs.SETUP, source) for source in programs.CLEAN] + programs_graph_rnn.CLEAN


@pytest.mark.parametrize(("setup", "rule", "source"), BUGS, ids=[f"{i}-{bug[1]}" for i, bug in enumerate(BUGS)])
def test_a_planted_bug_in_python_gets_its_rule_and_no_other(setup: str, rule: str, source: str) -> None:
    codes = found(run_python(setup + source))
    assert is_found_alone(rule, codes), codes


@pytest.mark.parametrize(("setup", "source"), CLEAN, ids=range(len(CLEAN)))
def test_a_clean_program_in_python_is_not_blamed(setup: str, source: str) -> None:
    assert found(run_python(setup + source)) == []


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
    assert len(names("bugs")) + len(BUGS) >= 30
    assert len(names("clean")) + len(CLEAN) >= 20
