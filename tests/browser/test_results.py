"""The result panel: streaming, hostile output, the heat map by keyboard, the call list, cancelling, reconnecting."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import programs, waiting, workbench
from tests.browser.conftest import Console, OpenPage

HOSTILE = """import sys
def {name}(*arguments):
    print("<img src=x onerror=alert(1)><script>document.title='owned'</script>")
    print("\\u202edesrever\\u202c \\u200b end")
"""


@pytest.fixture
def wrong_result(open_page: OpenPage) -> Page:
    page = open_page(f"/en/exercises/{programs.EXERCISE}?language=cpp")
    workbench.write(page, programs.wrong(programs.EXERCISE, "cpp", "wrong_answer"))
    workbench.run(page)
    return page


@pytest.mark.slow
def test_differences_to_nan_are_no_numbers(wrong_result: Page) -> None:
    """The program leaves nothing but NaN: a largest difference of 0 would say that it is right."""
    measures = wrong_result.locator(".measures").first
    expect(measures.locator("div", has_text="Wrong elements").locator("dd")).to_have_text("80 / 80")
    expect(measures.locator("div", has_text="NaN").locator("dd")).to_have_text("80")
    for name in ("Largest difference", "Mean difference"):
        expect(measures.locator("div", has_text=name).locator("dd")).to_have_text("–")


@pytest.mark.slow
def test_arrow_keys_move_over_the_heat_map_and_say_what_is_there(wrong_result: Page) -> None:
    frame = wrong_result.locator(".heat-frame").first
    said = wrong_result.locator(".heat-said").first
    frame.focus()
    for _ in range(20):
        wrong_result.keyboard.press("ArrowUp")
        wrong_result.keyboard.press("ArrowLeft")
    expect(said).to_have_text(re.compile(r"^[^\]]*\b0, 0\]"))
    wrong_result.keyboard.press("ArrowRight")
    expect(said).to_contain_text("0, 1]")


@pytest.mark.slow
def test_a_case_that_passes_takes_one_line_of_a_phone(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.EXERCISE}?language=cpp", width=390)
    workbench.choose_slide(page, "editor")
    workbench.write(page, programs.accepted(programs.EXERCISE, "cpp"))
    workbench.run(page)
    workbench.choose_slide(page, "results")
    waiting.settle(page)
    heads = page.locator("summary.case-head")
    expect(heads.nth(5)).to_be_attached()
    heights: list[int] = heads.evaluate_all("heads => heads.map(head => head.clientHeight)")
    assert 0 < max(heights) < 1.5 * min(heights), heights


@pytest.mark.slow
def test_the_call_list_filters_opens_and_leads_to_the_line(wrong_result: Page) -> None:
    page = wrong_result
    workbench.see_calls(page, "")
    page.locator(".trace-bar input").fill("ConvolutionForward")
    row = page.locator(".call", has=page.get_by_text("cudnnConvolutionForward", exact=True)).first
    expect(page.locator(".call", has_text="cudnnCreateTensorDescriptor")).to_have_count(0)
    row.locator("summary").click()
    expect(row.locator(".values").first).to_contain_text("xDesc")
    expect(row.locator(".doc-box")).to_be_visible()
    row.locator(".call-line").click()
    expect(page.locator("[data-editor=cpp] .cm-activeLine")).to_contain_text("cudnnConvolutionForward")


@pytest.mark.slow
def test_a_misused_api_is_explained_and_its_call_marked(open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.EXERCISE}?language=cpp")
    workbench.write(page, programs.wrong(programs.EXERCISE, "cpp", "api_misuse"))
    workbench.run(page)
    finding = page.locator(".findings li").first
    expect(finding).to_be_visible()
    finding.get_by_role("button", name="번째 호출").click()
    expect(page.locator(".call.marked details[open]")).to_be_visible()


@pytest.mark.slow
def test_hostile_output_stays_text(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.EXERCISE}?language=python")
    title = page.title()
    workbench.write(page, HOSTILE.format(name="convolve"))
    workbench.run(page)
    page.locator("#tab-printed").click()
    printed = page.locator(".printed pre:visible, .traceback:visible").first
    expect(printed).to_contain_text("<script>")
    expect(printed).to_contain_text("‹U+202E›desrever‹U+202C›")
    expect(page.locator(".result-view img, .result-view script")).to_have_count(0)
    expect(page).to_have_title(title)


@pytest.mark.slow
def test_a_running_submission_is_followed_after_a_reload_and_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.LONG}?language=python")
    workbench.write(page, programs.sleeping())
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-cancel]")).to_be_visible()
    page.wait_for_url("**submission=*")
    page.reload()
    expect(page.locator("[data-cancel]")).to_be_visible()
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-cancel]")).to_be_hidden(timeout=20_000)


@pytest.mark.slow
def test_an_empty_program_is_refused_in_words(open_page: OpenPage, console: Console) -> None:
    console.forgive("422")
    page = open_page(f"/ko/exercises/{programs.EXERCISE}?language=cpp")
    workbench.write(page, "")
    page.locator("[data-submit]").click()
    expect(page.locator("[data-status][data-tone=bad]")).not_to_be_empty()
    expect(page.locator("[data-cancel]")).to_be_hidden()
