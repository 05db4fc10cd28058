"""The pictures of pooling, softmax, blending, rounding, sums and algorithms show what cuDNN computes."""

import math
from functools import partial

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.browser import waiting
from tests.browser.conftest import OpenPage
from tests.browser.visualisers import lesson_with, visualiser


def open_visualiser(name: str, open_page: OpenPage, lang: str = "en") -> Locator:
    return visualiser(open_page(f"/{lang}/lessons/{lesson_with(name)}"), name)


def numbers(element: Locator) -> list[float]:
    return [float(text.replace("−", "-")) for text in element.all_text_contents()]


@pytest.mark.parametrize(("mode", "expected"), [("max", 9.0), ("include", 17 / 9), ("exclude", 17 / 4)])
def test_pooling_counts_the_padding_only_where_asked(mode: str, expected: float, open_page: OpenPage) -> None:
    element = open_visualiser("pooling", open_page)
    for label, value in {"Input size": 6, "Window": 3, "Padding": 1, "Stride": 2}.items():
        element.get_by_role("spinbutton", name=label, exact=True).fill(str(value))
    label = {"max": "max", "include": "avg incl. padding", "exclude": "avg excl. padding"}[mode]
    element.get_by_role("button", name=label, exact=True).click()
    expect(element.locator(".visual-said")).to_contain_text(f"y[0, 0] = {float(f'{expected:.4g}'):g}")
    expect(element.locator(".cell-unused")).to_have_count(8 * 8 - 7 * 7)


def test_pooling_never_offers_a_window_of_padding_alone(open_page: OpenPage) -> None:
    element = open_visualiser("pooling", open_page)
    element.get_by_role("spinbutton", name="Window", exact=True).fill("2")
    element.get_by_role("spinbutton", name="Padding", exact=True).fill("3")
    expect(element.get_by_role("slider", name="Padding")).to_have_value("1")


def test_blending_reads_y_only_where_beta_is_not_zero(open_page: OpenPage) -> None:
    element = open_visualiser("blending", open_page, "ko")
    element.get_by_role("button", name="쓴 적 없는 값").click()
    expect(element.locator(".visual-said[data-tone=bad]")).to_contain_text("NaN")
    element.get_by_role("spinbutton", name="beta").fill("0")
    expect(element.locator(".conv-side").last).not_to_contain_text("NaN")
    element.get_by_role("spinbutton", name="alpha").fill("0.5")
    expect(element.locator(".visual-formula")).to_have_text("0.5 · 4 = 2")


@pytest.mark.parametrize("mode", ["MODE_INSTANCE", "MODE_CHANNEL"])
def test_softmax_divides_by_the_sum_of_its_group(mode: str, open_page: OpenPage) -> None:
    element = open_visualiser("softmax", open_page)
    element.get_by_role("button", name=mode).click()
    planes = element.locator(".conv-side")
    x = np.array(numbers(planes.nth(0).locator(".cell-text"))).reshape(3, 4)
    y = np.array(numbers(planes.nth(1).locator(".cell-text"))).reshape(3, 4)
    powers = np.exp(x)
    expected = powers / (powers.sum() if mode == "MODE_INSTANCE" else powers.sum(axis=0))
    np.testing.assert_allclose(y, expected, atol=6e-4)


def test_softmax_fast_overflows_where_accurate_does_not(open_page: OpenPage) -> None:
    element = open_visualiser("softmax", open_page)
    element.get_by_role("spinbutton", name="Add to x").fill("100")
    expect(element.locator(".conv-side").last).not_to_contain_text("NaN")
    element.get_by_role("button", name="FAST").click()
    expect(element.locator(".visual-said[data-tone=bad]")).to_contain_text("NaN")


@pytest.mark.parametrize("value", [0.1, 1 / 3, 2049, 65504, 65520, 1.0009765625, 6e-8, -3.14159, 1e-40])
def test_rounding_keeps_what_the_types_keep(value: float, open_page: OpenPage) -> None:
    element = open_visualiser("rounding", open_page)
    element.get_by_role("textbox", name="Number").fill(repr(value))
    rows = element.locator("tbody tr")
    kept = {
        rows.nth(i).locator("th").inner_text(): rows.nth(i).locator("td.mono").first.inner_text()
        for i in range(rows.count())
    }
    with np.errstate(over="ignore"):
        half = float(np.float16(value))
    assert float(kept["FP32"]) == pytest.approx(float(np.float32(value)), rel=1e-8)
    assert (math.inf if kept["FP16"] == "+∞" else float(kept["FP16"])) == pytest.approx(half, rel=1e-8)
    assert float(kept["BF16"]) == pytest.approx(bfloat16(value), rel=1e-8)
    bits = np.float16(half).view(np.uint16)
    shown = rows.nth(2).locator(".bits").inner_text().replace("\n", "").replace(" ", "")
    assert shown == f"{int(bits):016b}"


def bfloat16(value: float) -> float:
    bits = int(np.float32(value).view(np.uint32))
    nearest = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return float(np.uint32(nearest).view(np.float32))


def test_rounding_says_that_a_text_is_no_number(open_page: OpenPage) -> None:
    element = open_visualiser("rounding", open_page, "ko")
    element.get_by_role("textbox").fill("이십")
    expect(element.locator(".visual-said[data-tone=bad]")).to_contain_text("숫자가 아닙니다")


def test_sums_in_fp32_depend_on_the_order(open_page: OpenPage) -> None:
    element = open_visualiser("order", open_page)
    leaves = numbers(element.locator(".sum-text"))
    expect(element.locator(".sum-node.leaf")).to_have_count(8)
    assert len(leaves) == 15
    start = np.array([16777216, 1, -0.5, 3, -16777216, 0.25, 1.5, -2], dtype=np.float32)
    running = np.float32(0)
    for number in start:
        running = np.float32(running + number)
    expect(element.locator(".visual-said")).to_contain_text(
        f"This order gives {float(running):g}; the exact sum is 3.25"
    )
    element.get_by_role("button", name="in pairs").click()
    pairs = start
    while len(pairs) > 1:
        pairs = pairs[0::2] + pairs[1::2]
    assert float(pairs[0]) != float(running)
    expect(element.locator(".visual-said")).to_contain_text(f"This order gives {float(pairs[0]):g};")


def test_the_fastest_algorithm_depends_on_the_budget(open_page: OpenPage) -> None:
    element = open_visualiser("algorithms", open_page)
    slider = element.get_by_role("slider")
    slider.press("Home")
    expect(element.locator("tr.chosen th")).to_have_text("IMPLICIT_GEMM")
    slider.press("End")
    expect(element.locator("tr.chosen th")).to_have_text("IMPLICIT_PRECOMP_GEMM")
    expect(element.locator(".visual-said")).to_contain_text("No larger workspace would be faster.")
    refused = element.locator("tbody tr", has_text="not supported")
    expect(refused).to_have_count(2)


@pytest.mark.parametrize(("c", "k", "g"), [(4, 4, 1), (4, 4, 2), (8, 6, 2), (6, 6, 6), (6, 3, 3)])
def test_a_filter_reads_the_channels_of_its_group_alone(c: int, k: int, g: int, open_page: OpenPage) -> None:
    element = open_visualiser("groups", open_page)
    for label, value in {"Channels C": c, "Filters K": k, "Groups G": g}.items():
        element.get_by_role("spinbutton", name=label, exact=True).fill(str(value))
    expect(element.locator(".visual-formula")).to_have_text(f"w: [{k}, {c} / {g} = {c // g}, R, S]")
    expect(element.locator(".sum-line")).to_have_count(k * c // g)


@pytest.mark.parametrize(
    ("c", "k", "told"), [(5, 4, "CUDNN_STATUS_BAD_PARAM"), (4, 7, "though the output query passes it")]
)
def test_channels_or_filters_that_cannot_be_shared_out_are_said_so(
    c: int, k: int, told: str, open_page: OpenPage
) -> None:
    element = open_visualiser("groups", open_page)
    element.get_by_role("spinbutton", name="Channels C", exact=True).fill(str(c))
    element.get_by_role("spinbutton", name="Filters K", exact=True).fill(str(k))
    expect(element.locator(".visual-said[data-tone=bad]")).to_contain_text(told)
    expect(element.locator(".sum-line")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_name_of_an_algorithm_covers_another_or_leaves_the_picture(width: int, open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{lesson_with('algorithms')}", width=width)
    element = visualiser(page, "algorithms")
    layers = element.get_by_role("combobox")
    crowded = {}
    for number, name in enumerate(layers.locator("option").all_text_contents()):
        layers.select_option(str(number))
        waiting.settle(page)
        if pairs := waiting.last(
            page, partial(element.locator(".algo-stage").evaluate, OVERLAPS), lambda found: not found
        ):
            crowded[name] = pairs
    assert crowded == {}


OVERLAPS = """stage => {
  const picture = stage.querySelector("svg").getBoundingClientRect();
  const names = [...stage.querySelectorAll(".algo-name")].map(name => [name.textContent, name.getBoundingClientRect()]);
  const marks = [...stage.querySelectorAll(".algo-dot")].map(mark => ["a mark", mark.getBoundingClientRect()]);
  const wrong = [];
  names.forEach(([name, a], i) => {
    if (a.left < picture.left || a.right > picture.right || a.top < picture.top || a.bottom > picture.bottom)
      wrong.push(name);
    for (const [other, b] of [...names.slice(i + 1), ...marks])
      if (a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
        wrong.push(`${name}, ${other}`);
  });
  return wrong;
}"""
"""Pairs of names, or names and marks, that cover one another (line boxes are 2 px higher than their letters)."""
