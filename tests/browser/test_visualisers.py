"""The visualisers compute what cuDNN computes, answer to keys and sliders, and speak the page's language."""

import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import waiting
from tests.browser.conftest import OpenPage
from tests.browser.visualisers import TAGS, lesson_with, visualiser


def set_parameter(element: Locator, label: str, value: int) -> None:
    element.get_by_role("spinbutton", name=label, exact=True).fill(str(value))


@pytest.mark.parametrize(
    ("size", "kernel", "pad", "stride", "dilation", "output"),
    [(5, 3, 1, 2, 1, 3), (8, 3, 0, 2, 1, 3), (9, 3, 2, 1, 3, 7), (7, 1, 0, 4, 1, 2)],
)
def test_convolution_gives_the_output_size(
    size: int, kernel: int, pad: int, stride: int, dilation: int, output: int, open_page: OpenPage
) -> None:
    element = visualiser(open_page(f"/en/lessons/{lesson_with('convolution')}"), "convolution")
    values = {"Input size": size, "Kernel size": kernel, "Padding": pad, "Stride": stride, "Dilation": dilation}
    for label, value in values.items():
        set_parameter(element, label, value)
    expect(element.locator(".cell-output")).to_have_count(output * output)
    unused = size + 2 * pad - ((output - 1) * stride + 1 + (kernel - 1) * dilation)
    side = size + 2 * pad
    expect(element.locator(".cell-unused")).to_have_count(side * side - (side - unused) ** 2)


def test_a_kernel_that_does_not_fit_is_said_so(open_page: OpenPage) -> None:
    element = visualiser(open_page(f"/ko/lessons/{lesson_with('convolution')}"), "convolution")
    set_parameter(element, "입력 크기", 1)
    set_parameter(element, "채움", 0)
    expect(element.locator(".visual-said")).to_contain_text("BAD_PARAM")


def test_arrow_keys_move_the_kernel(open_page: OpenPage) -> None:
    element = visualiser(open_page(f"/en/lessons/{lesson_with('convolution')}"), "convolution")
    frame = element.locator(".conv-output")
    frame.focus()
    frame.press("ArrowRight")
    expect(element.locator(".visual-said")).to_contain_text("y[0, 1]")
    element.locator(".conv-output").press("ArrowDown")
    expect(element.locator(".visual-said")).to_contain_text("y[1, 1]")


def test_layout_shows_offset_and_strides(open_page: OpenPage) -> None:
    element = visualiser(open_page(f"/en/lessons/{lesson_with('layout')}"), "layout")
    for label, value in {"N": 2, "C": 3, "H": 2, "W": 4}.items():
        set_parameter(element, label, value)
    stage = element.locator(".layout-stage")
    stage.focus()
    for key in ("End", "PageDown", "ArrowDown", "ArrowRight"):
        stage.press(key)
    expect(element.locator(".visual-said")).to_contain_text(
        "(1, 1, 1, 1) lies at offset 37; the strides are (24, 8, 4, 1)"
    )
    element.get_by_role("button", name="NHWC").click()
    expect(element.locator(".visual-said")).to_contain_text(
        "(1, 1, 1, 1) lies at offset 40; the strides are (24, 1, 12, 3)"
    )


def test_life_tells_of_a_leak(open_page: OpenPage) -> None:
    element = visualiser(open_page(f"/ko/lessons/{lesson_with('life')}"), "life")
    element.get_by_role("combobox").select_option("leak")
    element.locator("input[type=range]").press("End")
    expect(element.locator(".visual-said[data-tone=bad]")).to_contain_text("누수")


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_phone_shows_every_column_and_readable_numbers(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/lessons/{lesson_with('rounding')}", width=390)
    for name, stage, text in (
        ("rounding", ".rounding-stage", ".bits"),
        ("algorithms", ".algo-table", ".algo-name"),
        ("layout", ".layout-memory", ".memory-offset"),
        ("order", ".sum-stage", ".sum-text"),
    ):
        page.goto(f"/{lang}/lessons/{lesson_with(name)}")
        element = visualiser(page, name)
        waiting.holds(element.locator(stage), "box => box.scrollWidth <= box.clientWidth")
        waiting.holds(element.locator(text).first, "text => text.getBoundingClientRect().height >= 9")


def test_a_tap_chooses_an_output_and_nothing_moves_for_who_wants_no_motion(open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{lesson_with('convolution')}", width=390, has_touch=True)
    element = visualiser(page, "convolution")
    element.locator(".cell-output").nth(4).tap()
    expect(element.locator(".visual-said")).to_contain_text("y[1, 1]")
    waiting.holds(
        element.locator(".kernel-frame"),
        "frame => getComputedStyle(frame).transitionDuration.split(',').every(part => Number.parseFloat(part) < 0.001)",
    )


def test_a_finger_finds_every_control(open_page: OpenPage) -> None:
    page = open_page("/en/", width=390, has_touch=True, is_mobile=True)
    small = {}
    for name in TAGS:
        page.goto(f"/en/lessons/{lesson_with(name)}")
        element = visualiser(page, name)
        waiting.settle(page)
        if found := waiting.last(page, partial(element.evaluate, LOW_CONTROLS), lambda low: not low):
            small[name] = found
    assert small == {}


LOW_CONTROLS = """element => [...element.querySelectorAll("button, select, input:not([type=range])")]
  .filter(control => control.getBoundingClientRect().height < 44)
  .map(control => control.textContent || control.ariaLabel || control.tagName)"""


def test_pictures_follow_a_phone_that_is_turned(open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{lesson_with('layout')}", width=844)
    memory = visualiser(page, "layout").locator(".layout-memory svg")
    waiting.holds(memory, "picture => picture.getBoundingClientRect().width > 390")
    page.set_viewport_size({"width": 390, "height": 844})
    waiting.holds(memory, IS_DRAWN_FOR_THE_SCREEN)


IS_DRAWN_FOR_THE_SCREEN = """picture => {
  const box = picture.getBoundingClientRect();
  return Math.round(box.width) === Number(picture.getAttribute("width")) && box.right <= 390;
}"""
"""At its own scale, not shrunk, and nothing of it off a screen of 390 px."""


def test_a_picture_that_has_become_higher_is_not_drawn_a_second_time(open_page: OpenPage) -> None:
    """What one points at would be another element by the time of the click."""
    element = visualiser(open_page(f"/en/lessons/{lesson_with('layout')}"), "layout")
    waiting.holds(element, "element => element.querySelector('.layout-memory svg')")
    heights = element.evaluate(
        """async element => {
          const before = element.clientHeight;
          const box = element.querySelector("input[type=number][aria-label=H]");
          box.value = String(Number(box.value) + 1);
          box.dispatchEvent(new Event("input"));
          const drawn = element.querySelector(".layout-memory svg");
          for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
          return drawn.isConnected ? [before, element.clientHeight] : [];
        }"""
    )
    assert len(heights) == 2, "it was drawn again"
    assert heights[0] < heights[1]


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_every_visualiser(theme: str, lang: str, open_page: OpenPage, screenshots: Path) -> None:
    page = open_page(f"/{lang}/", theme=theme)
    for name in TAGS:
        page.goto(f"/{lang}/lessons/{lesson_with(name)}")
        element = visualiser(page, name)
        expect(element.locator("svg, table").first).to_be_visible()
        expect(element).not_to_contain_text(re.compile(r"\[[a-z]+_\w+\]"))  # a missing sentence shows as [its key]
        figure = page.locator("figure.visualiser", has=element).first
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            waiting.settle(page)
            figure.screenshot(path=screenshots / f"visualiser-{name}-{lang}-{theme}-{width}.png")
