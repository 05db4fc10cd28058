"""Codes with data to sentences: the only place where a verdict becomes Korean or English."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from app.i18n import messages
from app.i18n.locales import Lang

Data = Mapping[str, Any]
Url = str

MANGLED = re.compile(r"^(St)?(\d{1,3})([A-Za-z_]\w*)$")
REFERENCE_NAME = re.compile(r"^(cudnn|cuda)[A-Z]\w+$")


def label(code: str, lang: Lang) -> str:
    """Short name of a verdict code."""
    return str(messages.load("verdicts")["labels"][code][lang])


def verdict_sentence(code: str, lang: Lang, data: Data) -> str:
    return _say(messages.load("verdicts")["verdicts"][code], "sentence", lang, data)


def verdict_explanation(code: str, lang: Lang, data: Data) -> str:
    """What to do next; empty where there is nothing to do."""
    return _say(messages.load("verdicts")["verdicts"][code], "explanation", lang, data)


def finding_texts(rule: str, lang: Lang, data: Data, lessons: Container[str] = ()) -> dict[str, str]:
    """A broken rule on the call trace: `sentence`, `explanation` and `lesson_url` (empty where no lesson teaches it).

    Raises KeyError for a rule that rules.yaml does not know.
    """
    variant = _fitting(messages.load("rules")[rule], data)
    lesson = variant.get("lesson", "")
    return {
        "sentence": _part(variant, "sentence", lang, data),
        "explanation": _part(variant, "explanation", lang, data),
        "lesson_url": f"/{lang}/lessons/{lesson}" if lesson in lessons else "",
    }


def _known_finding(rule: str, lang: Lang, data: Data, lessons: Container[str]) -> dict[str, str]:
    """As `finding_texts`; the bare rule code where a newer grader knows more rules than this program."""
    try:
        return finding_texts(rule, lang, data, lessons)
    except KeyError:
        return {"sentence": rule, "explanation": "", "lesson_url": ""}


def row_sentence(code: str, lang: Lang, detail: Data, passed: int, total: int) -> str:
    """For a line of the history, from the little that a row keeps."""
    if not code:
        return ""
    shared = {"passed": passed, "total": total, "first_failed": detail.get("first_failed", ""), "findings": 0}
    return verdict_sentence(code, lang, shared | dict(detail.get("data", {})))


def localise(kind: str, data: dict[str, Any], lang: Lang, lessons: Container[str] = ()) -> tuple[dict[str, Any], str]:
    """Data of an event with sentences added where docs/pages.md says, and the sentence of the event itself.

    lessons: slugs that findings may link to.
    """
    if kind == "verdict":
        shown = _verdict(data, lang, lessons)
        return shown, shown["sentence"]
    if kind == "case":
        shown = _case(data, lang)
        return shown, shown["sentence"]
    values = {key: len(value) if isinstance(value, list) else value for key, value in data.items()}
    return data, _say(messages.load("verdicts")["events"][kind], "sentence", lang, values)


def _verdict(data: dict[str, Any], lang: Lang, lessons: Container[str]) -> dict[str, Any]:
    values = verdict_values(data)
    code = data["code"]
    return data | {
        "sentence": verdict_sentence(code, lang, values),
        "explanation": verdict_explanation(code, lang, values),
        "code_label": label(code, lang),
        "cases": [_case(case, lang) for case in data.get("cases", [])],
        "findings": [_finding(finding, data, lang, lessons) for finding in data.get("findings", [])],
        "calls": [_call(call, lang) for call in data.get("calls", [])],
    }


def verdict_values(data: Data) -> dict[str, Any]:
    """What a verdict's sentence may use: its own data, that of the first failing case, and counts."""
    first: Data = next((case for case in data.get("cases", []) if case.get("name") == data.get("first_failed")), {})
    errors = [d for d in data.get("diagnostics", []) if d.get("severity") == "error"]
    values: dict[str, Any] = {
        "passed": data.get("passed", 0),
        "total": data.get("total", 0),
        "first_failed": data.get("first_failed", ""),
        "first_shown": first.get("shown", True),
        "findings": len(data.get("findings", [])),
    }
    required = [finding for finding in data.get("findings", []) if finding.get("severity") == "required"]
    if required:
        values |= {"required": len(required), "token": required[0].get("data", {}).get("function", "")}
    if seconds := data.get("timings", {}).get("compile"):
        values |= {"compile": round(seconds, 1)}
    if errors:
        values |= {"errors": len(errors), "line": errors[0].get("line", 0)}
    return values | _readable(dict(first.get("data", {})) | dict(data.get("data", {})))


def _readable(data: dict[str, Any]) -> dict[str, Any]:
    """C++ names its exceptions in mangled form: St13runtime_error → std::runtime_error."""
    match = MANGLED.match(str(data.get("exception", "")))
    if match is None or len(match[3]) != int(match[2]):
        return data
    return data | {"exception": f"std::{match[3]}" if match[1] else match[3]}


def _case(case: dict[str, Any], lang: Lang) -> dict[str, Any]:
    code = case.get("code", "not_run")
    texts = messages.load("verdicts")
    values = case | _readable(dict(case.get("data", {}))) | {"first_failed": case.get("name", "")}
    variants = texts["cases"].get(code) or texts["verdicts"][code]
    return case | {
        "sentence": _say(variants, "sentence", lang, values),
        "code_label": label(code, lang),
        "outputs": [_output(output, lang) for output in case.get("outputs", [])],
    }


def _output(output: dict[str, Any], lang: Lang) -> dict[str, Any]:
    texts = messages.load("verdicts")["outputs"]
    values = output | dict(output.get("pattern_data") or {}) | {"name": output.get("name", "")}
    values |= {"exact": output.get("rtol") == 0 and output.get("atol") == 0}
    values |= {"has_nan": bool(output.get("nan_count")), "has_inf": bool(output.get("inf_count"))}
    if problem := output.get("problem"):
        sentence = _say(texts["problems"].get(problem, ()), "sentence", lang, values)
    elif output.get("bad"):
        sentence = _say(texts["wrong"], "sentence", lang, values)
        if pattern := output.get("pattern"):
            sentence += " " + _say(texts["patterns"].get(pattern, ()), "sentence", lang, values)
    else:
        sentence = ""
    return output | {"sentence": sentence}


def _finding(finding: dict[str, Any], verdict: Data, lang: Lang, lessons: Container[str]) -> dict[str, Any]:
    name = str(finding.get("data", {}).get("function", ""))
    index = finding.get("call")
    calls = verdict.get("calls", [])
    if not name and isinstance(index, int):
        name = next((str(call.get("name")) for call in calls if call.get("index") == index), "")
    values = {"line": finding.get("line", 0), "function": name} | dict(finding.get("data", {}))
    texts = _known_finding(str(finding.get("rule")), lang, values, lessons)
    return finding | texts | {"url": _reference(name, lang)}


def _call(call: dict[str, Any], lang: Lang) -> dict[str, Any]:
    status = str(call.get("status_name", ""))
    reason = call.get("reason") or {}
    bad = call.get("status") not in (0, None) and status
    return call | {
        "url": _reference(str(call.get("name", "")), lang),
        "status_url": f"/{lang}/reference/{status}" if bad else "",
        "reason": reason_sentence(
            str(reason.get("code", "")), lang, {"function": call.get("name", "")} | reason.get("data", {})
        ),
    }


def reason_sentence(code: str, lang: Lang, data: Data) -> str:
    """Why a call failed; empty where that is not known, also of a code that this program does not know yet."""
    return _say(messages.load("reasons").get(code, ()), "sentence", lang, data)


def _reference(name: str, lang: Lang) -> Url:
    return f"/{lang}/reference/{name}" if REFERENCE_NAME.match(name) else ""


def _say(variants: Sequence[Data], part: str, lang: Lang, values: Data) -> str:
    """`part` of the first variant that fits; empty where that variant has no such part."""
    return _part(_fitting(variants, values), part, lang, values)


def _fitting(variants: Sequence[Data], values: Data) -> Data:
    """The first variant that fits, else the last: a hole in a sentence is better than none. Empty for no variants."""
    return next((variant for variant in variants if _fits(variant, values)), variants[-1] if variants else {})


def _part(variant: Data, part: str, lang: Lang, values: Data) -> str:
    text = variant.get(part)
    return messages.fill(text[lang], {key: shown(value) for key, value in values.items()}) if text else ""


def _fits(variant: Data, values: Data) -> bool:
    known = all(values.get(key) not in (None, "") for key in variant.get("needs", ()))
    return known and all(values.get(key) == wanted for key, wanted in variant.get("when", {}).items())


def shown(value: Any) -> Any:
    """Numbers as people write them: 10.0 → 10, 0.123456 → 0.1235, 91890.0 → 91,890; a list as a shape."""
    if isinstance(value, float):
        return f"{value:,.0f}" if 1e4 <= abs(value) < 1e6 else f"{value:.4g}"
    if isinstance(value, list | tuple):
        return " × ".join(str(shown(entry)) for entry in value)
    return value


def use_sentence(kind: str, name: str, lang: Lang) -> tuple[str, Url]:
    """What an exercise requires, advises or forbids, and the reference page of a function."""
    texts = messages.load("uses")
    if name in texts["words"]:
        return str(texts["words"][name][lang]), ""
    rule = kind != "forbidden" and name in messages.load("rules")
    return messages.fill(texts["rule" if rule else kind][lang], {"name": name}), _reference(name, lang)


def demand_sentence(kind: str, lang: Lang, **values: str) -> str:
    """What an exercise demands beside functions and rules: `data_type`, `in_case` or `workspace_bytes`."""
    return messages.fill(messages.load("uses")[kind][lang], values)
