"""Mistakes that people made in public: each gives the stated status or result, and an explanation in both languages."""

import re
from pathlib import Path

import pytest

from app.i18n.locales import LANGS, Lang
from app.i18n.sentences import localise
from grader.checkers.trace_reader import TOLD
from grader.contract.job import Job
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.paths import ROOT
from grader.workshop import Workshop
from tests.golden import test_gpu_selftest
from tests.golden.cases import NOT_ON_A_CPU, SELF_TEST, PublicCase, load_all
from tests.golden.cases.exercises import write_exercises

CASES = load_all()
COUNT = 49
TABLE = ROOT / "docs" / "cases.md"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, native_build: Path) -> Workshop:
    return Workshop(write_exercises(tmp_path_factory.mktemp("cases") / "exercises"))


def graded(case: PublicCase, workshop: Workshop) -> Verdict:
    purpose = "grade" if case.exercise else "run"
    job = Job("case", case.language, case.program, case.exercise, purpose, "simulated", seed=1)  # type: ignore[arg-type]
    return grade(job, lambda _: None, workshop)


def told(verdict: Verdict, lang: Lang) -> str:
    """Everything that the page says about a verdict."""
    view, _ = localise("verdict", verdict.to_json(), lang)
    texts = [view["sentence"], view["explanation"]]
    texts += [part for finding in view["findings"] for part in (finding["sentence"], finding["explanation"])]
    texts += [call["reason"] for call in view["calls"]]
    texts += [output["sentence"] for shown in view["cases"] for output in shown["outputs"]]
    return " ".join(filter(None, texts))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case-{case.case:02}-{case.name}-{case.language}")
def test_public_case(case: PublicCase, bench: Workshop) -> None:
    verdict = graded(case, bench)
    assert verdict.code == case.verdict, (verdict.data, verdict.stderr, [entry.data for entry in verdict.cases])
    if case.prints is not None:
        assert verdict.stdout.split("\n")[:-1] == case.prints, verdict.stderr
    assert {finding.rule for finding in verdict.findings} == set(case.rules)
    assert {call.reason.code for call in verdict.calls if call.reason} - {TOLD} == set(case.reasons)
    assert all(call.reason for call in verdict.calls if call.status and call.name.startswith("cudnn"))
    outputs = verdict.cases[0].outputs if verdict.cases else []
    assert (outputs[0].pattern if outputs else "") == case.pattern
    for lang in LANGS:
        assert case.says[lang] in told(verdict, lang)


def test_every_case_is_shown_or_has_a_reason_why_not() -> None:
    shown = {case.case for case in CASES}
    assert shown | set(SELF_TEST) | set(NOT_ON_A_CPU) == set(range(1, COUNT + 1))
    assert not shown & set(SELF_TEST)
    assert shown & set(NOT_ON_A_CPU) <= {16}, "only the result of case 16 can be shown, not its slowness"
    assert all(hasattr(test_gpu_selftest, name.split("[")[0]) for name in SELF_TEST.values())


def test_the_table_names_every_case_with_its_tests_or_the_reason() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (.*) \|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, COUNT + 1))
    assert len({mistake for _, mistake, _ in rows}) == COUNT
    for text, _, shown in rows:
        number = int(text)
        names = {f"case-{case.case:02}-{case.name}-{case.language}" for case in CASES if case.case == number}
        assert set(re.findall(r"`((?:case-|test_).+?)`", shown)) == names | {SELF_TEST.get(number, "")} - {""}
        assert shown.partition("not on a CPU: ")[2] == NOT_ON_A_CPU.get(number, "")
