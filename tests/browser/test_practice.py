"""The clinic and the challenges in the browser: from the symptom to the explanation, and what every screen shows."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe, programs, workbench
from tests.browser.conftest import OpenPage

CASE = "relu6-all-zero"
CHALLENGE = "fused-layer-race"
WORDS = {
    "ko": ("오류 클리닉", "모두 0이 된 ReLU6", "원인과 설명"),
    "en": ("Error clinic", "A ReLU6 that gives", "What it was"),
}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_from_the_symptom_to_the_explanation(lang: str, open_page: OpenPage) -> None:
    clinic, title, explained = WORDS[lang]
    page = open_page(f"/{lang}/")
    page.locator(".practice-links").get_by_role("link", name=clinic).click()
    expect(page.locator("h1")).to_have_text(clinic)
    page.get_by_role("link", name=title).click()
    expect(page.locator(".symptom")).to_contain_text("ReLU6")
    expect(page.get_by_role("heading", name=explained)).to_be_hidden()
    workbench.choose(page, "python")
    page.locator(workbench.SUBMIT).click()
    workbench.verdict(page)
    assert not workbench.is_accepted(page), "a starter is broken"
    workbench.write(page, programs.accepted(CASE, "python"))
    page.locator(workbench.SUBMIT).click()
    workbench.verdict(page)
    assert workbench.is_accepted(page)
    expect(page.get_by_role("heading", name=explained)).to_be_visible()
    expect(page.locator("[data-explanation-text]")).to_contain_text("coef")
    assert axe.violations(page) == []
    page.locator(".crumbs").get_by_role("link", name=clinic).click()
    row = page.locator(".case-row", has=page.get_by_role("link", name=title))
    expect(row.locator(".state.done")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "said"), [("ko", "순위에 넣지 않습니다"), ("en", "are not ranked")])
def test_a_challenge_tells_the_time_and_that_a_simulated_one_is_not_ranked(
    lang: str, said: str, open_page: OpenPage
) -> None:
    page = open_page(f"/{lang}/exercises/{CHALLENGE}")
    workbench.choose(page, "python")
    workbench.write(page, programs.accepted(CHALLENGE, "python"))
    page.locator(workbench.SUBMIT).click()
    workbench.verdict(page)
    assert workbench.is_accepted(page)
    expect(page.locator(".timed")).to_contain_text(" ms")
    expect(page.locator(".timed")).to_contain_text(said)
    page.goto(f"/{lang}/challenges")
    expect(page.locator(".boards table")).to_have_count(0)


@pytest.mark.parametrize(("lang", "theme", "width"), [("ko", "dark", 390), ("en", "light", 390), ("ko", "light", 1280)])
def test_pages_of_a_case_and_a_challenge(lang: str, theme: str, width: int, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/clinic", theme=theme, width=width)
    expect(page.locator(".case-row").nth(23)).to_be_attached()
    for path in ("clinic", "challenges", f"exercises/{CASE}", f"exercises/{CHALLENGE}"):
        page.goto(f"/{lang}/{path}")
        if path.startswith("exercises/"):
            workbench.wait_for_editor(page)
        assert axe.violations(page) == [], path


def test_staying_off_the_board_needs_no_script_and_can_be_taken_back(open_page: OpenPage) -> None:
    page = open_page("/en/challenges")
    page.get_by_role("button", name="Stay off the leaderboard").click()
    expect(page.get_by_text("You are on no leaderboard.")).to_be_visible()
    page.get_by_role("button", name="Put me on the leaderboard").click()
    expect(page.get_by_role("button", name="Stay off the leaderboard")).to_be_visible()
