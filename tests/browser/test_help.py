"""Help on the exercise page: the hint ladder, giving up after three tries, the solution."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import programs, workbench
from tests.browser.conftest import OpenPage

WRONG = "def convolve(*arguments):\n    return None  # try {number}\n"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(f"/en/exercises/{programs.EXERCISE}?language=python")


def test_hints_open_one_by_one_and_stay_open(page: Page) -> None:
    total = int(page.locator("#hints").get_attribute("data-total") or "0")
    assert total >= 3
    for number in range(1, total + 1):
        page.locator("[data-hint]").click()
        expect(page.locator(".hint-rung")).to_have_count(number)
    expect(page.locator("[data-hint]")).to_be_hidden()
    page.reload()
    expect(page.locator(".hint-rung")).to_have_count(total)


@pytest.mark.slow
def test_the_solution_is_offered_after_three_wrong_submissions(page: Page) -> None:
    expect(page.locator("[data-solution]")).to_be_hidden()
    for number in range(3):
        expect(page.locator("[data-give-up]")).to_be_hidden()
        workbench.write(page, WRONG.format(number=number))
        workbench.run(page)
    page.locator("[data-give-up]").click()
    page.get_by_role("dialog").get_by_role("button", name="Show the solution").click()
    expect(page.locator("[data-solution-code]")).to_contain_text("cudnnConvolutionForward")
