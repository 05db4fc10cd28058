"""Every rule has a sentence and an explanation in both languages, whose placeholders its findings fill."""

import re
import string
from typing import Any

import pytest

from app.i18n import messages, sentences
from app.i18n.locales import LANGS
from grader.checkers.api_trace import (
    ALGORITHM_NOT_GIVEN,
    CALL_FORBIDDEN,
    CALL_MISSING,
    DATA_TYPE_NOT_USED,
    FACTOR_NOT_GIVEN,
    NOT_CALLED_IN_CASE,
    OUTPUT_FROM_THE_HOST,
    RULES,
    WORKSPACE_OVER_BUDGET,
)
from grader.checkers.statuses import STATUS_DROPPED
from tests.unit.grader.rules_trace import Program, findings
from tests.unit.grader.test_rules import CASES, ON_REQUEST

ALL = [(c, p) for c, p, _ in CASES + ON_REQUEST]


def variants(code: str) -> list[dict[str, Any]]:
    return list(messages.load("rules")[code])


def test_exactly_the_rules_have_sentences() -> None:
    calls = {CALL_FORBIDDEN, CALL_MISSING, NOT_CALLED_IN_CASE, DATA_TYPE_NOT_USED}
    others = {ALGORITHM_NOT_GIVEN, FACTOR_NOT_GIVEN, OUTPUT_FROM_THE_HOST, STATUS_DROPPED, WORKSPACE_OVER_BUDGET}
    assert set(messages.load("rules")) == set(RULES) | calls | others


@pytest.mark.parametrize("code", sorted(RULES))
def test_explanations_name_the_lesson_of_the_rule(code: str) -> None:
    assert RULES[code].lesson in {variant["lesson"] for variant in variants(code)}
    for variant in variants(code):
        for part in ("sentence", "explanation"):
            assert all(variant[part][lang].strip().endswith((".", "다.")) for lang in LANGS)


@pytest.mark.parametrize(("code", "program"), ALL, ids=[f"{i}-{c}" for i, (c, _) in enumerate(ALL)])
def test_findings_fill_every_placeholder(code: str, program: Program) -> None:
    (found,) = [f for f in findings(program, code) if f.rule == code]
    data = {"line": found.line} | found.data
    for lang in LANGS:
        for part in ("sentence", "explanation"):
            said = sentences._say(variants(code), part, lang, data)
            assert said
            assert not [name for _, name, _, _ in string.Formatter().parse(said) if name]


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_finding_of_a_hidden_case_has_a_sentence_too(code: str) -> None:
    """Of hidden cases only function, argument and count of equal mistakes are told."""
    data = {"line": 3, "function": "cudnnConvolutionForward", "argument": "x", "times": 1}
    for values in (data, data | {"argument": ""}):
        for part in ("sentence", "explanation"):
            said = sentences._say(variants(code), part, "ko", values) + sentences._say(
                variants(code), part, "en", values
            )
            assert "{" not in said


def test_no_korean_particle_follows_a_value() -> None:
    """A particle depends on the sound before it, which a value does not tell."""
    for code in messages.load("rules"):
        for variant in variants(code):
            assert not re.search(r"\}\s?(이|가|을|를|은|는|으로|로|와|과|에|의)(\s|\()", variant["sentence"]["ko"])
