"""Nothing runs off the screen of a phone, and the panes slide, split and fold."""

import pytest
from playwright.sync_api import expect

from tests.browser import programs, waiting, words, workbench
from tests.browser.conftest import OpenPage
from tests.browser.test_every_page import overflow


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_no_exercise_scrolls_sideways_on_a_phone(lang: str, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/", width=390, height=844)
    too_wide = {}
    for slug in programs.exercise_slugs():
        page.goto(f"/{lang}/exercises/{slug}")
        if pixels := overflow(page):
            too_wide[slug] = pixels
    assert too_wide == {}


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_name_and_the_tools_share_one_line_on_a_phone(lang: str, width: int, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/", width=width, height=844)
    brand = waiting.box(page.locator(".site-header .brand"))
    for part in (".site-search", ".language", "[data-theme-menu]"):
        box = waiting.box(page.locator(f".site-header {part}"))
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


@pytest.mark.parametrize(("touch", "shown"), [(False, True), (True, False)])
def test_keys_are_named_below_the_editor_where_there_are_keys(touch: bool, shown: bool, open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.EXERCISE}#editor", width=390, has_touch=touch, is_mobile=touch)
    expect(page.locator("#editor .cm-content:visible, #editor textarea:visible").first).to_be_visible()
    expect(page.locator("#editor-help kbd")).to_be_visible(visible=shown)


def test_the_splitter_moves_by_keyboard_and_is_remembered(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.EXERCISE}")
    bar = page.locator("[data-split=prompt]")
    before = waiting.box(page.locator("#prompt"))["width"]
    bar.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(bar).to_have_attribute("aria-valuenow", "46")
    waiting.holds(page.locator("#prompt"), "(pane, before) => pane.clientWidth > before + 80", before)
    page.reload()
    expect(page.locator("[data-split=prompt]")).to_have_attribute("aria-valuenow", "46")


def test_a_pane_folds_to_a_labelled_strip(open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.EXERCISE}")
    page.locator("#prompt .collapse").click()
    expect(page.locator("#prompt-body")).to_be_hidden()
    expect(page.locator("#prompt h2")).to_be_visible()
    waiting.holds(page.locator("#prompt"), "pane => pane.getBoundingClientRect().width < 60")
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
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


COPIED = """name => {
  const code = [...document.querySelectorAll("main code, main h1")].find(code => code.textContent === name);
  getSelection().selectAllChildren(code);
  const copied = String(getSelection());
  getSelection().removeAllRanges();
  return [copied, window.find(name, true), String(getSelection())];
}"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/ko/lessons/workspaces", "cudnnGetConvolutionForwardWorkspaceSize"),
        ("/en/exercises/choose-algorithm-in-budget", "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM"),
        ("/en/reference/cudnnConvolutionFwdAlgo_t", "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM"),
        ("/ko/reference/cudnnGetConvolutionForwardWorkspaceSize", "cudnnGetConvolutionForwardWorkspaceSize"),
    ],
)
def test_long_names_break_between_their_words_and_are_copied_and_found_whole(
    path: str, name: str, open_page: OpenPage
) -> None:
    page = open_page(path, width=390)
    waiting.settle(page)
    assert words.broken(page, "main :not(pre) > code, main h1") == []
    assert page.evaluate(COPIED, name) == [name, True, name]
