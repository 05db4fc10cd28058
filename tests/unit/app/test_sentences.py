"""Every code of the grader has whole sentences in both languages, and none of them breaks on its data."""

import re
import string
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from app.i18n import messages, sentences
from app.i18n.locales import LANGS, Lang
from app.settings import ROOT
from grader.checkers.api_trace import (
    CALL_FORBIDDEN,
    CALL_MISSING,
    DATA_TYPE_NOT_USED,
    NOT_CALLED_IN_CASE,
    REQUIREMENTS,
    RULES,
)
from grader.checkers.pattern import TESTS
from grader.checkers.statuses import STATUS_DROPPED
from grader.contract.codes import Code
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.exercise_types import TIMED
from grader.contract.verdict import CaseResult, Comparison, EventType, Finding, Verdict

FILES = ("errors", "reference", "rules", "titles", "uses", "verdicts")
# Particles that change with the sound before them, which a value may end in or not.
PARTICLE = re.compile(r"\}['’”\"]?(은|는|이|가|을|를|와|과|로|으로|라는|이라는)(?![가-힣])")
SIGNALS = ("SIGSEGV", "SIGABRT", "SIGFPE", "SIGBUS", "SIGILL", "SIGSYS", "SIGKILL")
PROBLEMS = ("missing", "shape", "dtype", "device", "changed_input")

VERDICT_DATA: dict[Code, list[dict[str, Any]]] = {
    Code.RUNTIME_ERROR: [
        *({"signal": name, "problem": "ended_early"} for name in SIGNALS),
        {"exit": 3},
        {"exit": 0, "problem": "ended_early"},
        {"problem": "protocol"},
        {"problem": "missing_function", "function": "convolve"},
        {"exception": "ValueError", "line": 3, "traceback": "…"},
        {"exception": "CudnnError", "line": 3},
        {"exception": "CudnnError"},
        {"exception": "CudaError"},
        {"exception": "KeyError"},
        {"cuda_error": "an illegal memory access was encountered", "cuda": 700},
        {},
    ],
    Code.TIME_LIMIT: [{"limit": 10.0, "value": 10.02, "unit": "s"}, {"phase": "compile", "limit": 30.0}, {}],
    Code.MEMORY_LIMIT: [{"limit": 2048.0, "value": 2050.1, "unit": "MiB"}, {"exception": "MemoryError"}],
    Code.OUTPUT_LIMIT: [{"limit": 64.0, "value": 65.0, "unit": "KiB"}, {}],
    Code.FORBIDDEN: [{"token": "numpy.dot", "line": 4}, {"token": "x"}, {}],
    Code.COMPILE_ERROR: [
        {"language": "cpp"},
        {"language": "python"},
        {"problem": "missing_function", "function": "f", "expected": "void f(int n)"},
        {"problem": "signature", "function": "f", "expected": "void f(int n)", "line": 2},
    ],
    Code.WRONG_ANSWER: [{"stdout": True, "line": 1}, {}],
    Code.ACCEPTED: [{"purpose": "run"}, {}],
    Code.GRADER_FAULT: [{"fault": "RuntimeError", "text": "…", "mend": "…"}],
}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Lang, str]]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key in LANGS and isinstance(below, str):
                yield path, key, below
            else:
                yield from leaves(below, f"{path}.{key}")
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from leaves(below, f"{path}[{index}]")


def whole(text: str, lang: Lang) -> None:
    """A filled sentence: ends like one, has no holes, is in its language."""
    assert text
    assert not re.search(r"\{\w*\}", text), text
    assert re.search(r"[.?!)]$", text) or ": " in text, text
    assert bool(re.search(r"[가-힣]", text)) == (lang == "ko"), text


@pytest.mark.parametrize("name", FILES)
def test_texts_have_both_languages_and_the_same_values(name: str) -> None:
    fields: dict[str, dict[Lang, set[str]]] = {}
    for path, lang, text in leaves(messages.load(name)):
        found = {field for _, field, _, _ in string.Formatter().parse(text) if field}
        fields.setdefault(path, {})[lang] = found
    assert fields
    for path, by_lang in fields.items():
        assert set(by_lang) == set(LANGS), path
        assert by_lang["ko"] == by_lang["en"], path


@pytest.mark.parametrize("name", FILES)
def test_no_korean_particle_directly_behind_a_value(name: str) -> None:
    for path, lang, text in leaves(messages.load(name)):
        assert not (lang == "ko" and PARTICLE.search(text)), f"{path}: {text}"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("code", list(Code))
def test_every_code_has_label_and_sentence(code: Code, lang: Lang) -> None:
    assert sentences.label(code, lang)
    for data in VERDICT_DATA.get(code, [{}]):
        case = CaseResult("one", True, code, data=data)
        verdict = Verdict(code, passed=1, total=2, first_failed="one", cases=[case], data=data).to_json()
        shown, sentence = sentences.localise("verdict", verdict, lang)
        whole(sentence, lang)
        whole(shown["cases"][0]["sentence"], lang)
        if code not in (Code.ACCEPTED, Code.CANCELLED, Code.NOT_RUN) and data:
            whole(shown["explanation"] or "signal.", "en" if not shown["explanation"] else lang)


def test_limits_are_told_with_what_was_used_and_the_phases() -> None:
    failed = {"name": "one", "shown": True, "data": {"limit": 10.0, "value": 10.02, "unit": "s"}}
    verdict = {"code": "time_limit", "first_failed": "one", "cases": [failed], "timings": {"compile": 4.1234}}
    shown, english = sentences.localise("verdict", verdict, "en")
    assert shown["sentence"] == english
    assert all(number in english for number in ("10", "10.02", "4.1")), english
    assert "4.1초" in sentences.localise("verdict", verdict, "ko")[1]
    compiler = {"code": "memory_limit", "data": {"phase": "compile", "limit": 2048, "value": 2100.5}}
    assert "compiler" in sentences.localise("verdict", compiler, "en")[1]
    memory = {
        "code": "memory_limit",
        "first_failed": "one",
        "cases": [failed | {"data": {"limit": 300, "value": 512.3}}],
    }
    assert "512.3 MiB" in sentences.localise("verdict", memory, "ko")[1]


def test_verdict_sentences_tell_apart_what_happened() -> None:
    def say(code: Code, data: dict[str, Any]) -> str:
        verdict = Verdict(code, data=data).to_json()
        return sentences.localise("verdict", verdict, "en")[1]

    assert "10 s" in say(Code.TIME_LIMIT, {"limit": 10.0, "value": 10.02})
    assert "10.02 s" in say(Code.TIME_LIMIT, {"limit": 10.0, "value": 10.02})
    assert "Compiling" in say(Code.TIME_LIMIT, {"limit": 30.0, "value": 30.0, "phase": "compile"})
    assert "2048 MiB" in say(Code.MEMORY_LIMIT, {"limit": 2048.0, "value": 2100.0})
    assert "SIGSEGV" in say(Code.RUNTIME_ERROR, {"signal": "SIGSEGV", "problem": "ended_early"})
    assert "SIGKILL" in say(Code.RUNTIME_ERROR, {"signal": "SIGKILL"})
    assert "Line 3" in say(Code.RUNTIME_ERROR, {"exception": "ValueError", "line": 3})
    assert "std::runtime_error." in say(Code.RUNTIME_ERROR, {"exception": "St13runtime_error"})
    assert "raised: Mine." in say(Code.RUNTIME_ERROR, {"exception": "4Mine"})
    assert "raised: 3Mine." in say(Code.RUNTIME_ERROR, {"exception": "3Mine"})
    assert "numpy.dot" in say(Code.FORBIDDEN, {"token": "numpy.dot", "line": 4})
    assert "not at fault" in say(Code.GRADER_FAULT, {"fault": "x"})


def test_hidden_cases_are_named_without_their_data() -> None:
    case = CaseResult("odd", False, Code.WRONG_ANSWER)
    verdict = Verdict(Code.WRONG_ANSWER, passed=3, total=4, first_failed="odd", cases=[case]).to_json()
    shown, sentence = sentences.localise("verdict", verdict, "ko")
    assert (
        sentence == "계산 결과가 다릅니다. 처음 틀린 것은 비공개 케이스 ‘odd’입니다. 통과한 케이스는 4개 중 3개입니다."
    )
    assert shown["cases"][0]["sentence"] == "비공개 케이스 ‘odd’의 결과가 다릅니다."


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", get_args(EventType))
def test_every_event_has_a_sentence(kind: str, lang: Lang) -> None:
    data: dict[str, dict[str, Any]] = {
        "compiled": {"diagnostics": [], "seconds": 1.2345, "cached": False},
        "running": {"cases": ["one", "two"]},
        "case": {"name": "one", "shown": True, "code": "accepted"},
        "verdict": {"code": "accepted", "total": 1},
    }
    whole(sentences.localise(kind, data.get(kind, {}), lang)[1], lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("reason", ["", "grader_fault", "restart"])
@pytest.mark.parametrize("position", [0, 1, 2, 13])
def test_queue_says_place_or_reason(position: int, reason: str, lang: Lang) -> None:
    sentence = sentences.localise("queued", {"position": position, "reason": reason}, lang)[1]
    whole(sentence, lang)
    assert (str(position) in sentence) == (position > 1 and not reason)


def comparison(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "name": "y", "dtype": "float32", "shape": [2, 3], "count": 6, "bad": 2, "max_abs_err": 0.5,
        "mean_abs_err": 0.25, "worst_index": [0, 1], "rtol": 1e-4, "atol": 1e-5,
    }  # fmt: skip
    output = Comparison(**(values | changes))
    case = CaseResult("one", True, Code.WRONG_ANSWER, outputs=[output])
    return Verdict(Code.WRONG_ANSWER, cases=[case], first_failed="one").to_json()


def output_sentence(lang: Lang, **changes: Any) -> str:
    shown, _ = sentences.localise("verdict", comparison(**changes), lang)
    return str(shown["cases"][0]["outputs"][0]["sentence"])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("pattern", [name for name, _ in TESTS])
def test_every_pattern_has_a_hint(pattern: str, lang: Lang) -> None:
    data = {"scaled": {"factor": 2.0}, "transposed": {"order": "nhwc"}}.get(pattern, {})
    plain, hinted = output_sentence(lang), output_sentence(lang, pattern=pattern, pattern_data=data)
    assert hinted.startswith(plain)
    whole(hinted.removeprefix(plain).strip(), lang)


def test_every_pattern_of_a_sample_program_has_a_hint() -> None:
    """Patterns that exercises know beside the general ones: what `mistakes` of their reference.py names."""
    exercises = [load_exercise(folder) for folder in list_exercises(ROOT / "exercises")]
    named = {sample.pattern for exercise in exercises for sample in exercise.samples if sample.pattern}
    assert {"gates_not_exchanged", "flipped_filter"} <= named
    for pattern in named:
        for lang in LANGS:
            hint = output_sentence(lang, pattern=pattern).removeprefix(output_sentence(lang)).strip()
            whole(hint, lang)


def test_exact_values_are_not_said_to_be_beyond_a_tolerance() -> None:
    assert "tolerance" not in output_sentence("en", rtol=0.0, atol=0.0)
    assert "기대한 값과 다릅니다" in output_sentence("ko", rtol=0.0, atol=0.0)


def test_a_wrong_timed_run_is_explained_by_its_new_inputs() -> None:
    case = CaseResult(TIMED, False, Code.WRONG_ANSWER)
    verdict = Verdict(Code.WRONG_ANSWER, passed=3, total=4, first_failed=TIMED, cases=[case]).to_json()
    shown, sentence = sentences.localise("verdict", verdict, "ko")
    assert "되풀이한 호출" in sentence
    assert "호출마다 입력이 다릅니다" in shown["explanation"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_of_an_output_has_a_sentence(problem: str, lang: Lang) -> None:
    for data in ({}, {"expected": [1, 2], "yours": [2, 1]}):
        whole(output_sentence(lang, problem=problem, bad=0, pattern_data=data), lang)


def test_differences_and_special_values_are_named() -> None:
    assert "2 of 6" in output_sentence("en")
    assert "0.5" in output_sentence("en")
    assert "2 of them NaN" in output_sentence("en", nan_count=2)
    assert "1 of them infinite" in output_sentence("en", inf_count=1)
    assert output_sentence("en", bad=0) == ""
    assert "1 × 2" in output_sentence("en", problem="shape", pattern_data={"expected": [1, 2], "yours": [3]})


RULE_DATA = {
    "function": "cudnnX", "count": 2, "id": "tensor#1", "line": 7, "kind": "tensor", "bytes": 64, "needed": 128,
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "rule", [*RULES, CALL_MISSING, CALL_FORBIDDEN, NOT_CALLED_IN_CASE, DATA_TYPE_NOT_USED, STATUS_DROPPED]
)
def test_every_rule_has_sentence_and_explanation(rule: str, lang: Lang) -> None:
    variants = messages.load("rules")[rule]
    for variant in variants:
        assert {"sentence", "explanation"} <= set(variant), rule
    finding = Finding(rule, "required", data=dict(RULE_DATA))
    verdict = Verdict(Code.API_MISUSE, findings=[finding]).to_json()
    shown = sentences.localise("verdict", verdict, lang)[0]
    assert shown["findings"][0]["sentence"] not in ("", rule)
    assert "1" in shown["sentence"]


def test_findings_link_to_lessons_that_exist() -> None:
    texts = sentences.finding_texts("leaks_descriptor", "ko", RULE_DATA, {"tensor-descriptors"})
    assert texts["lesson_url"] == "/ko/lessons/tensor-descriptors"
    assert sentences.finding_texts("leaks_descriptor", "ko", RULE_DATA)["lesson_url"] == ""


def test_unknown_rule_and_pattern_do_not_break_the_page() -> None:
    verdict = comparison(pattern="from_the_future") | {"findings": [{"rule": "also_new", "severity": "info"}]}
    shown = sentences.localise("verdict", verdict, "en")[0]
    assert shown["findings"][0]["sentence"] == "also_new"


@pytest.mark.parametrize("lang", LANGS)
def test_everything_an_exercise_can_ask_for_has_words(lang: Lang) -> None:
    for word in REQUIREMENTS:
        text, url = sentences.use_sentence("required", word, lang)
        whole(text, lang)
        assert url == ""
    for kind in ("required", "advised", "forbidden"):
        text, url = sentences.use_sentence(kind, "cudnnConvolutionForward", lang)
        assert "cudnnConvolutionForward" in text
        assert url == f"/{lang}/reference/cudnnConvolutionForward"
    assert "numpy.dot" in sentences.use_sentence("forbidden", "numpy.dot", lang)[0]
    words = messages.load("uses")["words"]
    for rule in RULES:
        text = sentences.use_sentence("required", rule, lang)[0]
        assert text == words[rule][lang] if rule in words else rule in text
    for kind in ("data_type", "in_case", "workspace_bytes"):
        text = sentences.demand_sentence(kind, lang, name="INT8", when="fast == 1")
        assert "{" not in text
        assert "INT8" in text


def test_calls_link_to_the_reference_and_failed_ones_to_their_status() -> None:
    calls = [
        {"index": 0, "name": "cudnnCreate", "args": {}, "status": 0, "status_name": "CUDNN_STATUS_SUCCESS"},
        {"index": 1, "name": "cudaFree", "args": {}, "status": 1, "status_name": "cudaErrorInvalidValue"},
        {"index": 2, "name": "cudnnDestroy", "args": {}, "status": None, "status_name": ""},
    ]
    shown = sentences.localise("verdict", {"code": "accepted", "calls": calls}, "ko")[0]["calls"]
    assert [call["url"] for call in shown] == [f"/ko/reference/{call['name']}" for call in calls]
    assert [call["status_url"] for call in shown] == ["", "/ko/reference/cudaErrorInvalidValue", ""]


def test_values_are_written_as_people_do() -> None:
    assert sentences.shown(10.0) == "10"
    assert sentences.shown(91890.0) == "91,890"
    assert sentences.shown(9.189e7) == "9.189e+07"
    assert sentences.shown(0.000123456) == "0.0001235"
    assert sentences.shown([8, 64, 112]) == "8 × 64 × 112"
    assert messages.fill("{missing} stays", {}) == "{missing} stays"


@pytest.mark.parametrize("lang", LANGS)
def test_an_exception_of_a_hidden_case_sends_nobody_to_a_message_that_is_not_shown(lang: Lang) -> None:
    case = CaseResult("grouped", False, Code.RUNTIME_ERROR, data={"exception": "St13runtime_error"})
    verdict = Verdict(Code.RUNTIME_ERROR, cases=[case], first_failed="grouped", total=1)
    shown, sentence = sentences.localise("verdict", verdict.to_json(), lang)
    assert "grouped" in sentence
    assert "std::runtime_error" in sentence
    wanted = {"ko": "비공개 케이스의 호출과 메시지는 보여 주지 않습니다", "en": "of hidden cases are not shown"}
    assert wanted[lang] in shown["explanation"]
