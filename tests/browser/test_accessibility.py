"""axe-core finds nothing in what appears while one works: answered quizzes, results, errors."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe, programs, quiz, workbench
from tests.browser.conftest import Console, OpenPage

THEMES = ["light", "dark"]


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
    verdict = workbench.run(page)
    assert axe.violations(page) == []
    workbench.see_calls(page, verdict)
    page.locator(".call summary").first.click()
    expect(page.locator("details[open] .doc-box").first).to_be_visible()
    assert axe.violations(page) == []


def test_error_page(open_page: OpenPage, console: Console) -> None:
    console.forgive("404")
    assert axe.violations(open_page("/ko/lessons/no-such-lesson")) == []


@pytest.mark.parametrize("theme", THEMES)
def test_the_ring_of_the_keyboards_focus_stands_out(theme: str, open_page: OpenPage) -> None:
    page = open_page("/en/", theme=theme)
    page.keyboard.press("Tab")
    expect(page.locator(":focus-visible")).to_have_count(1)  # comes a moment after the page is in front
    ring, paper = page.evaluate(
        "() => [document.activeElement, document.documentElement].map((element, i) =>"
        " getComputedStyle(element)[i ? 'backgroundColor' : 'outlineColor'].match(/[0-9]+/g).map(Number))"
    )
    light, dark = sorted((luminance(ring), luminance(paper)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def luminance(colour: list[int]) -> float:
    """Relative luminance of an sRGB colour, as WCAG defines it."""
    red, green, blue = ((c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
