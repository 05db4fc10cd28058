"""Every mistake of an author in mistakes.yaml is named with file, line and mend, and nothing else falls over it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import checking
from app.scaffolds.write import new_clinic, new_exercise, new_lesson
from app.settings import Settings
from grader.contract.api import load_api
from grader.contract.problems import Problem

HERE = Path(__file__).parent
MISTAKES = yaml.safe_load((HERE / "mistakes.yaml").read_text(encoding="utf-8"))
LESSON = "lessons/020-saving-work"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lesson with every directive in both languages and every kind of question, a lesson, an exercise and a case."""
    root = tmp_path_factory.mktemp("authored") / "content"
    shutil.copytree(HERE / "authored", root)
    (root / "exercises").mkdir()
    course = root / "lessons" / "course.yaml"
    text = course.read_text(encoding="utf-8")
    course.write_text(text[: text.index("  - slug: more")], encoding="utf-8")
    new_lesson(root / "lessons", "later", "core")
    course.write_text(text, encoding="utf-8")
    new_exercise(root / "exercises", "copy-rows", "saving-work")
    new_clinic(root / "exercises", "half-copied", "saving-work")
    return root


@pytest.fixture
def content(whole: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The course, put back as it was afterwards. The interface's own texts are not read again for each mistake."""
    monkeypatch.setattr(checking, "INTERFACE", ())
    api = load_api()
    monkeypatch.setattr(checking, "load_api", lambda: api)
    saved = {file: file.read_bytes() for file in whole.rglob("*") if file.is_file()}
    yield whole
    for file in whole.rglob("*"):
        if file.is_file() and file not in saved:
            file.unlink()
    for file, data in saved.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_bytes() != data:
            file.write_bytes(data)
    for folder in sorted(whole.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def problems(root: Path) -> tuple[Problem, ...]:
    return checking.check_content(Settings(lessons_dir=root / "lessons", exercises_dir=root / "exercises")).problems


def said(root: Path) -> list[str]:
    return [f"{p.file.relative_to(root)}:{p.line}: {p.message}" for p in problems(root)]


def make(root: Path, mistake: dict[str, Any]) -> None:
    file = root / mistake["file"]
    if mistake.get("delete"):
        file.unlink()
        return
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if "old" in mistake:
        assert mistake["old"] in text
        text = text.replace(mistake["old"], mistake["new"], 1)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(mistake.get("text", text) + mistake.get("append", ""), encoding="utf-8")


def test_the_course_without_mistakes_is_clean(content: Path) -> None:
    assert said(content) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake["name"] for mistake in MISTAKES])
def test_a_mistake_is_named(content: Path, mistake: dict[str, Any]) -> None:
    make(content, mistake)
    found = problems(content)
    assert mistake["says"] in said(content)
    assert all(problem.message and problem.mend for problem in found)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("lesson.yaml", "title: {ko: 가, en: a}".encode("euc-kr"), "lesson.yaml:1: not UTF-8: byte 0xb0"),
        ("en.md", b"## A\n\n\xff\n", "en.md:3: not UTF-8: byte 0xff"),
        ("en.md", b"\xef\xbb\xbf## Recap\n", "en.md:1: begins with a byte order mark"),
        ("en.md", b"## Recap\r\n", "en.md:1: line ends of Windows (CR LF)"),
        ("en.md", "## Recap\n\na\u202eb\n".encode(), "en.md:3: an invisible sign, U+202E, behind 'a'"),
        ("save.svg", b"<svg/>" + b" " * 600_000, "save.svg:0: 585 KiB, at most 512 are served well"),
        ("drawn.png", b"GIF89a", "drawn.png:0: not a PNG picture"),
        ("lesson.yaml", b"title: \x00", "lesson.yaml:1: not valid YAML: unacceptable character #x0000"),
    ],
)
def test_how_a_file_is_saved(content: Path, name: str, data: bytes, says: str) -> None:
    (content / LESSON / name).write_bytes(data)
    assert any(line.startswith(f"{LESSON}/{says}") for line in said(content)), said(content)


def test_names_of_folders(content: Path) -> None:
    shutil.copytree(content / LESSON, content / "lessons" / "040-saving-work")
    shutil.copytree(content / LESSON, content / "lessons" / "030-third")
    shutil.copytree(content / LESSON, content / "lessons" / "Fourth")
    found = said(content)
    assert "lessons/040-saving-work:0: lesson 'saving-work' has two folders, the other is 020-saving-work" in found
    assert f"lessons/{third(content)}:0: the number 030 is taken by 030-later" in found
    assert "lessons/Fourth:0: folder name 'Fourth' is not a number and a slug" in found


def third(content: Path) -> str:
    """030-later comes first in the order of the names."""
    return sorted(folder.name for folder in (content / "lessons").glob("030-*"))[1]


def test_a_lesson_required_by_an_earlier_one(content: Path) -> None:
    settings = content / LESSON / "lesson.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("requires: []", "requires: [later, later]"), encoding="utf-8")
    found = said(content)
    assert f"{LESSON}/lesson.yaml:6: requires 'later', which comes later in the course" in found
    assert f"{LESSON}/lesson.yaml:6: 'later' is listed twice" in found


def test_an_unreadable_course_still_has_all_lessons(content: Path) -> None:
    (content / "lessons" / "course.yaml").write_text("sections: [\n", encoding="utf-8")
    assert [line for line in said(content) if not line.startswith("lessons/course.yaml:")] == []


def test_a_broken_quiz_is_told_once(content: Path) -> None:
    """The texts that name its questions are not wrong."""
    quiz = content / LESSON / "quiz.yaml"
    quiz.write_text(quiz.read_text(encoding="utf-8").replace("kind: shape", "kind: form"), encoding="utf-8")
    assert {line.split(":")[0] for line in said(content)} == {f"{LESSON}/quiz.yaml"}
