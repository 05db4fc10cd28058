"""Nothing runs off the screen of a phone, and the panes slide, split and fold."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import programs, visualisers, workbench
from tests.browser.conftest import OpenPage

PATHS = {
    "pages": [
        "/",
        "/clinic",
        "/challenges",
        "/reference/",
        "/reference/cudnnConvolutionForward",
        "/glossary",
        "/search?q=handle",
    ],
    "lessons": [f"/lessons/{slug}" for slug in programs.lesson_slugs()],
    "exercises": [f"/exercises/{slug}" for slug in programs.exercise_slugs()],
}


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than the screen."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("kind", PATHS)
def test_no_page_scrolls_sideways_on_a_phone(kind: str, lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/", width=390, height=844)
    too_wide = {}
    for path in PATHS[kind]:
        page.goto(f"/{lang}{path}")
        visualisers.bring_to_life(page)
        if pixels := overflow(page):
            too_wide[path] = pixels
    assert too_wide == {}


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_name_and_the_tools_share_one_line_on_a_phone(lang: str, width: int, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/", width=width, height=844)
    brand = page.locator(".site-header .brand").bounding_box()
    assert brand is not None
    for part in (".site-search", ".language", "[data-theme-menu]"):
        box = page.locator(f".site-header {part}").bounding_box()
        assert box is not None
        assert box["y"] < brand["y"] + brand["height"], part
        assert box["x"] + box["width"] <= width, part
    expect(page.locator(".language a:not([aria-current])")).to_be_visible()


def test_panes_slide_on_a_phone_and_the_address_tells_which(open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.EXERCISE}", width=390, height=844)
    workbench.choose_slide(page, "editor")
    page.wait_for_url("**#editor")
    expect(page.locator("#editor .cm-content:visible, #editor textarea:visible").first).to_be_in_viewport()
    page.reload()
    expect(page.locator("#editor")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".slides a[href='#editor']")).to_have_attribute("aria-current", "true")


def test_the_splitter_moves_by_keyboard_and_is_remembered(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.EXERCISE}")
    bar = page.locator("[data-split=prompt]")
    before = page.locator("#prompt").bounding_box()
    bar.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(bar).to_have_attribute("aria-valuenow", "46")
    after = page.locator("#prompt").bounding_box()
    assert before
    assert after
    assert after["width"] > before["width"] + 80
    page.reload()
    expect(page.locator("[data-split=prompt]")).to_have_attribute("aria-valuenow", "46")


def test_a_pane_folds_to_a_labelled_strip(open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.EXERCISE}")
    page.locator("#prompt .collapse").click()
    expect(page.locator("#prompt-body")).to_be_hidden()
    expect(page.locator("#prompt h2")).to_be_visible()
    box = page.locator("#prompt").bounding_box()
    assert box
    assert box["width"] < 60
    page.locator("#prompt .collapse").click()
    expect(page.locator("#prompt-body")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "other"), [("/ko/lessons/handles", "/en/lessons/handles"), ("/en/glossary", "/ko/glossary")]
)
def test_the_language_switch_keeps_the_page(path: str, other: str, open_page: OpenPage) -> None:
    page = open_page(path)
    page.locator(".language a:not([aria-current])").click()
    page.wait_for_url(f"**{other}")
    expect(page.locator("html")).to_have_attribute("lang", other[1:3])


def test_the_theme_is_kept_by_the_server(open_page: OpenPage) -> None:
    page = open_page("/ko/", theme="light")
    page.locator("[data-theme-menu] summary").click()
    with page.expect_response("**/api/preferences*"):
        page.locator("[data-set-theme=dark]").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
