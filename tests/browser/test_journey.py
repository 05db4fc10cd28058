"""The main journey, in Korean and again in English: course, lesson, exercise, quiz, and the progress that stays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import programs, quiz, workbench
from tests.browser.conftest import OpenPage

START = {"ko": "첫 수업 시작하기", "en": "Start the first lesson"}
DIFFERENCE = {"ko": "최대 차이", "en": "Largest difference"}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_learner_solves_forward_convolution(lang: str, open_page: OpenPage, screenshots: Path) -> None:
    page = open_page(f"/{lang}/")
    shot = _camera(page, screenshots, f"journey-{lang}")

    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.get_by_role("link", name=START[lang])).to_be_visible()
    shot("1-course")
    page.locator(f"a[href='/{lang}/lessons/{programs.LESSON}']").first.click()
    expect(page.locator(".lesson h1")).to_be_visible()
    shot("2-lesson")
    page.locator(f"a[href='/{lang}/exercises/{programs.EXERCISE}']").first.click()

    _submit_the_starter(page)
    shot("3-starter")
    _submit_a_wrong_program(page, lang)
    shot("4-wrong")
    _submit_solutions(page)
    shot("5-accepted")

    page.goto(f"/{lang}/lessons/{programs.LESSON}")
    for question in programs.quiz_of(programs.LESSON):
        quiz.answer(page, question)
    shot("6-quiz")
    _progress_is_there(page, lang)
    shot("7-progress")


def _camera(page: Page, folder: Path, prefix: str) -> Callable[[str], bytes]:
    return lambda name: page.screenshot(path=folder / f"{prefix}-{name}.png")


def _submit_the_starter(page: Page) -> None:
    workbench.wait_for_editor(page)
    sentence = workbench.run(page)
    assert not workbench.is_accepted(page)
    assert len(sentence) > 10


def _submit_a_wrong_program(page: Page, lang: str) -> None:
    workbench.choose(page, "cpp")
    workbench.write(page, programs.wrong(programs.EXERCISE, "cpp", "wrong_answer"))
    workbench.run(page)
    assert not workbench.is_accepted(page)
    wrong = page.locator(".comparison.bad").first
    expect(wrong.get_by_text(DIFFERENCE[lang])).to_be_visible()
    expect(wrong.locator(".elements tbody tr").first).to_be_visible()
    expect(wrong.locator(".heat-frame")).to_be_visible()


def _submit_solutions(page: Page) -> None:
    for language in ("cpp", "python"):
        workbench.choose(page, language)
        workbench.write(page, programs.accepted(programs.EXERCISE, language))
        sentence = workbench.run(page)
        assert workbench.is_accepted(page), sentence
        workbench.see_calls(page, sentence)
        expect(page.locator(".call-name", has_text="cudnnConvolutionForward").first).to_be_visible()
    expect(page.locator(".bench-head .state.done")).to_be_visible()


def _progress_is_there(page: Page, lang: str) -> None:
    page.reload()
    right = page.locator("form.question[data-answered=right]")
    expect(right).to_have_count(len(programs.quiz_of(programs.LESSON)))
    page.goto(f"/{lang}/exercises/{programs.EXERCISE}")
    expect(page.locator("[data-status][data-tone=good]")).to_be_visible()
    workbench.wait_for_editor(page)
    page.goto(f"/{lang}/")
    row = page.locator(".lesson-row", has=page.locator(f"a[href='/{lang}/lessons/{programs.LESSON}']"))
    solved = row.locator("li", has=page.locator(f"a[href='/{lang}/exercises/{programs.EXERCISE}']"))
    expect(solved.locator(".state.done")).to_be_visible()
