"""A table of small programs and the verdict that each must get, through the real entry point."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from grader.contract.verdict import Event
from tests.golden.conftest import GradeSource
from tests.golden.toys import GOOD, PRINT_CPP, PRINT_PYTHON, hooked


@dataclass(frozen=True)
class Program:
    name: str
    language: str
    source: str
    code: str
    data: dict[str, Any] = field(default_factory=dict)
    """Entries that the verdict's data must have."""
    first_failed: str = "shown-small"
    exercise: str = "scale"


CPP_HEAD = "#include <cudnn.h>\n"
SIGNATURE = (
    "void scale(cudnnHandle_t handle, const float *x, float *total, float *y, const int32_t *table, double *sums, "
    "float alpha)"
)
EMPTY = CPP_HEAD + SIGNATURE + " {}\n"

PROGRAMS = [
    Program("good", "cpp", GOOD["cpp"], "accepted", first_failed=""),
    Program("good", "python", GOOD["python"], "accepted", first_failed=""),
    Program("not-included", "cpp", GOOD["cpp"].replace("#include <vector>\n", ""), "accepted", first_failed=""),
    Program("wrong-value", "cpp", hooked("cpp", "h[1] += 1;"), "wrong_answer"),
    Program("wrong-value", "python", hooked("python", "y[0, 1] += 1"), "wrong_answer"),
    Program("wrong-hidden", "cpp", hooked("cpp", "if (n == 5) h[0] = 9;"), "wrong_answer", {}, "hidden-large"),
    Program("untouched", "cpp", EMPTY, "wrong_answer"),
    Program("nan", "python", hooked("python", "y[...] = float('nan')"), "wrong_answer"),
    Program("infinite", "python", hooked("python", "sums[0] = np.inf"), "wrong_answer"),
    Program("syntax", "python", "def scale(:\n", "compile_error", {"language": "python"}, ""),
    Program("empty", "python", "", "compile_error", {"problem": "missing_function"}, ""),
    Program("empty", "cpp", "", "compile_error", {"problem": "missing_function", "expected": SIGNATURE}, ""),
    Program("parameters", "python", "def scale(a, b):\n    pass\n", "compile_error", {"problem": "signature"}, ""),
    Program(
        "parameters",
        "cpp",
        CPP_HEAD + "void scale(cudnnHandle_t h, float x) {}",
        "compile_error",
        {"problem": "signature", "expected": SIGNATURE},
        "",
    ),
    Program("syntax", "cpp", GOOD["cpp"].replace("int n = 2, c = 3;", "int n = 2, c = 3"), "compile_error", {}, ""),
    Program("open-brace", "cpp", GOOD["cpp"].rstrip()[:-1], "compile_error", {}, ""),
    Program("undefined", "cpp", EMPTY.replace("{}", "{ void nowhere(); nowhere(); }"), "compile_error", {}, ""),
    Program(
        "exception",
        "python",
        hooked("python", "raise KeyError('x')"),
        "runtime_error",
        {"exception": "KeyError", "line": 10},
    ),
    Program("exception", "cpp", hooked("cpp", 'throw std::runtime_error("no");'), "runtime_error"),
    Program("segfault", "cpp", hooked("cpp", "*(volatile int *)8 = 1;"), "runtime_error", {"signal": "SIGSEGV"}),
    Program("abort", "cpp", hooked("cpp", "std::abort();"), "runtime_error", {"signal": "SIGABRT"}),
    Program(
        "division", "cpp", hooked("cpp", "volatile int z = 0; h[0] = n / z;"), "runtime_error", {"signal": "SIGFPE"}
    ),
    Program("exit", "python", hooked("python", "raise SystemExit(3)"), "runtime_error", {"exit": 3}),
    Program("exit", "cpp", hooked("cpp", "std::exit(4);"), "runtime_error", {"exit": 4, "problem": "ended_early"}),
    Program("quit-silently", "python", hooked("python", "import os; os._exit(0)"), "runtime_error", {"exit": 0}),
    Program("host-dereference", "cpp", hooked("cpp", "h[0] = x[0];"), "runtime_error", {"signal": "SIGSEGV"}),
    Program("loop", "cpp", hooked("cpp", "for (volatile int i = 0;; i = i + 1);"), "time_limit", {"limit": 2.5}),
    Program("loop", "python", hooked("python", "while True: pass"), "time_limit", {"limit": 2.5, "unit": "s"}),
    Program(
        "memory",
        "cpp",
        hooked("cpp", "std::vector<char> v(1u << 30, 1); h[0] += v[5];"),
        "memory_limit",
        {"limit": 300},
    ),
    Program(
        "memory", "python", hooked("python", "blob = bytearray(b'x') * (1 << 30)"), "memory_limit", {"unit": "MiB"}
    ),
    Program("prints", "python", hooked("python", "while True: print('x' * 999)"), "output_limit", {"limit": 16}),
    Program("prints", "cpp", hooked("cpp", 'while (true) std::puts("xxxxxxxxxxxxxxxxxxxxxxxx");'), "output_limit"),
    Program(
        "forbidden-token", "python", GOOD["python"] + "\nnp.dot\n", "forbidden", {"token": "numpy.dot", "line": 12}, ""
    ),
    Program(
        "forbidden-call",
        "cpp",
        hooked("cpp", "cudaDeviceReset();"),
        "forbidden",
        {"token": "cudaDeviceReset", "line": 18},
        "",
    ),
    Program("in-comment", "cpp", GOOD["cpp"] + "// cudaDeviceReset\n", "accepted", {}, ""),
    Program("input-changed", "python", hooked("python", "x[0, 0] = 7"), "bad_output"),
    Program("input-changed", "cpp", hooked("cpp", "cudaMemset((void *)x, 0, 4);"), "bad_output"),
    Program("shape-changed", "python", hooked("python", "sums.shape = (1, len(sums))"), "bad_output"),
    Program("good", "cpp", PRINT_CPP, "accepted", {}, "", "print"),
    Program("good", "python", PRINT_PYTHON, "accepted", {}, "", "print"),
    Program(
        "prints-wrong",
        "python",
        PRINT_PYTHON.replace("print(sys.argv[1])", "print(0)"),
        "wrong_answer",
        {"stdout": True, "line": 1, "expected": "3", "yours": "0"},
        "one",
        "print",
    ),
    Program(
        "exit-status", "cpp", PRINT_CPP.replace("return 0", "return 7"), "runtime_error", {"exit": 7}, "one", "print"
    ),
    Program(
        "misses-call",
        "python",
        "import sys\nprint(sys.argv[1], float(sys.argv[1]) * float(sys.argv[2]), sep='\\n')",
        "api_misuse",
        {},
        "",
        "print",
    ),
    Program(
        "exception",
        "python",
        PRINT_PYTHON.replace("pass  # HOOK", "raise KeyError('x')"),
        "runtime_error",
        {"exception": "KeyError", "line": 8},
        "one",
        "print",
    ),
    Program("no-main", "cpp", "#include <cstdio>\n", "runtime_error", {"problem": "missing_function"}, "one", "print"),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p.exercise}-{p.name}-{p.language}")
def test_verdict(program: Program, grade_source: GradeSource, events: list[Event]) -> None:
    verdict = grade_source(program.language, program.source, program.exercise)
    assert verdict.code == program.code, (verdict.data, verdict.diagnostics, verdict.cases)
    assert verdict.first_failed == program.first_failed
    assert {key: verdict.data.get(key) for key in program.data} == program.data
    assert events[-1].type == "verdict"
    json.dumps([event.data for event in events], allow_nan=False)


def test_events_come_in_order(grade_source: GradeSource, events: list[Event]) -> None:
    grade_source("cpp", GOOD["cpp"])
    assert [event.type for event in events] == ["compiling", "compiled", "running", "case", "case", "verdict"]
    assert [event.data["name"] for event in events[3:5]] == ["shown-small", "hidden-large"]


def test_cases_after_a_crash_are_not_run(grade_source: GradeSource) -> None:
    verdict = grade_source("cpp", hooked("cpp", "std::abort();"))
    assert [case.code for case in verdict.cases] == ["runtime_error", "not_run"]


def test_hidden_case_gives_nothing_away(grade_source: GradeSource) -> None:
    source = hooked("python", "print('leak', x.shape)\nif len(x) == 5: raise ValueError(str(x.shape))")
    verdict = grade_source("python", source)
    text = json.dumps(verdict.to_json())
    hidden = next(case for case in verdict.cases if case.name == "hidden-large")
    assert hidden.code == "runtime_error"
    assert hidden.data["exception"] == "ValueError"
    assert "(5, 7)" not in text
    assert "leak (2, 3)" in verdict.stdout
    assert hidden.parameters == {}
    assert all(call.case != "hidden-large" for call in verdict.calls)


def test_wrong_element_is_described(grade_source: GradeSource) -> None:
    verdict = grade_source("cpp", hooked("cpp", "h[4] += 1;"))
    y = next(output for output in verdict.cases[0].outputs if output.name == "y")
    assert (y.bad, y.count, y.worst_index) == (1, 6, [1, 1])
    assert [row.index for row in y.rows] == [[1, 1]]
    assert y.max_abs_err == pytest.approx(1.0)
    assert y.heat == "00009" + "0" or y.heat[4] in "6789"


def test_common_mistake_is_named(grade_source: GradeSource) -> None:
    verdict = grade_source("python", hooked("python", "y[...] = y * alpha"))
    y = next(output for output in verdict.cases[0].outputs if output.name == "y")
    assert y.pattern == "scaled_twice"


def test_compile_error_points_into_the_learners_file(grade_source: GradeSource) -> None:
    source = "#include <cudnn.h>\n\n\nint broken = undeclared_name;\n"
    verdict = grade_source("cpp", source)
    error = next(d for d in verdict.diagnostics if d.severity == "error")
    assert (error.line, error.column) == (4, 14)
    assert "undeclared_name" in error.message


def test_calls_carry_lines_of_the_learners_file(grade_source: GradeSource) -> None:
    for language in ("cpp", "python"):
        source = GOOD[language].replace("/*HOOK*/", "cudnnGetVersion();")
        source = source.replace("pass  # HOOK", "import libcudnn; libcudnn.cudnnGetVersion()")
        verdict = grade_source(language, source)
        call = next(call for call in verdict.calls if call.name == "cudnnGetVersion")
        line = next(i for i, text in enumerate(source.splitlines(), 1) if "cudnnGetVersion" in text)
        assert call.line == line


def test_same_seed_gives_the_same_inputs(grade_source: GradeSource) -> None:
    source = hooked("python", "print(float(x[0, 0]))")
    first, second, other = (grade_source("python", source, seed=seed).stdout for seed in (7, 7, 8))
    assert first == second != other


def test_resubmission_does_not_compile_twice(grade_source: GradeSource, events: list[Event]) -> None:
    source = GOOD["cpp"] + "// once\n"
    grade_source("cpp", source)
    grade_source("cpp", source)
    assert [event.data["cached"] for event in events if event.type == "compiled"][-1] is True


def test_forbidden_call_that_the_source_does_not_show(grade_source: GradeSource) -> None:
    source = "#define CALL(a, b) a##b()\n" + hooked("cpp", "CALL(cudaDevice, Reset);")
    verdict = grade_source("cpp", source)
    assert (verdict.code, verdict.data["token"]) == ("forbidden", "cudaDeviceReset")
    line = next(i for i, text in enumerate(source.splitlines(), 1) if "CALL(cuda" in text)
    assert verdict.data["line"] == line


def test_compile_purpose_runs_nothing(grade_source: GradeSource) -> None:
    verdict = grade_source("cpp", GOOD["cpp"], purpose="compile")
    assert (verdict.code, verdict.total) == ("accepted", 0)
    broken = grade_source("cpp", "int x = y;", purpose="compile")
    assert broken.code == "compile_error"


@pytest.mark.parametrize(
    ("language", "source"),
    [("python", "print('hi', 1 + 1)"), ("cpp", '#include <cstdio>\nint main() { std::printf("hi %d\\n", 2); }')],
)
def test_run_purpose_prints(language: str, source: str, grade_source: GradeSource) -> None:
    verdict = grade_source(language, source, "", purpose="run")
    assert (verdict.code, verdict.stdout, verdict.data["purpose"]) == ("accepted", "hi 2\n", "run")


def test_a_run_that_raises_shows_its_traceback(grade_source: GradeSource) -> None:
    verdict = grade_source("python", "def f():\n    raise ValueError('too wide')\n\nf()\n", "", purpose="run")
    assert (verdict.code, verdict.data["exception"], verdict.data["line"]) == ("runtime_error", "ValueError", 2)
    assert verdict.data["traceback"].splitlines()[-1] == "ValueError: too wide"


def test_unknown_exercise_is_a_grader_fault_with_a_mend(grade_source: GradeSource) -> None:
    verdict = grade_source("python", "", "no-such-exercise")
    assert verdict.code == "grader_fault"
    assert "no such exercise folder" in verdict.data["text"]
    assert verdict.data["mend"]


def test_defect_of_the_grader_is_a_verdict_and_its_traceback_is_in_the_log(
    grade_source: GradeSource, caplog: pytest.LogCaptureFixture
) -> None:
    verdict = grade_source("python", "", "")
    assert (verdict.code, verdict.data["fault"]) == ("grader_fault", "ValueError")
    assert "job test" in caplog.text
    assert "Traceback" in caplog.text
