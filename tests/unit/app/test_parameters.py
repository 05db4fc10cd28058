"""Questions with parameters: each variant is worked out when the file is read; mistakes get line and mend."""

from pathlib import Path

import pytest

from app.content.library import Library
from app.content.markdown.links import Links
from app.content.model import Question
from app.content.parameters import MOST_VARIANTS, key_of, shown
from app.content.particles import behind, fitting
from app.content.quiz import load_quiz
from app.quizzes.checking import check
from app.quizzes.variants import filled
from grader.contract.api import load_api
from grader.contract.problems import ContentError

ROOT = Path(__file__).parents[3]

GOOD = """\
questions:
  - id: size
    kind: number
    parameters:
      H: {from: 7, to: 9}
      s: [1, 2]
    where: H + s != 8
    prompt:
      ko: "높이 {H}, 보폭 {s}"
      en: "height {H}, stride {s}"
    answer: (H - 3)//s + 1
    feedback:
      right: {ko: "{answer}", en: "{H - 3:,} and {{set}} ${H}\\\\cdot 2$ `{answer}`"}
      wrong: {ko: "{H*1000:,}", en: "{3 - H}"}
"""


def load(tmp_path: Path, text: str) -> Question:
    file = tmp_path / "quiz.yaml"
    file.write_text(text, encoding="utf-8")
    return next(iter(load_quiz(file, {"ko": Links("ko", {}), "en": Links("en", {})}).values()))


def complaints(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load(tmp_path, text)
    assert all(problem.mend for problem in caught.value.problems)
    return [f"{problem.line}: {problem.message}" for problem in caught.value.problems]


def test_every_variant_has_its_answer(tmp_path: Path) -> None:
    variants = load(tmp_path, GOOD).variants
    assert {key: variant.answer for key, variant in variants.items()} == {
        "7_2": 3,
        "8_1": 6,
        "8_2": 3,
        "9_1": 7,
        "9_2": 4,
    }
    assert variants["9_2"].values == {"H": 9, "s": 2}


def test_texts_are_filled_in_each_language(tmp_path: Path) -> None:
    question = load(tmp_path, GOOD)
    asked = filled(question, question.variants["9_2"])
    assert asked.prompt == {"ko": "높이 9, 보폭 2", "en": "height 9, stride 2"}
    assert asked.wrong == {"ko": "9,000", "en": "−6"}
    assert asked.right["ko"] == "4"
    english = asked.right["en"]
    assert english.startswith("6 and {set} <math")
    assert "<mn>9</mn>" in english
    assert english.endswith("<code>4</code>")


def test_the_filled_question_is_checked_by_its_own_answer(tmp_path: Path) -> None:
    question = load(tmp_path, GOOD)
    assert check(filled(question, question.variants["9_2"]), "4") == (4, True)
    assert check(filled(question, question.variants["9_1"]), "4") == (4, False)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("{H}, 보폭", "{W}, 보폭", "9: {W} reads the unknown parameter 'W'"),
        ("answer: (H - 3)//s + 1", "answer: (H - R)//s", "11: the answer reads the unknown parameter 'R'"),
        ("where: H + s != 8", "where: H + t != 8", "7: unknown name 't'"),
        ("H - 3:,}", "K - 3:,}", "13: {K - 3:,} reads the unknown parameter 'K'"),
        ("height {H}, stride {s}", "height {H}, stride 2", "10: the prompt does not show the parameter 's'"),
        ("높이 {H}, 보폭", "높이, 보폭", "9: the prompt does not show the parameter 'H'"),
        ("      s: [1, 2]\n", "      s: [1, 2]\n      K: [4, 5]\n", "7: the parameter 'K' is never used"),
        ("(H - 3)//s + 1", "(H - 3)//(s - 1)", "11: '(H - 3)//(s - 1)' cannot be computed"),
        ("(H - 3)//s + 1", "(H - 3)/s", "11: the answer is 2.5, no integer (where H = 8, s = 2)"),
        ("(H - 3)//s + 1", "H > s", "11: 'H > s' gives True"),
        ("(H - 3)//s + 1", "(H -", "11: '(H -' is not an expression"),
        ("(H - 3)//s + 1", "H.bit_length", "11: 'H.bit_length' is not allowed in an expression"),
        ("(H - 3)//s + 1", "H ** s", "11: operator in 'H ** s' is not allowed"),
        ("    answer: (H - 3)//s + 1\n", "", "2: question 'size' has no answer to work out"),
        ('ko: "{H*1000:,}"', 'ko: "{H*1000:,"', "14: a brace without its counterpart"),
        ("{3 - H}", "{H - }", "14: 'H - ' is not an expression"),
        ("{3 - H}", "{1//(H - 8)}", "14: '1//(H - 8)' cannot be computed"),
        ("stride {s}", "stride {s}, not {answer}", "10: {answer} reads the unknown parameter 'answer'"),
        ("{from: 7, to: 9}", "{from: 9, to: 7}", "5: the range of H is empty"),
        ("{from: 7, to: 9}", "{from: 7, to: 9, by: 2}", "5: unknown key 'by'"),
        (
            "{from: 7, to: 9}",
            "{from: 1, to: 9000}",
            f"4: the parameters have 18000 combinations, at most {MOST_VARIANTS}",
        ),
        ("[1, 2]", "[1, two]", "6: s is neither a list of numbers nor a range"),
        ("[1, 2]", "[1, 1]", "6: s has a value twice"),
        ("H + s != 8", "H > 100", "4: the parameters give 0 variants"),
        ("H + s != 8", "H*s == 16", "4: the parameters give 1 variants"),
        ("      s: [1, 2]", "      min: [1, 2]", "6: a parameter cannot be called 'min'"),
        ("      s: [1, 2]", "      answer: [1, 2]", "6: a parameter cannot be called 'answer'"),
        ("kind: number", "kind: blank", "4: a blank question takes no parameters"),
        ("높이 {H}, 보폭", "높이 {H}은 보폭", "9: behind 9 stands '은', not '는' (where H = 9, s = 1)"),
        ("    parameters:\n      H: {from: 7, to: 9}\n      s: [1, 2]\n", "", "4: `where` without `parameters`"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    found = complaints(tmp_path, GOOD.replace(old, new))
    assert any(complaint in line for line in found), found


def test_a_mistake_in_every_variant_is_said_once(tmp_path: Path) -> None:
    assert len(complaints(tmp_path, GOOD.replace("(H - 3)//s + 1", "H//(s - s)"))) == 1


def test_fractions_need_a_tolerance_and_get_it(tmp_path: Path) -> None:
    text = GOOD.replace("(H - 3)//s + 1", "(H - 3)/s\n    tolerance: 0.01")
    question = load(tmp_path, text)
    assert {key: variant.answer for key, variant in question.variants.items()}["8_2"] == 2.5
    assert check(filled(question, question.variants["8_2"]), 2.505)[1] is True


SHAPE = """\
questions:
  - id: shape
    kind: shape
    parameters: {N: [2, 4], K: [8, 16]}
    prompt: {ko: "{N}, {K}", en: "{N}, {K}"}
    answer: [N, K, 1, N - 1]
"""


def test_a_shape_has_an_expression_for_each_dimension(tmp_path: Path) -> None:
    variants = load(tmp_path, SHAPE).variants
    assert {key: variant.answer for key, variant in variants.items()}["4_16"] == [4, 16, 1, 3]
    bad = complaints(tmp_path, SHAPE.replace("N - 1", "N - 2"))
    assert any("6: the answer is [2, 8, 1, 0]" in line for line in bad), bad
    assert "has no answer to work out" in complaints(tmp_path, SHAPE.replace("[N, K, 1, N - 1]", "N"))[0]


def test_values_are_shown_as_in_print_and_keyed_as_in_code() -> None:
    assert [shown(-3), shown(1234567, True), shown(1234567), shown(0.5), shown(-0.25)] == [
        "−3",
        "1,234,567",
        "1234567",
        "0.5",
        "−0.25",
    ]
    assert key_of({"a": -1, "b": 0.5, "c": 12}) == "-1_0.5_12"


def test_a_question_without_parameters_may_have_braces(tmp_path: Path) -> None:
    question = load(tmp_path, 'questions: [{id: a, kind: number, prompt: {ko: "{H}", en: "{H}"}, answer: 1}]')
    assert question.prompt["en"] == "{H}"
    assert not question.variants


def test_every_variant_of_the_course_is_whole_and_the_answers_vary() -> None:
    content = Library(ROOT / "lessons", ROOT / "exercises", load_api()).current()
    questions = [question for lesson in content.good_lessons() for question in lesson.questions.values()]
    drawn = [question for question in questions if question.variants]
    assert len(drawn) > 20
    for question in drawn:
        assert len({str(variant.answer) for variant in question.variants.values()}) > 1, question.id
        for variant in question.variants.values():
            asked = filled(question, variant)
            texts = [text for htmls in (asked.prompt, asked.right, asked.wrong) for text in htmls.values()]
            assert len(texts) == 6
            assert not any("918273645" in text or "{" in text for text in texts), (question.id, variant.key)
            assert check(asked, asked.answer)[1] is True


@pytest.mark.parametrize(
    ("particle", "numbers"),
    [
        ("은", "0 1 3 6 7 8 10 1,000 0.3"),
        ("가", "2 4 5 9 12 0.5 −4"),
        ("으로", "0 3 6 20"),
        ("로", "1 2 4 5 7 8 9 17"),
    ],
)
def test_particles_follow_the_reading_of_the_number(particle: str, numbers: str) -> None:
    assert {fitting(particle, number) for number in numbers.split()} == {particle}


def test_only_particles_that_change_are_looked_at() -> None:
    texts = ["{}은 ", "{}`을.", "{}이면", "{}의", "{}가지", "{}개를", "{}로", "{}"]
    assert [behind(text, 2) for text in texts] == ["은", "을", "", "", "", "", "로", ""]


def test_a_particle_that_fits_every_value_may_stay(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD.replace("{from: 7, to: 9}", "[7, 8]").replace("높이 {H},", "높이 {H}은")).variants
