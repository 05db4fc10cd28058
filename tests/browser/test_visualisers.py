"""The visualisers compute what cuDNN computes, answer to keys and sliders, and speak the page's language."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

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
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_every_visualiser(theme: str, lang: str, open_page: OpenPage, screenshots: Path) -> None:
    page = open_page(f"/{lang}/", theme=theme)
    for name in TAGS:
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"/{lang}/lessons/{lesson_with(name)}")
            element = visualiser(page, name)
            expect(element.locator("svg, table").first).to_be_visible()
            assert not re.search(
                r"\[[a-z]+_\w+\]", element.text_content() or ""
            )  # a missing sentence shows as [its key]
            element.screenshot(path=screenshots / f"visualiser-{name}-{lang}-{theme}-{width}.png")
