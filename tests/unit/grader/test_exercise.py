"""The exercise loader: what it reads, and that every mistake of an author is named with file, line and mend."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.contract.codes import Code
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.exercise_types import Timing, Tolerance
from grader.contract.problems import ContentError, Problem
from tests.unit.grader.exercise_files import YAML, write_exercise


def problems(folder: Path) -> list[Problem]:
    with pytest.raises(ContentError) as caught:
        load_exercise(folder)
    assert all(problem.message and problem.mend for problem in caught.value.problems)
    return caught.value.problems


def test_reads_everything(tmp_path: Path) -> None:
    exercise = load_exercise(write_exercise(tmp_path))
    assert (exercise.slug, exercise.form, exercise.function) == ("toy-sum", "function", "add")
    assert exercise.languages == ("cpp", "python")
    assert exercise.title == {"ko": "합", "en": "Sum"}
    assert exercise.hints["en"] == ("one", "two", "three")
    assert exercise.prompts["ko"] == "Do it."
    assert exercise.starters["python"] == "# starter\n"
    assert [case.shown for case in exercise.cases] == [True, False]
    assert exercise.cases[1].tolerance == Tolerance(1e-4, 0.0)
    assert exercise.limits.wall_s == 3
    assert exercise.limits.memory_mib == 2048
    values = exercise.values(exercise.cases[0])
    assert exercise.shape(exercise.arguments[1], values) == (1, 4)


def test_reads_a_clinic_case(tmp_path: Path) -> None:
    folder = write_exercise(tmp_path, f"{YAML}kind: clinic\ndifficulty: 2\nsymptom: {{ko: 모두 0, en: All zero}}\n")
    found = problems(folder)
    assert [problem.file.name for problem in found] == ["explanation.ko.md", "explanation.en.md", "wrong", "wrong"]
    assert ["1 wrong cpp" in found[2].message, "2 wrong python" in found[3].message] == [True, True]
    for lang in ("ko", "en"):
        (folder / f"explanation.{lang}.md").write_text("It was beta.")
    for name in ("four.cpp", "five.cpp", "six.py"):
        comment = "//" if name.endswith("cpp") else "#"
        (folder / "solutions/wrong" / name).write_text(f"{comment} verdict: wrong_answer\n{comment} why: Why.\n")
    exercise = load_exercise(folder)
    assert (exercise.kind, exercise.difficulty, exercise.symptom["ko"]) == ("clinic", 2, "모두 0")
    assert exercise.explanations == {"ko": "It was beta.", "en": "It was beta."}


def test_times_the_last_case_by_default(tmp_path: Path) -> None:
    yaml = YAML.replace("limits:", "timing: {runs: 7}\nlimits:")
    assert load_exercise(write_exercise(tmp_path, yaml)).timing == Timing("second", runs=7, warmup=3)


def test_reads_samples(tmp_path: Path) -> None:
    samples = {sample.path.name: sample for sample in load_exercise(write_exercise(tmp_path)).samples}
    assert samples["a.cpp"].code is Code.ACCEPTED
    assert (samples["one.cpp"].code, samples["one.cpp"].case) == (Code.WRONG_ANSWER, "second")
    assert samples["two.py"].rule == "leaks_descriptor"
    assert (samples["three.py"].pattern, samples["three.py"].case) == ("border", "")


def test_lists_exercises(tmp_path: Path) -> None:
    write_exercise(tmp_path)
    (tmp_path / "not-one").mkdir()
    assert [path.name for path in list_exercises(tmp_path)] == ["toy-sum"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("schema: 1", "schema: 2", 1, "only schema 1"),
        ("form: function", "form: essay", 2, "form is 'essay'"),
        ("lesson: handles", "lessom: handles", 4, "unknown key 'lessom'"),
        ("{ko: 합, en: Sum}", "{en: Sum}", 3, "lacks the key 'ko'"),
        ("[cpp, python]", "[cpp, rust]", 5, "unknown language 'rust'"),
        ("name: add", "name: 1add", 7, "'1add' is not a function name"),
        ("kind: input", "kind: inptu", 9, "kind is 'inptu'"),
        ("dtype: float32, shape: [N, C]", "dtype: float33, shape: [N, C]", 9, "dtype is 'float33'"),
        ("shape: [N, C]", "shape: [N, C +]", 9, "is not an expression"),
        ("shape: [N, C]", "shape: []", 9, "needs a shape"),
        ("shape: [N, C]", "shape: [N, C], fill: 'rng.foo('", 9, "is not an expression"),
        ("shape: [N, twice]", "shape: [N, twice], fill: ones", 10, "pre-filled with NaN"),
        ("kind: output", "kind: input", 8, "no output to compare"),
        ("{name: y, kind", "{name: x, kind", 10, "two arguments are called 'x'"),
        ("type: cudnnConvolutionMode_t", "type: Mode", 11, "unknown scalar type 'Mode'"),
        ("type: cudnnConvolutionMode_t, value: mode", "type: int", 11, "has no value"),
        ("twice: 2 * C", "twice: 2 * D", 15, "lacks the parameter 'D'"),
        ("twice: 2 * C", "twice: C // 0", 15, "derived 'twice'"),
        ("{N: 1, C: 2,", "{N: 1,", 15, "lacks the parameter 'C'"),
        ("{N: 1, C: 2,", "{N: 0, C: 2,", 15, "an integer of at least 1"),
        ("{N: 1, C: 2,", "{N: true, C: 2,", 15, "parameter 'N' is True"),
        ("mode: CUDNN_CONVOLUTION}", "mode: CUDNN_CONVOLVE}", 15, "has no enumerator 'CUDNN_CONVOLVE'"),
        ("name: second", "name: first", 16, "two cases are called 'first'"),
        ("shown: true", "shown: false", 14, "no case is shown"),
        ("rtol: 1e-4", "rtol: -1e-4", 16, "negative"),
        ("rtol: 1e-4, ", "", 16, "lacks the key 'rtol'"),
        ("wall_s: 3", "wall_s: soon", 18, "must be a number"),
        ("wall_s: 3", "wall_s: 0", 18, "must be above 0"),
        ("  forbidden:", "  workspace_kib: -1\n  forbidden:", 21, "workspace of -1 KiB"),
        (
            "  forbidden:",
            "  workspace_kib: 1\n  workspace_bytes: N\n  forbidden:",
            22,
            "a budget for all cases and one for",
        ),
        ("  forbidden:", "  workspace_bytes: budget\n  forbidden:", 15, "lacks the parameter 'budget'"),
        ("  forbidden:", "  data_types: [INT9]\n  forbidden:", 21, "there is no type 'INT9'"),
        ("  forbidden:", "  cases: [{when: D == 1}]\n  forbidden:", 15, "lacks the parameter 'D' (uses.cases)"),
        ("  forbidden:", "  cases: [{when: N == 1, required: [cudnnNo]}]\n  forbidden:", 21, "no function 'cudnnNo'"),
        ("[numpy.dot]", "['a b']", 21, "is no rule or function name"),
        ("accumulate: C * 3", "accumulate: K", 15, "lacks the parameter 'K'"),
        ("limits:", "program: {stdout: ['x']}\nlimits:", 18, "only `form: program`"),
        ("limits: {wall_s: 3}", "limits: {wall_s: 3}\nlimits: {wall_s: 4}", 19, "given twice"),
        ("limits:", "timing: {case: third}\nlimits:", 18, "no case 'third'"),
        ("limits:", "timing: {runs: 2}\nlimits:", 18, "2 timed runs"),
        ("limits:", "timing: {warmup: 21}\nlimits:", 18, "21 calls to warm up"),
        ("name: second", "name: timed-runs", 16, "what verdicts call the timed runs"),
        ("title: {", "title: [", 3, "not valid YAML"),
        ("lesson: handles", "lesson: handles\nkind: riddle", 5, "kind is 'riddle'"),
        ("lesson: handles", "lesson: handles\nkind: challenge", 1, "lacks the key 'difficulty'"),
        ("lesson: handles", "lesson: handles\ndifficulty: 4", 5, "difficulty 4 is not known"),
        ("lesson: handles", "lesson: handles\nkind: clinic\ndifficulty: 1", 1, "the key 'symptom' is missing"),
        ("lesson: handles", "lesson: handles\nsymptom: {ko: 가, en: a}", 5, "only a clinic case has a symptom"),
    ],
)
def test_mistake_in_yaml(old: str, new: str, line: int, message: str, tmp_path: Path) -> None:
    assert old in YAML
    folder = write_exercise(tmp_path, YAML.replace(old, new, 1))
    found = problems(folder)
    assert (folder / "exercise.yaml", line) in [(p.file, p.line) for p in found], found
    assert any(message in problem.message for problem in found), [p.message for p in found]


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (lambda f: (f / "exercise.yaml").unlink(), "exercise.yaml", "missing"),
        (lambda f: (f / "prompt.ko.md").unlink(), "prompt.ko.md", "missing"),
        (lambda f: (f / "prompt.en.md").write_bytes(b"\xff\xfe"), "prompt.en.md", "not UTF-8: byte 0xff"),
        (lambda f: (f / "hints.en.md").write_text(" \n"), "hints.en.md", "empty"),
        (lambda f: (f / "hints.en.md").write_text("one only"), "hints.en.md", "1 hint rungs; hints.ko.md has 3"),
        (lambda f: (f / "starter.py").unlink(), "starter.py", "missing"),
        (lambda f: (f / "reference.py").unlink(), "reference.py", "missing"),
        (lambda f: (f / "solutions/accepted/a.py").unlink(), "accepted", "1 accepted python"),
        (lambda f: (f / "solutions/wrong/two.py").unlink(), "wrong", "2 wrong programs"),
        (lambda f: (f / "solutions/accepted/x.rs").write_text(""), "x.rs", "not a program"),
        (lambda f: (f / "solutions/wrong/two.py").write_text("x = 1\n"), "two.py", "declares no verdict"),
        (lambda f: (f / "solutions/wrong/two.py").write_text("# verdict: wrong_answer\n"), "two.py", "declares no why"),
        (lambda f: (f / "solutions/wrong/two.py").write_text("# verdict: bad\n# why: x\n"), "two.py", "verdict 'bad'"),
        (lambda f: (f / "solutions/wrong/two.py").write_text("# verdict: accepted\n# why: x\n"), "two.py", "unknown"),
        (
            lambda f: (f / "solutions/wrong/two.py").write_text("# verdict: wrong_answer\n# case: no\n# why: x\n"),
            "two.py",
            "no case 'no'",
        ),
    ],
)
def test_mistake_in_files(change: Callable[[Path], object], name: str, message: str, tmp_path: Path) -> None:
    folder = write_exercise(tmp_path)
    change(folder)
    found = problems(folder)
    assert any(p.file.name == name and message in p.message for p in found), found


def test_grading_needs_less_than_publishing(tmp_path: Path) -> None:
    folder = write_exercise(tmp_path)
    (folder / "prompt.ko.md").unlink()
    assert load_exercise(folder, complete=False).function == "add"


def test_no_such_folder(tmp_path: Path) -> None:
    assert "no such exercise" in problems(tmp_path / "nowhere")[0].message


def test_all_problems_at_once(tmp_path: Path) -> None:
    folder = write_exercise(tmp_path, YAML.replace("name: second", "name: first").replace("form: function", "form: x"))
    (folder / "starter.cpp").unlink()
    assert len(problems(folder)) >= 3
