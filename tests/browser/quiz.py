"""Answering quiz questions in the page, from the key in quiz.yaml that the page itself never holds."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect


def retry(form: Locator) -> None:
    """Back to an unanswered question. Its feedback goes last, a moment after the button."""
    form.locator("[data-retry]").click()
    expect(form.locator(".feedback")).to_be_empty()


def fill(form: Locator, question: dict[str, Any], rightly: bool = True) -> None:
    """Enters an answer, which is not sent."""
    form.scroll_into_view_if_needed()
    (_rightly if rightly else _wrongly)[question["kind"]](form, question)


def answer(page: Page, question: dict[str, Any], rightly: bool = True) -> None:
    """Answers one question and waits for its feedback."""
    form = page.locator(f"#question-{question['id']}")
    fill(form, question, rightly)
    form.locator("button[type=submit]").click()
    expect(form.locator(".feedback")).to_have_attribute("data-mark", "right" if rightly else "wrong")


def _pick(form: Locator, ids: list[str]) -> None:
    for choice in ids:
        form.locator(f".choice input[value='{choice}']").check()


def _keys(question: dict[str, Any], correct: bool) -> list[str]:
    return [choice["id"] for choice in question["choices"] if choice.get("correct", False) is correct]


def _sort(form: Locator, ids: list[str]) -> None:
    """With the arrow buttons, as a keyboard does: each item climbs to its place."""
    for place, item in enumerate(ids):
        row = form.locator(f"li[data-id='{item}']")
        while form.locator("li").nth(place).get_attribute("data-id") != item:
            row.locator("[data-move='-1']").click()


def key_of(form: Locator, question: dict[str, Any]) -> Any:
    """The right answer; of a question with parameters, from the numbers that the form names."""
    if "parameters" not in question:
        return question["answer"]
    shown = form.locator("input[name=variant]").input_value().split("_")
    values = {name: float(value) for name, value in zip(question["parameters"], shown, strict=True)}
    sizes = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
    found = [eval(str(size), {"max": max, "min": min}, values) for size in sizes]
    return [int(size) for size in found] if isinstance(question["answer"], list) else f"{found[0]:.10g}"


def _fill(form: Locator, question: dict[str, Any]) -> None:
    value = key_of(form, question)
    form.locator(".answer-line input").fill(str(value[0] if isinstance(value, list) else value))


def _fill_shape(form: Locator, sizes: list[int]) -> None:
    boxes = form.locator("[data-shape] input")
    expect(boxes).to_have_count(len(sizes))
    for axis, size in enumerate(sizes):
        boxes.nth(axis).fill(str(size))


Act = Callable[[Locator, dict[str, Any]], None]

_rightly: dict[str, Act] = {
    "single": lambda form, q: _pick(form, _keys(q, True)),
    "status": lambda form, q: _pick(form, _keys(q, True)),
    "several": lambda form, q: _pick(form, _keys(q, True)),
    "order": lambda form, q: _sort(form, q["answer"]),
    "number": _fill,
    "blank": _fill,
    "shape": lambda form, q: _fill_shape(form, key_of(form, q)),
}

_wrongly: dict[str, Act] = {
    "single": lambda form, q: _pick(form, _keys(q, False)[:1]),
    "status": lambda form, q: _pick(form, _keys(q, False)[:1]),
    "several": lambda form, q: _pick(form, _keys(q, False)[:1]),
    "order": lambda form, q: _sort(form, q["answer"][::-1]),
    "number": lambda form, q: form.locator(".answer-line input").fill("-987654"),
    "blank": lambda form, q: form.locator(".answer-line input").fill("nonsense"),
    "shape": lambda form, q: _fill_shape(form, [9] * len(q["answer"])),
}
