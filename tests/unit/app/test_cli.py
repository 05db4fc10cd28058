"""The command line."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app, is_loopback
from app.settings import ROOT

COURSE = Path(__file__).parents[2] / "web" / "content"
runner = CliRunner()


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    (tmp_path / "exercises").mkdir()
    (lessons / "course.yaml").write_text("title: {ko: 강좌, en: Course}\nsections: []\n", encoding="utf-8")
    (lessons / "glossary.yaml").write_text("terms: []\n", encoding="utf-8")
    monkeypatch.setenv("FORWARDPASS_LESSONS_DIR", str(lessons))
    monkeypatch.setenv("FORWARDPASS_EXERCISES_DIR", str(tmp_path / "exercises"))
    return tmp_path


def test_check_is_silent_but_for_its_last_line(content: Path) -> None:
    result = runner.invoke(app, ["check"])
    assert result.exit_code == 0
    assert (
        result.output
        == "checked: 0 lessons, 0 exercises, 0 clinic, 0 challenges, 0 questions in ko and en; 0 problems\n"
    )


def test_an_install_without_the_repository_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.ROOT", tmp_path)
    result = runner.invoke(app, ["check"])
    assert result.exit_code == 2
    assert f"{tmp_path}/templates is missing" in result.output
    assert "mend: work in a checkout of the repository" in result.output


def test_a_stale_translation_fails_the_check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lessons = Path(shutil.copytree(COURSE / "lessons", tmp_path / "lessons"))
    monkeypatch.setenv("FORWARDPASS_LESSONS_DIR", str(lessons))
    monkeypatch.setenv("FORWARDPASS_EXERCISES_DIR", str(tmp_path / "exercises"))
    with (lessons / "020-tensors" / "lesson.yaml").open("a", encoding="utf-8") as file:
        file.write("sources: {ko: '000000000000'}\n")
    result = runner.invoke(app, ["check"])
    assert result.exit_code == 1
    assert "020-tensors/lesson.yaml:5: en.md has changed since ko.md followed it" in result.output
    assert "mend: bring ko.md up to date with en.md" in result.output


def test_check_names_file_line_and_mend_and_fails(content: Path) -> None:
    (content / "lessons" / "course.yaml").write_text("title: {ko: 강좌, en: Course}\nsection: []\n", encoding="utf-8")
    result = runner.invoke(app, ["check"])
    assert result.exit_code == 1
    assert "course.yaml:2: unknown key 'section'" in result.output
    assert "mend: " in result.output
    assert result.output.endswith("2 problems\n")


@pytest.mark.parametrize("kind", ["exercise", "clinic"])
def test_new_exercise_lists_what_it_wrote(kind: str, content: Path) -> None:
    result = runner.invoke(app, ["new", kind, "mine", "--lesson", "handles"])
    assert result.exit_code == 0
    assert ("explanation.ko.md" in result.output) == (kind == "clinic")
    assert (content / "exercises" / "mine" / "exercise.yaml").is_file()
    assert "exercise.yaml" in result.output
    again = runner.invoke(app, ["new", kind, "mine"])
    assert again.exit_code == 1
    assert "exists" in again.output


def test_db_upgrade_makes_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDPASS_DATABASE_URL", f"sqlite:///{tmp_path}/deep/er/web.db")
    for _ in range(2):
        assert runner.invoke(app, ["db", "upgrade"]).exit_code == 0
    assert (tmp_path / "deep" / "er" / "web.db").is_file()


@pytest.mark.parametrize(
    ("origin", "local"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost", True),
        ("http://[::1]:8000", True),
        ("http://192.168.0.3:8000", False),
        ("https://course.example.org", False),
    ],
)
def test_authoring_is_for_this_machine_only(origin: str, local: bool) -> None:
    assert is_loopback(origin) is local


def test_scaffolds_are_found_beside_the_program() -> None:
    assert list((ROOT / "app" / "scaffolds" / "exercise").glob("*.tmpl"))
