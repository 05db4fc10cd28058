"""Driving the exercise page as a person does: typing, choosing a language, running, reading the verdict."""

from playwright.sync_api import Page, expect

VERDICT_MS = 180_000
"""A draft of the same program that is being compiled, the compiler and the cases each have half a minute."""
SUBMIT = "[data-submit]"


def wait_for_editor(page: Page) -> None:
    expect(page.locator("[data-editor]:not([hidden])[data-ready=true] .cm-content")).to_be_visible()


def choose(page: Page, language: str) -> None:
    wait_for_editor(page)  # from then on the tabs are listened to
    page.locator(f"[data-tab={language}]").click()
    expect(page.locator(f"[data-editor={language}][data-ready=true] .cm-content")).to_be_visible()


def write(page: Page, source: str) -> None:
    """Replaces the program as a paste does: through the editor's own input, with no auto-indent in between."""
    wait_for_editor(page)
    page.locator("[data-editor]:not([hidden]) .cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
          document.activeElement.dispatchEvent(paste);
        }""",
        source,
    )


def run(page: Page) -> str:
    """Runs the program by its keyboard shortcut and gives back the verdict's sentence."""
    page.locator("[data-editor]:not([hidden]) .cm-content").click()
    page.keyboard.press("Control+Enter")
    return verdict(page)


def verdict(page: Page) -> str:
    """The sentence of a run that was begun: the page says so at once, before anything is sent."""
    expect(page.locator(".results-pane")).to_have_attribute("aria-busy", "false", timeout=VERDICT_MS)
    expect(page.locator("[data-status][data-tone=good], [data-status][data-tone=bad]")).to_be_visible()
    return page.locator("[data-status]").inner_text()


def is_accepted(page: Page) -> bool:
    return page.locator("[data-status]").get_attribute("data-tone") == "good"


def see_calls(page: Page, verdict: str) -> None:
    """Goes to the list of calls, whose axis is painted as soon as it has a width. verdict: said where there is none."""
    expect(page.locator("#tab-calls"), verdict).to_be_visible()
    page.locator("#tab-calls").click()
    expect(page.locator(".timeline .bar").first).to_be_attached()


def choose_slide(page: Page, pane: str) -> None:
    """On a phone: the pane of that id."""
    page.locator(f".slides a[href='#{pane}']").click()
    expect(page.locator(f"#{pane}")).to_be_in_viewport(ratio=0.9)
