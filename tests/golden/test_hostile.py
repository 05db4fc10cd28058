"""Attacks on the grader: each is contained and named in its verdict, and the next submission is graded as ever."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.golden.attacks import Attack, load
from tests.golden.conftest import GradeSource

Survives = Callable[[str], None]


@pytest.mark.parametrize("attack", [*load("python"), *load("cpp")], ids=lambda a: f"{a.language}-{a}")
def test_attack_is_contained(attack: Attack, grade_source: GradeSource, survives: Survives, host_secret: Path) -> None:
    verdict = grade_source(attack.language, attack.source(host_secret))
    assert verdict.code in attack.verdict, (verdict.code, verdict.data, verdict.diagnostics[:3], verdict.stdout[:500])
    assert "ESCAPED" not in verdict.stdout, verdict.stdout
    text = json.dumps(verdict.to_json())
    assert "expected values live outside" not in text
    assert "root:x:0" not in text
    assert host_secret.read_text() == "expected values live outside"
    survives(attack.language)
