"""Everything that `python -m grader env` can say is said in Korean too."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import cli
from grader.korean import TEXTS, korean
from grader.paths import ROOT

SOURCES = (
    "environment.py",
    "selftest.py",
    "native/freshness.py",
    "sandbox/environment.py",
    "sandbox/jail.py",
    "sandbox/seccomp.py",
    *(f"backends/{name}.py" for name in ("gpu", "nvidia", "simulated")),
)
SAYING = ("Check", "BackendUnavailableError", "JailError", "SeccompError", "_tool")
NAMES = ("mend", "reason", "detail", "text", "who", "INSTALL", "CUINIT", "_MENDS", "_OTHER", "meaning")
COMMANDS = ("apt-get ", "chmod ", "X, cuDNN X")
HANGUL = re.compile("[가-힣]")


def sentence(node: ast.AST) -> str | None:
    """A text, with X for what is put into it; None where it is none, or holds no words."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
    else:
        return None
    text = text.replace("XcuInit", "X: cuInit")  # what it means stands before it
    return (
        text if " " in text and len(re.findall(r"[A-Za-z]{2,}", text)) > 1 and not text.startswith(COMMANDS) else None
    )


def texts_in(node: ast.AST) -> Iterator[str]:
    if (text := sentence(node)) is not None:
        yield text
    elif not isinstance(node, ast.JoinedStr):
        for child in node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node):
            yield from texts_in(child)


def said(path: Path) -> Iterator[str]:
    """Texts that the module hands to a check or an error, or keeps for one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
            values: list[ast.AST] = list(node.args)
        elif isinstance(node, ast.Return) and path.name == "freshness.py" and node.value is not None:
            values = [node.value]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            values = [node.value] if set(named) & set(NAMES) else []
        else:
            values = []
        for value in values:
            yield from texts_in(value)


SAID = sorted({text for source in SOURCES for text in said(ROOT / "grader" / source)})


def test_the_texts_are_found() -> None:
    assert len(SAID) > 50
    assert "no NVIDIA GPU: X is missing" in SAID


@pytest.mark.parametrize("text", SAID)
def test_text_has_its_korean(text: str) -> None:
    assert HANGUL.search(korean(text)), text


@pytest.mark.parametrize("english", TEXTS)
def test_templates_hold_the_same_values(english: str) -> None:
    names = r"\{\w+\}"
    assert sorted(re.findall(names, TEXTS[english])) == sorted(re.findall(names, english))


def test_values_stay_and_texts_inside_are_translated() -> None:
    found = korean("no memory left on the GPU: cuInit failed with 2")
    assert found == "GPU 메모리가 남아 있지 않습니다: cuInit이 오류 2번으로 실패했습니다"
    assert korean("/usr/bin/mold") == "/usr/bin/mold"
    assert korean("no NVIDIA GPU: /dev/nvidiactl is missing").endswith("/dev/nvidiactl")


@pytest.mark.parametrize(
    ("environment", "arguments", "korean_expected"),
    [
        ({"LANG": "ko_KR.UTF-8"}, [], True),
        ({"LANG": "en_US.UTF-8"}, [], False),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, [], False),
        ({"LANG": "C"}, ["--lang", "ko"], True),
        ({"LANG": "ko_KR.UTF-8"}, ["--lang", "en"], False),
    ],
)
def test_env_speaks_the_language_of_the_terminal(
    environment: dict[str, str],
    arguments: list[str],
    korean_expected: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    cli.main(["env", *arguments])
    printed = capsys.readouterr().out
    assert bool(HANGUL.search(printed)) is korean_expected
    assert "seccomp" in printed
