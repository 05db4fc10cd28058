"""What a first-time visitor meets on the way: places that are kept, output in sight, hints counted, an empty search."""

import pytest
from playwright.sync_api import expect

from tests.browser import workbench
from tests.browser.conftest import OpenPage

LANGS = pytest.mark.parametrize("lang", ["ko", "en"])


@LANGS
def test_who_leaves_a_lesson_at_once_resumes_there(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/lessons/handles")
    heading = page.locator(".lesson h2[id]").nth(2)
    heading.evaluate("heading => heading.scrollIntoView()")
    expect(page.locator(".toc a[aria-current=true]")).to_have_count(1)
    resume = page.locator(".hero a[href*='/lessons/handles#']")
    for _ in range(20):  # the place is sent while the page is being left: the next page may be faster
        page.goto(f"/{lang}/")
        if resume.count():
            break
    expect(resume).to_be_visible()


def test_the_output_of_a_long_program_comes_into_sight(open_page: OpenPage) -> None:
    page = open_page("/ko/lessons/handles", width=390, height=844)
    block = page.locator(".run-block").first
    button = block.locator("[data-run]")
    button.scroll_into_view_if_needed()
    button.click()
    output = block.locator(".run-output")
    expect(output).to_contain_text("91900")
    expect(output).to_be_in_viewport()


@LANGS
def test_an_empty_search_shows_what_can_be_found(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/search")
    examples = page.locator("#found .examples a")
    expect(examples).to_have_count(4)
    for index in range(4):
        page.goto(f"/{lang}/search")
        examples.nth(index).click()
        expect(page.locator("#found .results-list li").first).to_be_visible()


@LANGS
def test_hints_are_counted_before_they_are_asked_for(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/exercises/version-number")
    button = page.locator("[data-hint]")
    expect(button).to_contain_text("1")
    button.click()
    expect(page.locator(".hint-rung")).to_have_count(1)
    expect(button).to_have_text({"ko": "힌트 2/3 보기", "en": "Show hint 2 of 3"}[lang])


@LANGS
def test_integers_are_compared_in_whole_numbers(lang: str, open_page: OpenPage) -> None:
    """Their tolerance is none: nothing is infinitely many times beyond it."""
    page = open_page(f"/{lang}/exercises/version-number")
    workbench.wait_for_editor(page)
    workbench.run(page)
    wrong = page.locator(".comparison.bad").first
    expect(wrong).to_contain_text({"ko": "없음(정확히 일치)", "en": "none: exactly equal"}[lang])
    expect(wrong).to_contain_text("91,891")
    expect(wrong).not_to_contain_text("e+0")
    expect(wrong).not_to_contain_text("∞")


@LANGS
def test_a_group_of_the_reference_is_one_click_away(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/reference/", width=390, height=844)
    groups = page.locator(".reference-groups h2")
    jumps = page.locator(".reference-jump a")
    expect(jumps).to_have_text(groups.all_inner_texts())
    jumps.last.click()
    expect(groups.last).to_be_in_viewport()
