"""Loading lessons and quizzes: what is wrong is said with file, line and mend; the rest is loaded."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.content.lesson import digest
from app.content.library import Library
from app.content.model import Broken, Content, Lesson
from app.scaffolds.write import new_clinic, new_exercise, new_lesson
from app.settings import Settings
from grader.contract.api import load_api
from grader.contract.problems import ContentError

COURSE = Path(__file__).parents[2] / "web" / "content"

Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(COURSE, tmp_path / "content")
    (tmp_path / "content" / "exercises").mkdir()
    new_exercise(tmp_path / "content" / "exercises", "copy", "handles")
    return tmp_path / "content"


@pytest.fixture
def edit(folder: Path) -> Edit:
    """Replaces a piece of a file below the content folder; the piece must be there."""

    def replace(name: str, old: str, new: str) -> None:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return replace


def load(folder: Path) -> Content:
    return Library(folder / "lessons", folder / "exercises", load_api()).current()


def complaints(folder: Path) -> list[str]:
    return [f"{p.file.relative_to(folder)}:{p.line}: {p.message}" for p in load(folder).problems]


QUIZ = "lessons/010-handles/quiz.yaml"


def test_small_course_is_clean(folder: Path) -> None:
    content = load(folder)
    assert content.problems == ()
    assert content.order() == ["handles", "tensors"]
    assert list(content.exercises) == ["copy"]


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("lessons/course.yaml", "- tensors", "- tensor", "lessons/course.yaml:7: lesson 'tensor' has no folder"),
        ("lessons/course.yaml", "- tensors", "- handles", "lessons/course.yaml:5: lesson 'handles' is listed twice"),
        ("lessons/course.yaml", "\n      - tensors", "", "lessons/020-tensors:0: this lesson is in no section"),
        (
            "lessons/glossary.yaml",
            "id: handle",
            "id: workspace",
            "glossary.yaml:6: the term 'workspace' is defined twice",
        ),
        ("lessons/glossary.yaml", "    en: handle\n", "", "lacks the key 'en'"),
        ("lessons/010-handles/lesson.yaml", "minutes: 3", "minute: 3", "lesson.yaml:3: unknown key 'minute'"),
        ("lessons/010-handles/lesson.yaml", "[copy]", "[copi]", "lesson.yaml:5: there is no exercise 'copi'"),
        ("lessons/020-tensors/lesson.yaml", "[handles]", "[handle]", "lesson.yaml:4: there is no lesson 'handle'"),
        (QUIZ, "kind: single", "kind: guess", "quiz.yaml:3: kind is 'guess'"),
        (QUIZ, "correct: true\n", "correct: false\n", "quiz.yaml:5: 0 choices are correct"),
        (QUIZ, "- id: b\n        text", "- id: a\n        text", "quiz.yaml:5: two options have the id 'a'"),
        (QUIZ, "answer: 31415.5", "answer: many", "the answer 'many' does not fit number"),
        (QUIZ, "answer: [make, use, free]", "answer: [make, use]", "does not fit order"),
        (QUIZ, "answer: [8, 64, 1127, 1128]", "answer: [8, 64.5]", "does not fit shape"),
        (QUIZ, "    answer: [8, 64, 1127, 1128]\n", "", "question 'dims' has no answer"),
        (QUIZ, "- id: which", "- id: one-handle", "two questions are called 'one-handle'"),
        (QUIZ, 'en: "How many handles?"', 'en: ":term[nope]"', "'nope' is not in lessons/glossary.yaml"),
        (QUIZ, ', en: "How many handles?"', "", "lacks the key 'en'"),
        (
            "lessons/010-handles/ko.md",
            "{quiz} one-handle",
            "{quiz} two-handles",
            "quiz.yaml has no question 'two-handles'",
        ),
        ("exercises/copy/prompt.en.md", "device array `x`", ":api[nope]", "'nope' is not in the table of the API"),
        ("exercises/copy/exercise.yaml", "lesson: handles", "lesson: nope", "there is no lesson 'nope'"),
    ],
)
def test_mistakes_are_named(folder: Path, edit: Edit, name: str, old: str, new: str, complaint: str) -> None:
    edit(name, old, new)
    found = complaints(folder)
    assert any(complaint in line for line in found), found
    assert all(problem.mend for problem in load(folder).problems)


def test_missing_language_breaks_the_lesson_only(folder: Path) -> None:
    (folder / "lessons/010-handles/en.md").unlink()
    content = load(folder)
    assert isinstance(content.lessons["handles"], Broken)
    assert content.lessons["handles"].title["ko"] == "핸들"
    assert isinstance(content.lessons["tensors"], Lesson)


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"title: [", b"- a\n- b\n"])
def test_unreadable_yaml_breaks_the_lesson_only(folder: Path, raw: bytes) -> None:
    (folder / "lessons/010-handles/lesson.yaml").write_bytes(raw)
    content = load(folder)
    assert isinstance(content.lessons["handles"], Broken)
    assert isinstance(content.lessons["tensors"], Lesson)


def test_nothing_at_all_still_loads(tmp_path: Path) -> None:
    content = load(tmp_path)
    assert content.order() == []
    assert {problem.file.name for problem in content.problems} == {"course.yaml", "glossary.yaml"}


def test_stale_translation_is_shown_and_reported(folder: Path, edit: Edit) -> None:
    english = folder / "lessons/020-tensors/en.md"
    current = digest(english.read_text(encoding="utf-8"))
    edit("lessons/020-tensors/lesson.yaml", "minutes: 4", f"minutes: 4\nsources: {{ko: {current}}}")
    assert complaints(folder) == []
    english.write_text("## Changed\n", encoding="utf-8")
    lesson = load(folder).lessons["tensors"]
    assert isinstance(lesson, Lesson)
    assert lesson.stale == {"ko"}
    problem = load(folder).problems[0]
    assert problem.message == "en.md has changed since ko.md followed it"
    assert digest("## Changed\n") in problem.mend


def test_only_changed_folders_are_rendered_again(folder: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.content.library.LOOK_EVERY_S", -1.0)
    library = Library(folder / "lessons", folder / "exercises", load_api(), authoring=True)
    before = library.current()
    assert library.current() is before
    edit("lessons/020-tensors/ko.md", "합성곱은", "이제 합성곱은")
    after = library.current()
    assert after.version != before.version
    assert after.lessons["handles"] is before.lessons["handles"]
    assert after.lessons["tensors"] is not before.lessons["tensors"]


def test_changes_are_not_looked_for_outside_development(folder: Path, edit: Edit) -> None:
    library = Library(folder / "lessons", folder / "exercises", load_api())
    before = library.current()
    edit("lessons/020-tensors/ko.md", "합성곱은", "이제 합성곱은")
    assert library.current() is before


def test_new_lesson_and_exercise_are_valid_as_they_stand(folder: Path) -> None:
    new_lesson(folder / "lessons", "pooling", "core")
    new_exercise(folder / "exercises", "pool-once", "pooling")
    new_clinic(folder / "exercises", "mostly-nan", "pooling")
    content = load(folder)
    assert content.problems == ()
    assert content.order() == ["handles", "tensors", "pooling"]
    assert (folder / "lessons" / "030-pooling").is_dir()
    assert isinstance(content.lessons["pooling"], Lesson)
    assert [case.slug for case in content.of_kind("clinic")] == ["mostly-nan"]
    assert set(content.of_kind("clinic")[0].explanations) == {"ko", "en"}


def test_new_lesson_keeps_comments_and_flow_style(folder: Path) -> None:
    course = folder / "lessons/course.yaml"
    course.write_text(
        "# kept\ntitle: {ko: 강좌, en: Course}\nsections:\n"
        "  - {slug: core, title: {ko: 기초, en: Core}, lessons: [handles, tensors]}  # too\n",
        encoding="utf-8",
    )
    new_lesson(folder / "lessons", "pooling", "core")
    text = course.read_text(encoding="utf-8")
    assert text.startswith("# kept\n")
    assert "lessons: [handles, tensors, pooling]}  # too" in text


@pytest.mark.parametrize(
    ("slug", "section", "message"),
    [("Bad Name", "core", "no slug|not a slug"), ("handles", "core", "exists"), ("x", "nope", "no section 'nope'")],
)
def test_new_lesson_refuses_and_writes_nothing(folder: Path, slug: str, section: str, message: str) -> None:
    before = sorted(folder.rglob("*"))
    with pytest.raises(ContentError, match=re.compile(message)):
        new_lesson(folder / "lessons", slug, section)
    assert sorted(folder.rglob("*")) == before


def test_course_of_this_repository_is_clean() -> None:
    settings = Settings()
    content = Library(settings.lessons_dir, settings.exercises_dir, load_api()).current()
    assert [str(problem) for problem in content.problems] == []
