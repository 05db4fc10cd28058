"""Finding the visualisers of the lessons, which come to life when they are near the screen."""

from playwright.sync_api import Locator, Page, expect

from tests.browser import programs

TAGS = {
    "convolution": "fp-convolution",
    "layout": "fp-layout",
    "life": "fp-descriptor-life",
    "algorithms": "fp-algorithms",
    "blending": "fp-blending",
    "pooling": "fp-pooling",
    "softmax": "fp-softmax",
    "rounding": "fp-rounding",
    "order": "fp-sum-order",
    "groups": "fp-groups",
}


def visualiser(page: Page, name: str) -> Locator:
    page.locator(f"fp-visualiser[name={name}]").first.scroll_into_view_if_needed()
    element = page.locator(TAGS[name]).first
    expect(element).to_be_visible()
    return element


def lesson_with(name: str) -> str:
    for slug in programs.lesson_slugs():
        folder = next(programs.LESSONS.glob(f"*-{slug}"))
        if f"{{visualiser}} {name}" in (folder / "ko.md").read_text(encoding="utf-8"):
            return slug
    raise LookupError(f"no lesson shows the visualiser {name}")


def bring_to_life(page: Page) -> None:
    """Scrolls to every visualiser of the page and waits for its picture."""
    for holder in page.locator("fp-visualiser").all():
        holder.scroll_into_view_if_needed()
        expect(holder.locator("svg, table").first).to_be_visible()
