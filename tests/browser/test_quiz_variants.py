"""Questions with parameters in the page: other numbers, kept by a reload, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import programs, quiz
from tests.browser.conftest import OpenPage

SLUG = "tensor-descriptors"
QUESTION = next(question for question in programs.quiz_of(SLUG) if question["id"] == "stride-of-a-row")
OTHER = next(question for question in programs.quiz_of(SLUG) if question["id"] == "size-with-gaps")
FORM = f"#question-{QUESTION['id']}"


def variant(page: Page, form: str = FORM) -> str:
    return page.locator(f"{form} input[name=variant]").input_value()


def others(page: Page) -> Locator:
    return page.locator(f"{FORM} [data-another]")


def test_other_numbers_are_graded_and_stay_after_a_reload(open_page: OpenPage) -> None:
    page = open_page(f"/ko/lessons/{SLUG}")
    first, second = variant(page), variant(page, f"#question-{OTHER['id']}")
    quiz.answer(page, QUESTION, rightly=True)
    quiz.answer(page, OTHER, rightly=False)
    page.reload()
    assert (variant(page), variant(page, f"#question-{OTHER['id']}")) == (first, second)
    others(page).click()
    expect(page.locator(f"{FORM} input[name=variant]")).not_to_have_value(first)
    expect(page.locator(f"{FORM} .answer-line input")).to_be_focused()
    expect(page.locator(f"{FORM} .feedback")).to_be_empty()
    fresh = variant(page)
    page.reload()
    assert variant(page) == fresh
    quiz.answer(page, QUESTION, rightly=False)
    quiz.retry(page.locator(FORM))
    assert variant(page) == fresh
    quiz.answer(page, QUESTION, rightly=True)
    expect(page.locator(f"#question-{OTHER['id']}")).to_have_attribute("data-answered", "wrong")


def test_a_guest_keeps_the_numbers_after_the_first_answer(open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{SLUG}")
    shown = page.locator("input[name=variant]").evaluate_all("inputs => inputs.map(input => input.value)")
    assert len(shown) > 2
    quiz.answer(page, programs.quiz_of(SLUG)[0])
    page.reload()
    assert page.locator("input[name=variant]").evaluate_all("inputs => inputs.map(input => input.value)") == shown


@pytest.mark.parametrize("slug", [SLUG, "what-is-cudnn"])
def test_a_quiz_works_without_javascript(slug: str, open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{slug}", java_script_enabled=False)
    for question in programs.quiz_of(slug):
        form = page.locator(f"#question-{question['id']}")
        if question["kind"] == "order":
            for place, item in enumerate(question["answer"], 1):
                form.locator(f"input[name='{question['id']}.{item}']").fill(str(place))
            form.locator("button[type=submit]").click()
            expect(form.locator(".feedback")).to_have_attribute("data-mark", "right")
        else:
            quiz.answer(page, question)
        page.wait_for_url(re.compile(f"#question-{question['id']}$"))


def test_other_numbers_without_javascript(open_page: OpenPage) -> None:
    page = open_page(f"/ko/lessons/{SLUG}", java_script_enabled=False)
    first = variant(page)
    others(page).click()
    page.wait_for_url(re.compile(r"ask=.*#question-"))
    fresh = variant(page)
    assert fresh != first
    page.reload()
    assert variant(page) == fresh
    quiz.answer(page, QUESTION, rightly=False)
    assert variant(page) == fresh
