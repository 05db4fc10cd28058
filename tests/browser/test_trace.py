"""The calls in the page: axis of time, marked call, documentation for pointer and keyboard, times of the GPU."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import axe, programs, waiting, words, workbench
from tests.browser.conftest import OpenPage

GOOD = "CUDNN_DATA_FLOAT, N, C, H, W"
CREATED = "cudnnCreateTensorDescriptor"
REFUSED = "cudnnSetTensor4dDescriptor"
CONVOLUTION = "cudnnConvolutionForward"


def open_calls(open_page: OpenPage, lang: str, source: str, **options: Any) -> Page:
    """The list of calls of a program that was just graded."""
    page = open_page(f"/{lang}/exercises/{programs.EXERCISE}?language=cpp", **options)
    phone = options.get("width", 1280) < 400
    if phone:
        workbench.choose_slide(page, "editor")
    workbench.write(page, source)
    verdict = workbench.run(page)
    if phone:
        workbench.choose_slide(page, "results")
    workbench.see_calls(page, verdict)
    return page


def refused_program() -> str:
    """Its first cudnnSetTensor4dDescriptor gets a batch of 0, which the function refuses."""
    source = programs.accepted(programs.EXERCISE, "cpp")
    assert GOOD in source
    return source.replace(GOOD, GOOD.replace(" N,", " 0,"), 1)


def row_of(page: Page, name: str) -> Locator:
    return page.locator(".call", has=page.get_by_text(name, exact=True)).first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "reason", "began"),
    [("ko", "크기는 모두 1 이상이어야 하는데", "시작:"), ("en", "Every size must be at least 1", "Began after")],
)
def test_a_refused_call_is_marked_on_the_axis_says_why_and_leads_to_its_line(
    lang: str, reason: str, began: str, open_page: OpenPage
) -> None:
    page = open_calls(open_page, lang, refused_program())
    row = row_of(page, REFUSED)
    expect(row.locator(".call-reason")).to_contain_text(reason)
    bad = page.locator(".timeline .bar.bad").first
    expect(bad.locator("title")).to_contain_text(REFUSED)
    expect(bad.locator("title")).to_contain_text("CUDNN_STATUS_BAD_PARAM")
    expect(bad.locator(".bar-flag")).to_have_count(1)
    bad.locator("rect").click()
    expect(row.locator("details[open] .call-body")).to_contain_text(began)
    row.locator(".call-line").click()
    expect(page.locator("[data-editor=cpp] .cm-activeLine")).to_contain_text(REFUSED)


@pytest.mark.slow
def test_the_axis_shows_what_the_filter_leaves_and_lights_the_call_pointed_at(open_page: OpenPage) -> None:
    page = open_calls(open_page, "en", programs.wrong(programs.EXERCISE, "cpp", "api_misuse"))
    bars = page.locator(".timeline .bar")
    expect(page.locator(".timeline .bar.remark")).to_have_count(1)
    before = bars.count()
    page.locator(".trace-bar select").select_option("!marked")
    expect(bars).to_have_count(1)
    assert before > 1
    page.locator(".trace-bar select").select_option("")
    expect(bars).to_have_count(before)
    marked = page.locator(".call.marked").first
    marked.hover()
    index = marked.get_attribute("data-call")
    expect(page.locator(f".timeline .bar.lit[data-bar='{index}']")).to_have_count(1)
    page.locator(".trace-bar input").fill("CUDNN_CROSS_CORRELATION")
    expect(page.locator(".call-name").first).to_have_text("cudnnSetConvolution2dDescriptor")
    names = page.locator(".call-name")
    waiting.eventually(page, lambda: set(names.all_inner_texts()) == {"cudnnSetConvolution2dDescriptor"})
    page.locator(".trace-bar input").fill("no such call")
    expect(page.locator(".timeline")).to_be_hidden()


@pytest.mark.slow
def test_the_keyboard_goes_along_the_axis_and_opens_a_call(open_page: OpenPage) -> None:
    page = open_calls(open_page, "en", refused_program())
    axis = page.locator(".timeline svg")
    page.locator(".trace-bar select").focus()
    page.keyboard.press("Tab")
    expect(axis).to_be_focused()
    expect(page.locator(".timeline-now")).to_contain_text(f"{REFUSED}: ")  # it begins where something went wrong
    expect(axis).to_have_attribute("aria-valuetext", page.locator(".timeline-now").inner_text())
    page.keyboard.press("Home")
    first = page.locator(".call-name").first.inner_text()
    expect(axis).to_have_attribute("aria-valuenow", "1")
    expect(page.locator(".timeline-now")).to_contain_text(first)
    page.keyboard.press("ArrowRight")
    expect(axis).to_have_attribute("aria-valuenow", "2")
    expect(page.locator(".timeline .bar.lit")).to_have_count(1)
    second = page.locator(".timeline .bar.lit").get_attribute("data-bar")
    assert axe.violations(page) == []
    page.keyboard.press("Enter")
    expect(page.locator(f".call[data-call='{second}'] details[open] summary")).to_be_focused()
    expect(page.locator(".timeline-now")).to_be_hidden()


@pytest.mark.slow
def test_documentation_appears_for_pointer_and_keyboard_and_goes_with_escape(open_page: OpenPage) -> None:
    page = open_calls(open_page, "en", programs.accepted(programs.EXERCISE, "cpp"))
    tip = page.locator(".call-hover")
    summary = row_of(page, CREATED).locator("summary")
    summary.locator(".call-name").hover()
    expect(tip).to_contain_text("cudnnTensorDescriptor_t")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.locator(".timeline svg").focus()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_js_property("tagName", "SUMMARY")
    expect(tip).to_be_visible()
    expect(page.locator("summary[aria-describedby=call-hover]")).to_be_focused()
    assert axe.violations(page) == []
    page.keyboard.press("Enter")
    expect(tip).to_be_hidden()
    expect(page.locator("details[open] .call-docs .doc-box").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "width"), [("ko", 1280), ("en", 390)])
def test_the_time_of_a_call_on_the_gpu_has_a_lane_and_a_sentence(lang: str, width: int, open_page: OpenPage) -> None:
    page = open_calls(open_page, lang, programs.accepted(programs.EXERCISE, "cpp"), width=width)
    expect(page.locator(".call-gpu")).to_have_count(0)
    page.route("**/api/submissions/*", add_gpu_time)
    page.reload()
    if width < 400:
        workbench.choose_slide(page, "results")
    workbench.see_calls(page, "after the reload")
    row = row_of(page, CONVOLUTION)
    expect(row.locator(".call-gpu")).to_have_text("GPU 413 µs")
    expect(page.locator(".timeline .lane")).to_contain_text(["1", "GPU"])
    expect(page.locator(".timeline .bar title", has_text=f"{CONVOLUTION}: 413 µs")).to_have_count(1)
    row.locator("summary").click()
    expect(row.locator(".call-body")).to_contain_text("GPU에서: 413 µs." if lang == "ko" else "On the GPU 413 µs.")
    expect(row.locator(".doc-box")).to_be_visible()
    waiting.holds(row, "row => row.scrollWidth === row.clientWidth")


@pytest.mark.slow
def test_long_names_of_calls_break_between_their_words_on_a_phone(open_page: OpenPage) -> None:
    page = open_calls(open_page, "en", programs.accepted(programs.EXERCISE, "cpp"), width=390)
    names = page.locator(".call-name")
    long, short = (
        names.filter(has_text=text).first for text in ("cudnnGetConvolutionForwardWorkspaceSize", "cudaFree")
    )
    assert waiting.box(long)["height"] > 1.5 * waiting.box(short)["height"]
    expect(long).to_have_text("cudnnGetConvolutionForwardWorkspaceSize")
    assert words.broken(page, ".call-name") == []


def add_gpu_time(route: Route) -> None:
    """What a grader with a GPU adds to the verdict."""
    response = route.fetch()
    data = response.json()
    for call in data["verdict"]["calls"]:
        if call["name"] == CONVOLUTION:
            call["gpu_us"] = 412.6
    route.fulfill(response=response, json=data)
