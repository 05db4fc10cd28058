"""Every lesson and every kind of page: axe-core finds nothing, light or dark, and nothing runs off a phone's screen.

One visit a page and language. The two visits share out the themes and the sizes: a page that axe-core sees in the light
on a desk in one language, it sees in the dark on a phone in the other. It works on one page while the other one loads.
"""

from playwright.sync_api import Page

from tests.browser import axe, programs, visualisers, waiting
from tests.browser.conftest import OpenPage

PHONE, DESK = 390, 1280
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
PATHS = [
    "/",
    *(f"/lessons/{slug}" for slug in programs.lesson_slugs()),
    "/clinic",
    "/challenges",
    "/glossary",
    "/search?q=cudnnCreate",
    "/search?q=zzzzzz",
    "/reference/",
    "/reference/cudnnConvolutionForward",
    "/reference/cudnnStatus_t",
    "/reference/CUDNN_STATUS_BAD_PARAM",
    "/reference/cudnnConvolutionFwdAlgoPerf_t",
    "/reference/cudnnHandle_t",
    "/reference/CUDNN_STATUS_CATEGORY",
]


def overflow(page: Page) -> int:
    """Pixels by which the page stays wider than the screen, once what follows its size has followed."""
    waiting.settle(page)
    return waiting.last(page, lambda: int(page.evaluate(OVERFLOW)), lambda pixels: pixels <= 0, patience_s=5)


def visit(page: Page, path: str) -> None:
    page.goto(path)
    visualisers.bring_to_life(page)
    axe.start(page)


def look(page: Page) -> list[str]:
    """What is wrong with the page at the size that it has, and what is too wide at the other size, which it keeps."""
    found = axe.finish(page)
    size = page.viewport_size
    assert size is not None
    for width in (size["width"], PHONE if size["width"] == DESK else DESK):
        page.set_viewport_size(size | {"width": width})
        if pixels := overflow(page):
            found.append(f"{pixels} px wider than {width} px")
    return found


def test_every_page_is_accessible_and_fits_a_phone(open_page: OpenPage) -> None:
    korean = [open_page("/ko/", theme=theme, width=DESK) for theme in ("light", "dark")]
    english = [open_page("/en/", theme=theme, width=PHONE) for theme in ("dark", "light")]
    wrong = {}
    for number, path in enumerate(PATHS):
        pages = {"ko": korean[number % 2], "en": english[number % 2]}
        for lang, page in pages.items():
            visit(page, f"/{lang}{path}")
        for lang, page in pages.items():
            if found := look(page):
                wrong[f"/{lang}{path}"] = found
    assert wrong == {}
