"""Waiting for what a page becomes: nothing of a page may be read once, right after something that changes it.

Playwright's `expect` waits by itself; these are for what it cannot say: measures of boxes, values that are compared
with other values, and pictures that follow the size of the screen.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import Locator, Page, expect

T = TypeVar("T")
PATIENCE_S = 20.0
STEP_MS = 50


def last(page: Page, read: Callable[[], T], wanted: Callable[[T], bool], patience_s: float = PATIENCE_S) -> T:
    """What `read` gives once it is `wanted`, or after `patience_s` what it gives then."""
    deadline = time.monotonic() + patience_s
    while not wanted(value := read()) and time.monotonic() < deadline:
        page.wait_for_timeout(STEP_MS)
    return value


def eventually(page: Page, read: Callable[[], T], wanted: Callable[[T], bool] = bool) -> T:
    """What `read` gives once it is `wanted`; fails with what it gave last."""
    value = last(page, read, wanted)
    assert wanted(value), f"after {PATIENCE_S:.0f} s it is still {value!r}"
    return value


def holds(locator: Locator, condition: str, argument: Any = None) -> None:
    """Waits until the JavaScript function `condition(element, argument)` is true of an element that is in the page."""
    expect(locator).to_be_attached()
    script = f"(element, argument) => element.isConnected && Boolean(({condition})(element, argument))"
    assert last(locator.page, lambda: locator.evaluate(script, argument), bool), f"{locator}: never {condition}"


def settle(page: Page) -> None:
    """Waits for fonts and for two frames: what follows the size of an element or of the screen has then followed."""
    page.evaluate(
        """async () => {
          await document.fonts.ready;
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        }"""
    )


def box(locator: Locator) -> dict[str, float]:
    """Where an element lies once its page has settled: x, y, width, height in CSS pixels."""
    settle(locator.page)
    found: dict[str, float] = locator.evaluate("element => element.getBoundingClientRect().toJSON()")
    return found
