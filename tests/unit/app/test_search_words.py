"""Forms of words."""

import pytest

from app.search.excerpt import excerpt
from app.search.query import concepts
from app.search.spelling import Vocabulary
from app.search.synonyms import Synonyms
from app.search.words import forms, grams, normal, spaced, words


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("합성곱을", "합성곱"),
        ("합성곱은", "합성곱"),
        ("핸들에서는", "핸들"),
        ("텐서로", "텐서"),
        ("고르기", "고르"),
        ("알고리즘입니다", "알고리즘"),
        ("descriptors", "descriptor"),
    ],
)
def test_endings_come_off(word: str, stem: str) -> None:
    assert forms(word) == (word, stem)


@pytest.mark.parametrize("word", ["합성곱", "이가", "bias", "alpha", "9.19"])
def test_short_and_bare_words_stay(word: str) -> None:
    assert forms(word)[0] == word
    assert len(forms(word)) <= 2


@pytest.mark.parametrize("word", ["핸들들에서는", "핸들들이라면"])
def test_two_endings_come_off(word: str) -> None:
    assert forms(word)[-1] == "핸들"


def test_queries_are_cut_into_words() -> None:
    assert words("cuDNN의 `핸들`, 그리고 (텐서)!") == ["cudnn", "핸들", "텐서"]
    assert words("  ") == []
    assert len(words(" ".join(f"word{n}" for n in range(100)))) == 12


def test_words_of_questions_are_left_out_unless_there_are_no_others() -> None:
    assert words("why is my convolution slow?") == ["convolution", "slow"]
    assert words("워크스페이스가 왜 필요한가요") == ["워크스페이스가"]
    assert words("why") == ["why"]


def test_texts_are_compared_composed_and_without_case() -> None:
    assert normal("핸들 CUDNN") == "핸들 cudnn"
    assert len(normal("İx")) == 2
    assert spaced("CUDNN_STATUS_BAD_PARAM, 그리고") == " cudnn status bad param 그리고 "
    assert grams("ab") == {"^a", "ab", "b$"}


def test_a_wrong_syllable_is_one_wrong_letter() -> None:
    vocabulary = Vocabulary([spaced("합성곱을 알고리즘이 workspace descriptor")])
    assert [vocabulary.nearest(word) for word in ("합섬곱", "알고리듬", "workspce", "descritpor")] == [
        "합성곱",
        "알고리즘",
        "workspace",
        "descriptor",
    ]
    assert vocabulary.nearest("전혀다른말") == ""


def test_synonyms_of_one_and_of_several_words() -> None:
    synonyms = Synonyms([["작업 공간", "워크스페이스", "workspace"], ["느려", "slow"]])
    assert "workspace" in synonyms.of(["워크스페이스"])
    assert "slow" in synonyms.of(["느려요"])
    assert synonyms.of(["느"]) == set()
    assert synonyms.phrases(spaced("작업 공간에서는 왜"))[0] == ["작업 공간"]
    assert words(synonyms.phrases(spaced("작업 공간에서는 크기"))[1]) == ["크기"]


def test_excerpts_show_the_place_with_most_of_the_query_in_whole_words() -> None:
    text = " ".join(
        ["convolution", *(f"filler{n}" for n in range(60)), "slow convolution", *(f"more{n}" for n in range(60))]
    )
    shown = excerpt(text, text, concepts("why is my convolution slow", Synonyms(())))
    assert "<mark>slow</mark> <mark>convolution</mark>" in shown
    assert shown[0] == shown[-1] == "…"
    plain = shown.striptags().strip("…").split()
    assert set(plain) <= set(text.split())
