"""What is painted anew must not take the keyboard's focus away: it would begin at the top of the page again."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import programs, quiz, waiting, workbench
from tests.browser.conftest import OpenPage
from tests.browser.visualisers import TAGS, lesson_with, visualiser

CONTROLS = "input, select, button, [tabindex='0']"
PATH = f"/en/exercises/{programs.EXERCISE}?language="


def resize(page: Page, element: Locator, width: int) -> None:
    """Gives the page another width, and waits until the element has followed."""
    before = waiting.box(element)["width"]
    page.set_viewport_size({"width": width, "height": 900})
    waiting.eventually(page, lambda: waiting.box(element)["width"], lambda width: abs(width - before) > 1)
    waiting.settle(page)


@pytest.mark.slow
def test_the_axis_of_calls_keeps_the_focus_and_its_call(open_page: OpenPage) -> None:
    page = open_page(f"{PATH}cpp")
    workbench.write(page, programs.accepted(programs.EXERCISE, "cpp"))
    workbench.see_calls(page, workbench.run(page))
    axis = page.locator(".timeline svg")
    page.locator(".trace-bar select").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at = axis.get_attribute("aria-valuetext") or "none"
    resize(page, axis, 1100)
    expect(axis).to_be_focused()
    expect(axis).to_have_attribute("aria-valuenow", "3")
    expect(page.locator(".timeline-now")).to_have_text(at)
    page.keyboard.press("Enter")
    expect(page.locator(".call details[open] summary")).to_be_focused()
    expect(axis).to_have_attribute("aria-valuetext", at)


@pytest.mark.slow
def test_more_calls_take_the_focus_of_the_button_that_asked_for_them(open_page: OpenPage) -> None:
    page = open_page(f"{PATH}python")
    workbench.write(page, programs.accepted(programs.EXERCISE, "python"))
    workbench.run(page)
    page.route("**/api/submissions/*", add_calls)
    page.reload()
    workbench.see_calls(page, "after the reload")
    page.locator(".trace > button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".trace > button")).to_be_hidden()
    expect(page.locator(".call[data-call='200'] summary")).to_be_focused()


def add_calls(route: Route) -> None:
    """As if the program had made its first call 250 times."""
    submission = route.fetch().json()
    verdict = submission["verdict"]
    verdict["calls"] = [{**verdict["calls"][0], "index": index} for index in range(250)]
    route.fulfill(json=submission)


@pytest.mark.parametrize("name", TAGS)
def test_controls_of_a_picture_keep_the_focus(name: str, open_page: OpenPage) -> None:
    page = open_page(f"/en/lessons/{lesson_with(name)}")
    picture = visualiser(page, name)
    count = picture.locator(CONTROLS).count()
    assert count > 1
    for number in range(count):
        control = picture.locator(CONTROLS).nth(number)
        control.focus()
        page.keyboard.press("ArrowRight")
        if control.evaluate("element => element.tagName") == "BUTTON":
            page.keyboard.press("Enter")
        waiting.settle(page)
        expect(picture.locator(CONTROLS).nth(number)).to_be_focused()
    resize(page, picture, 500)
    expect(picture.locator(CONTROLS).nth(count - 1)).to_be_focused()


@pytest.mark.slow
def test_a_case_that_is_read_stays_open_when_the_verdict_comes(open_page: OpenPage) -> None:
    page = open_page(f"{PATH}python")
    program = programs.wrong(programs.EXERCISE, "python", "wrong_answer")
    workbench.write(page, program)
    with page.expect_response("**/submissions?*") as started:
        workbench.run(page)
    events = page.request.get(started.value.json()["events"]).text()
    first, last = (events[: events.index("event: verdict")], events[events.index("event: verdict") :])
    held: list[Route] = []
    page.route("**/events?*", lambda route: hold(route, first, held))
    workbench.write(page, program + "\n")
    page.keyboard.press("Control+Enter")
    case = page.locator(".cases.streaming details").last
    case.locator("summary").focus()
    page.keyboard.press("Enter")
    name = page.locator(".cases.streaming > :has(details[open])").last.get_attribute("data-case")
    waiting.eventually(page, lambda: len(held) == 2)
    play(held[1], last)
    workbench.verdict(page)
    expect(page.locator(f"[data-case='{name}'] details[open] > summary")).to_be_focused()


def play(route: Route, events: str) -> None:
    route.fulfill(body=f"retry: 100\n\n{events}", content_type="text/event-stream")


def hold(route: Route, first: str, held: list[Route]) -> None:
    """Gives the page the first events, as if the connection broke after them, and keeps its second request."""
    held.append(route)
    if len(held) == 1:
        play(route, first)


def test_checking_an_answer_leaves_the_focus_on_its_button(open_page: OpenPage) -> None:
    page = open_page("/en/lessons/handles")
    question = programs.quiz_of("handles")[0]
    form = page.locator(f"#question-{question['id']}")
    quiz.fill(form, question, rightly=True)
    slowly(page, "**/quiz/*")
    form.locator("[type=submit]").focus()
    page.keyboard.press("Enter")
    expect(form.locator(".feedback")).not_to_be_empty()
    waiting.settle(page)
    expect(form.locator("[type=submit]")).to_be_focused()


@pytest.mark.slow
def test_a_program_of_a_lesson_runs_again_by_the_same_key(open_page: OpenPage) -> None:
    page = open_page("/en/lessons/handles")
    block = page.locator(".run-block[data-language=python]").first
    button = block.locator("[data-run]")
    slowly(page, "**/api/run*")
    button.focus()
    for _ in range(2):
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).not_to_have_attribute("aria-disabled", "true", timeout=workbench.VERDICT_MS)
        expect(button).to_be_focused()


def slowly(page: Page, pattern: str) -> None:
    """Answers after a few frames, in which a browser takes the focus from what is disabled."""

    def wait(route: Route) -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route(pattern, wait)


@pytest.mark.slow
def test_cancelling_leads_back_to_the_button_that_runs(open_page: OpenPage) -> None:
    page = open_page(f"/en/exercises/{programs.LONG}?language=python")
    workbench.write(page, programs.sleeping())
    page.keyboard.press("Control+Enter")
    page.locator("[data-cancel]").focus()
    expect(page.locator("[data-step=running][aria-current]")).to_be_visible(timeout=workbench.VERDICT_MS)
    page.keyboard.press("Enter")
    expect(page.locator("[data-submit]")).to_be_focused(timeout=workbench.VERDICT_MS)


def test_the_last_hint_takes_the_focus_of_the_button_that_asked_for_it(open_page: OpenPage) -> None:
    page = open_page(f"{PATH}python")
    total = int(page.locator("#hints").get_attribute("data-total") or "0")
    page.locator("[data-hint]").focus()
    for number in range(1, total + 1):
        page.keyboard.press("Enter")
        expect(page.locator(".hint-rung")).to_have_count(number)
    expect(page.locator(".hint-rung summary").last).to_be_focused()


def test_the_editor_takes_focus_and_place_from_the_text_field(open_page: OpenPage) -> None:
    page = open_page("/en/")
    held: list[Route] = []
    page.route("**/static/dist/python-*.js", lambda route: held.append(route))
    page.goto(f"{PATH}python")
    field = page.locator("[data-editor=python] textarea")
    waiting.eventually(page, lambda: len(held) == 1)
    field.focus()
    field.evaluate("field => field.setSelectionRange(field.value.indexOf('\\n') + 1, field.value.indexOf('\\n') + 1)")
    before = field.input_value()
    held[0].continue_()
    workbench.wait_for_editor(page)
    expect(page.locator("[data-editor=python] .cm-content")).to_be_focused()
    page.keyboard.type("# x")
    at = before.index("\n") + 1
    expect(field).to_have_value(f"{before[:at]}# x{before[at:]}")
