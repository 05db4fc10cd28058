"""Forms of words."""

import pytest

from app.search.words import forms, grams, normal, words


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("합성곱을", "합성곱"),
        ("합성곱은", "합성곱"),
        ("핸들에서는", "핸들"),
        ("텐서로", "텐서"),
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


def test_queries_are_cut_into_words() -> None:
    assert [form[0] for form in words("cuDNN의 `핸들`, 그리고 (텐서)!")] == ["cudnn의", "핸들", "그리고", "텐서"]
    assert words("  ") == []
    assert len(words("a " * 100)) == 10


def test_texts_are_compared_composed_and_without_case() -> None:
    assert normal("핸들 CUDNN") == "핸들 cudnn"
    assert len(normal("İx")) == 2
    assert grams("abcd") == {"ab", "bc", "cd"}
