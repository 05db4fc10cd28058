"""axe-core finds nothing on any kind of page, in light and dark, wide and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe, programs, quiz, workbench
from tests.browser.conftest import OpenPage

THEMES = ["light", "dark"]
PAGES = [
    "/ko/",
    "/en/",
    "/ko/reference/",
    "/en/reference/cudnnConvolutionForward",
    "/ko/reference/cudnnStatus_t",
    "/ko/reference/CUDNN_STATUS_BAD_PARAM",
    "/en/glossary",
    "/ko/search?q=cudnnCreate",
    "/en/search?q=zzzzzz",
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", PAGES)
def test_pages(path: str, theme: str, open_page: OpenPage) -> None:
    assert axe.violations(open_page(path, theme=theme)) == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("slug", programs.lesson_slugs())
def test_lessons_with_their_visualisers(slug: str, theme: str, open_page: OpenPage) -> None:
    page = open_page(f"/ko/lessons/{slug}", theme=theme)
    _bring_visualisers_to_life(page)
    assert axe.violations(page) == []


def _bring_visualisers_to_life(page: Page) -> None:
    for holder in page.locator("fp-visualiser").all():
        holder.scroll_into_view_if_needed()
        expect(holder.locator("svg").first).to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_quiz_with_right_and_wrong_answers(theme: str, open_page: OpenPage) -> None:
    page = open_page("/en/lessons/handles", theme=theme)
    for number, question in enumerate(programs.quiz_of("handles")):
        quiz.answer(page, question, rightly=number % 2 == 0)
    assert axe.violations(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", THEMES)
def test_exercise_with_a_full_result(theme: str, width: int, open_page: OpenPage) -> None:
    page = open_page(f"/ko/exercises/{programs.EXERCISE}#editor", theme=theme, width=width)
    workbench.choose(page, "cpp")
    workbench.write(page, programs.wrong(programs.EXERCISE, "cpp", "wrong_answer"))
    workbench.run(page)
    assert axe.violations(page) == []
    page.locator("#tab-calls").click()
    page.locator(".call summary").first.click()
    assert axe.violations(page) == []


def test_error_page(open_page: OpenPage, console) -> None:  # type: ignore[no-untyped-def]
    console.forgive("404")
    assert axe.violations(open_page("/ko/lessons/no-such-lesson")) == []
