"""Requests that would overtake one another: changes go in turn, and an old verdict does not cover a newer run."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import programs, waiting, workbench
from tests.browser.conftest import OpenPage

PATH = f"/en/exercises/{programs.EXERCISE}?language=python"

HOLDS_THE_DRAFT = """
const real = window.fetch;
const log = (window.fetches = []);
let posted, saved;
const post = new Promise((done) => (posted = done));
const save = new Promise((done) => (saved = done));
window.fetch = async (url, init) => {
  const name = `${init?.method ?? "GET"} ${new URL(url).pathname.split("/").pop()}`;
  log.push(`${name} is sent`);
  if (name === "POST submissions") posted();
  if (name === "PUT draft") await Promise.race([post, new Promise((done) => setTimeout(done, 2000))]);
  const answer = await real(url, init);
  if (name === "PUT draft") saved();
  if (name === "POST submissions") await save;
  log.push(`${name} is answered`);
  return answer;
};
"""
"""Puts off the saving of a draft until the program is submitted, if that is not to wait for it: both then go together.

The answer to the draft, with the cookie of its guest, comes first to the page.
"""


@pytest.mark.slow
def test_a_program_is_submitted_by_the_guest_whose_draft_is_being_saved(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.add_init_script(HOLDS_THE_DRAFT)
    page.goto(PATH)
    workbench.write(page, programs.accepted(programs.EXERCISE, "python"))
    waiting.eventually(page, lambda: "PUT draft is sent" in page.evaluate("window.fetches"))
    workbench.run(page)
    expect(page.locator("#tab-calls")).to_be_visible()
    turns = [line for line in page.evaluate("window.fetches") if line.startswith(("PUT draft", "POST submissions"))]
    assert turns[:3] == ["PUT draft is sent", "PUT draft is answered", "POST submissions is sent"]


@pytest.mark.slow
def test_the_last_verdict_does_not_cover_a_run_that_was_begun_before_it_came(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.LONG}?language=python")
    workbench.write(page, "raise SystemExit\n")
    workbench.run(page)
    held = hold_the_verdict(page)
    page.reload()
    workbench.write(page, programs.sleeping())
    waiting.eventually(page, lambda: len(held) == 1)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-history] [data-row]")).to_have_count(1)
    with page.expect_response("**/api/submissions/*?*") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")  # by when the page has dealt with it
    assert page.locator(".results-pane").get_attribute("aria-busy") == "true"
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-cancel]")).to_be_hidden()


def hold_the_verdict(page: Page) -> list[Route]:
    """Requests for the submission that a page opens with, kept unanswered."""
    held: list[Route] = []
    page.route("**/api/submissions/*?*", lambda route: held.append(route))
    return held
