"""The command line, through its real entry point: exit statuses, JSON, and the author's `verify`."""

import json
import re
from pathlib import Path

import pytest

from grader.cli import main
from tests.golden.toys import GOOD, hooked, write_toys
from tests.unit.grader.exercise_files import YAML, write_exercise


@pytest.fixture
def exercises(tmp_path: Path, workshop: object) -> Path:
    return write_toys(tmp_path)


def test_text(exercises: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(hooked("python", "y[0, 0] += 1"))
    assert main([str(exercises / "scale"), str(file), "--seed", "4"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("wrong_answer: 0 of 2 cases passed")
    assert "y: 1 of 6 elements beyond" in text
    assert "hidden-large (hidden): wrong_answer" in text
    assert "seed 4" in text


def test_json_is_what_the_worker_sends(exercises: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(GOOD["python"])
    assert main([str(exercises / "scale"), str(file), "--json", "--backend", "simulated"]) == 0
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[-1]["type"], events[-1]["data"]["code"]) == ("verdict", "accepted")


@pytest.mark.parametrize(
    ("exercise", "name", "content", "message"),
    [
        ("nowhere", "a.py", b"", "no such exercise folder"),
        ("scale", "a.rs", b"", "this exercise takes *.cpp, *.py"),
        ("scale", "missing.py", None, "No such file"),
        ("scale", "a.py", b"\xff\xfe", "not UTF-8"),
        ("scale", "a.py", b"#" * 300_000, "at most 262144 are taken"),
    ],
)
def test_unusable_arguments(
    exercise: str, name: str, content: bytes | None, message: str, exercises: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exercises / name
    if content is not None:
        file.write_bytes(content)
    assert main([str(exercises / exercise), str(file)]) == 2
    assert message in capsys.readouterr().err


def test_broken_exercise_names_file_and_line(exercises: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = exercises / "scale" / "exercise.yaml"
    file.write_text(file.read_text().replace("kind: output", "kind: outptu"))
    (exercises / "a.py").write_text("")
    assert main([str(exercises / "scale"), str(exercises / "a.py")]) == 2
    error = capsys.readouterr().err
    assert "exercise.yaml:13: kind is 'outptu'" in error
    assert "mend: use one of" in error


def test_environment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env"]) == 0
    assert "jail       ok" in capsys.readouterr().out


COPY_YAML = YAML.replace(
    "kind: input, dtype: float32, shape: [N, C]", "kind: host_input, dtype: float32, shape: [N, C]"
)
COPY_YAML = COPY_YAML.replace(
    "kind: output, dtype: float32, shape: [N, twice]", "kind: host_output, dtype: float32, shape: [N, C]"
)
COPY_YAML = COPY_YAML.replace(
    "  required: [destroys_what_it_creates, cudnnCreate]\n", "  required: [cudnnGetVersion]\n"
)
COPY = {
    "py": "import libcudnn\ndef add(x, y, mode):\n    libcudnn.cudnnGetVersion()\n    y[...] = x\n",
    "cpp": (
        "#include <cudnn.h>\nvoid add(const float *x, float *y, cudnnConvolutionMode_t mode) {\n  cudnnGetVersion();\n"
        "  int n = mode == CUDNN_CONVOLUTION ? 2 : 2;\n  for (int i = 0; i < n; ++i) y[i] = x[i];\n}\n"
    ),
}


WRONG = {
    "one.cpp": """// verdict: wrong_answer
// case: first
// pattern: untouched
// why: Empty.
#include <cudnn.h>
void add(const float *, float *, cudnnConvolutionMode_t) {}
""",
    "two.py": "# verdict: api_misuse\n# rule: not_called\n# why: None.\ndef add(x, y, mode):\n    y[...] = x\n",
    "three.py": "# verdict: runtime_error\n# why: It fails.\ndef add(x, y, mode):\n    1 / 0\n",
}


@pytest.fixture
def copy_exercise(tmp_path: Path) -> Path:
    folder = write_exercise(tmp_path, COPY_YAML)
    (folder / "reference.py").write_text("def reference(inputs, parameters):\n    return {'y': inputs['x']}\n")
    for path in folder.glob("solutions/accepted/*"):
        path.write_text(COPY[path.suffix[1:]])
    wrong = folder / "solutions" / "wrong"
    for name, text in WRONG.items():
        (wrong / name).write_text(text)
    return folder


def test_verify(copy_exercise: Path, workshop: object, capsys: pytest.CaptureFixture[str]) -> None:
    for language in ("cpp", "py"):
        (copy_exercise / f"starter.{language}").write_text(
            COPY[language].replace("y[i] = x[i]", "").replace("= x", "= 0")
        )
    assert main(["verify", "--exercises", str(copy_exercise.parent)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"graded: 9 programs in \d+ s, 2 at a time, backend (gpu|simulated)", said[0])
    assert said[1:] == [
        "starters: 2 of 2 run and are not accepted",
        "verified: 4 of 4 accepted, 3 of 3 rejected as declared",
    ]


def test_verify_refuses_a_starter_that_is_accepted(copy_exercise: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy_exercise / "starter.py").write_text(COPY["py"])
    (copy_exercise / "starter.cpp").write_text("no program\n")
    assert main(["verify", "--exercises", str(copy_exercise.parent)]) == 1
    text = capsys.readouterr().out
    assert "starter.py:1: the starter is accepted as it stands" in text
    assert "starter.cpp:1: the starter gets compile_error" in text
    assert text.count("mend: leave out what learners are to write; the rest must compile") == 2
    assert "starters: 0 of 2" in text


@pytest.mark.parametrize(
    ("name", "old", "new", "message", "totals"),
    [
        (
            "accepted/a.py",
            "= x",
            "= x + 1",
            "declared accepted, got wrong_answer in case 'first'",
            "3 of 4 accepted, 3",
        ),
        (
            "wrong/one.cpp",
            "case: first",
            "case: second",
            "declared to fail first in case 'second'",
            "4 of 4 accepted, 2",
        ),
        ("wrong/one.cpp", "pattern: untouched", "pattern: border", "declared to show pattern 'border'", "accepted, 2"),
        (
            "wrong/two.py",
            "rule: not_called",
            "rule: leaks_handle",
            "declared to break rule 'leaks_handle'",
            "accepted, 2",
        ),
        ("wrong/three.py", "1 / 0", "y[...] = x", "declared runtime_error, got api_misuse", "accepted, 2"),
    ],
)
def test_verify_complains(
    name: str, old: str, new: str, message: str, totals: str, copy_exercise: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy_exercise / "solutions" / name
    path.write_text(path.read_text().replace(old, new))
    assert main(["verify", "--exercises", str(copy_exercise.parent), "toy-sum"]) == 1
    text = capsys.readouterr().out
    assert message in text
    assert totals in text.splitlines()[-1]


def test_verify_names_an_unknown_rule(copy_exercise: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copy_exercise / "exercise.yaml"
    file.write_text(file.read_text().replace("[cudnnGetVersion]", "[cudnnGetVersion, be_nice]"))
    assert main(["verify", "--exercises", str(copy_exercise.parent)]) == 1
    assert "unknown rule 'be_nice'" in capsys.readouterr().out


def test_verify_of_nothing_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--exercises", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "verified: 0 of 0 accepted, 0 of 0 rejected as declared"


def test_verify_names_what_cannot_be_loaded(copy_exercise: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy_exercise / "prompt.ko.md").unlink()
    assert main(["verify", "--exercises", str(copy_exercise.parent)]) == 1
    assert "prompt.ko.md" in capsys.readouterr().out
