"""`forwardpass check` refuses a word for which the course has another, wherever it stands in a Korean text."""

from pathlib import Path

import pytest

from app.checking import INTERFACE
from app.content.wording import RULES, check_wording, load_words
from app.settings import Settings

RULE = "words:\n  - {use: 포맷, avoid: [형식], allow: [부동소수점 형식]}\n"


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    (tmp_path / RULES).write_text(RULE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("ko.md", "# 텐서\n\n텐서의 형식은 NHWC입니다.\n", 3),
        ("hints.ko.md", "필터의 형식\n", 1),
        ("rules.yaml", 'ko: "부동소수점 형식과 텐서의 형식"\n', 1),
        ("messages.po", 'msgid "Format"\nmsgstr "형식"\n', 2),
        ("starter.cpp", "int main() {}  // 형식을 바꾼다\n", 1),
    ],
)
def test_a_word_is_refused_with_file_line_and_mend(lessons: Path, name: str, text: str, line: int) -> None:
    (lessons / "folder").mkdir()
    (lessons / "folder" / name).write_text(text, encoding="utf-8")
    (problem,) = check_wording(lessons, [lessons])
    assert (problem.file, problem.line) == (lessons / "folder" / name, line)
    assert (problem.message, problem.mend) == ("'형식' stands for '포맷'", "write '포맷'")


@pytest.mark.parametrize("text", ["텐서의 포맷\n", "TF32는 부동소수점 형식입니다.\n", "the format\n"])
def test_other_words_and_allowed_phrases_pass(lessons: Path, text: str) -> None:
    (lessons / "ko.md").write_text(text, encoding="utf-8")
    assert check_wording(lessons, [lessons]) == []


def test_a_course_without_the_file_has_no_rules(tmp_path: Path) -> None:
    (tmp_path / "ko.md").write_text("형식\n", encoding="utf-8")
    assert check_wording(tmp_path, [tmp_path]) == []


def test_a_rule_that_says_nothing_is_named(lessons: Path) -> None:
    (lessons / RULES).write_text("words:\n  - {use: 포맷}\n", encoding="utf-8")
    (problem,) = check_wording(lessons, [lessons])
    assert problem.file == lessons / RULES


def test_the_rules_of_this_course_name_the_glossary_s_words() -> None:
    settings = Settings()
    words, problems = load_words(settings.lessons_dir / RULES)
    assert problems == []
    glossary = (settings.lessons_dir / "glossary.yaml").read_text(encoding="utf-8")
    assert "포맷" in [word.use for word in words]
    assert [word.use for word in words if any(f"    ko: {avoided}\n" in glossary for avoided in word.avoid)] == []
    assert all(folder.is_dir() for folder in INTERFACE)
