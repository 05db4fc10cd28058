"""`forwardpass check` wants each measured figure of a lesson to be the number that was recorded."""

import json
from pathlib import Path

import pytest

from app.content.figures import FILE, check_figures, figures_in, parsed
from app.settings import Settings

RECORD = {"layers": [{"layer": "3x3", "runs": [{"algo": "GEMM", "ms": 4.0757}, {"algo": "FFT", "ms": 0.33178}]}]}
VALUES = """
values:
  runs: [h200, layers, {layer: 3x3}, runs]
  gemm: [runs, {algo: GEMM}, ms]
  fft: [runs, 1, ms]
figures:
"""


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "h200.json").write_text(json.dumps(RECORD), encoding="utf-8")
    (tmp_path / "010-first").mkdir()
    return tmp_path


def messages(lessons: Path, text: str, figures: str | None, name: str = "en.md") -> list[str]:
    (lessons / "010-first" / name).write_text(text, encoding="utf-8")
    if figures is not None:
        (lessons / "010-first" / FILE).write_text(figures, encoding="utf-8")
    return [f"{problem.file.name}:{problem.line}: {problem.message}" for problem in check_figures(lessons)]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("It took 4.08 ms.", "4.08 ms: gemm"),
        ("**4.1 ms**, 12 times as long", '4.1 ms: gemm\n  "12": gemm / fft'),
        ("92 % less", "92%: 100 * (1 - fft / gemm)"),
        ("4.08 ms는 길다", "4.08 ms: gemm"),
        ("an error of 4.1·10⁻³", "4.1·10⁻³: gemm / 1000"),
        ("it took 5% of the time", "5%: {quoted: somebody#1}"),
        ("4,076 µs", "4,076 µs: 1000 * gemm"),
    ],
)
def test_a_recorded_figure_passes(lessons: Path, text: str, entry: str) -> None:
    assert messages(lessons, text, f"{VALUES}  {entry}\n") == []


@pytest.mark.parametrize(
    ("text", "entry", "found"),
    [
        ("It took 4.07 ms.", "4.07 ms: gemm", "figures.yaml:7: the text says '4.07 ms', but gemm is 4.0757"),
        ("One line\n\nand 3 ms.", "4.08 ms: gemm", "figures.yaml:7: no text says '4.08 ms'"),
        ("14.08 ms", "4.08 ms: gemm", "figures.yaml:7: no text says '4.08 ms'"),
        ("4.08 ms", "4.08 ms: slow", "figures.yaml:7: 'slow' gives no number: unknown name 'slow'; known names: "),
        ("4.08 ms", "4.08 ms: runs", "figures.yaml:7: 'runs' gives no number: "),
        ("4.08 ms", "4.08 ms: {guessed: yes}", "figures.yaml:7: '4.08 ms' is neither computed nor quoted"),
    ],
)
def test_another_number_is_named(lessons: Path, text: str, entry: str, found: str) -> None:
    assert any(message.startswith(found) for message in messages(lessons, text, f"{VALUES}  {entry}\n"))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("[h200, layers, {layer: 5x5}]", "0 rows have {'layer': '5x5'}"),
        ("[h200, layers, 3]", "list index out of range"),
        ("[h200, layers, ms]", "there is no 'ms'"),
        ("[h100, layers]", "'h100' is neither a record nor a name from above"),
        ("h200", "a place is a list"),
    ],
)
def test_a_place_that_is_not_recorded_is_named(lessons: Path, place: str, reason: str) -> None:
    assert messages(lessons, "", f"values:\n  a: {place}\n") == [f"figures.yaml:2: a names nothing recorded: {reason}"]


@pytest.mark.parametrize("name", ["en.md", "ko.md", "quiz.yaml", "times.svg"])
@pytest.mark.parametrize("figures", [None, VALUES + "  4.08 ms: gemm\n"])
def test_a_figure_without_an_entry_is_found_in_every_text(lessons: Path, name: str, figures: str | None) -> None:
    if figures:
        (lessons / "010-first" / "quiz.yaml").write_text("4.08 ms", encoding="utf-8")
    found = messages(lessons, "4.08 ms\n9.4 ms\n", figures, name)
    assert f"{name}:2: nothing says where '9.4 ms' comes from" in found
    assert len(found) == (1 if figures else 2)


def test_programs_formulas_and_bare_numbers_are_left_out() -> None:
    text = ":::{run} cpp\n1 ms\n:::\n```\n2 ms\n```\n$3 ms$ `4 ms` [a](x/5%) 6 images, {t} ms, t*100%g, 7 msg\n8 ms"
    assert list(figures_in(text)) == [(8, "8 ms")]


def test_a_figure_is_as_exact_as_its_last_digit() -> None:
    assert parsed("0.145 ms") == pytest.approx((0.145, 0.0005))
    assert parsed("2.6·10⁻⁴") == pytest.approx((2.6e-4, 0.5e-5))
    assert parsed("1,119 ms") == pytest.approx((1119, 0.5))


def test_the_course_accounts_for_its_figures() -> None:
    lessons = Settings().lessons_dir
    assert check_figures(lessons) == []
    assert len(list(lessons.glob(f"*/{FILE}"))) > 10


def test_descriptions_of_pictures_spell_their_units_and_tags_separate_their_words(lessons: Path) -> None:
    text = ":alt: GEMM 4.08 milliseconds, FFT 0.332밀리초\n"
    assert [figure for _, figure in figures_in(text)] == ["4.08 ms", "0.332 ms"]
    (lessons / "010-first" / "times.svg").write_text("<svg><text>GEMM 1</text><text>4.08 ms</text></svg>", "utf-8")
    assert messages(lessons, text, f"{VALUES}  4.08 ms: gemm\n  0.332 ms: fft\n") == []
