"""axe-core finds nothing on any kind of page, in light and dark, wide and on a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser import axe, programs, quiz, visualisers, workbench
from tests.browser.conftest import Console, OpenPage

THEMES = ["light", "dark"]
PAGES = [
    "/ko/",
    "/en/",
    "/ko/clinic",
    "/en/clinic",
    "/ko/challenges",
    "/en/challenges",
    "/ko/reference/",
    "/en/reference/cudnnConvolutionForward",
    "/ko/reference/cudnnStatus_t",
    "/ko/reference/CUDNN_STATUS_BAD_PARAM",
    "/en/glossary",
    "/ko/search?q=cudnnCreate",
    "/en/search?q=zzzzzz",
]


def complaints(page: Page, paths: list[str]) -> dict[str, list[str]]:
    found = {}
    for path in paths:
        page.goto(path)
        visualisers.bring_to_life(page)
        if lines := axe.violations(page):
            found[path] = lines
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_pages(theme: str, open_page: OpenPage) -> None:
    assert complaints(open_page("/ko/", theme=theme), PAGES) == {}


@pytest.mark.parametrize(("lang", "theme", "width"), [("ko", "light", 1280), ("en", "dark", 390)])
def test_lessons_with_their_visualisers(lang: str, theme: str, width: int, open_page: OpenPage) -> None:
    page = open_page(f"/{lang}/", theme=theme, width=width)
    assert complaints(page, [f"/{lang}/lessons/{slug}" for slug in programs.lesson_slugs()]) == {}


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


def test_error_page(open_page: OpenPage, console: Console) -> None:
    console.forgive("404")
    assert axe.violations(open_page("/ko/lessons/no-such-lesson")) == []
