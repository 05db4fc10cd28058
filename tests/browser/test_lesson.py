"""The lesson page: a wrong answer is explained and tried again, programs run, search answers while one types."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from app.content.markdown.maths import to_mathml
from tests.browser import programs, quiz, visualisers, waiting, workbench
from tests.browser.conftest import OpenPage


def test_a_wrong_answer_is_explained_and_tried_again(open_page: OpenPage) -> None:
    page = open_page("/ko/lessons/handles")
    question = programs.quiz_of("handles")[0]
    form = page.locator(f"#question-{question['id']}")
    quiz.answer(page, question, rightly=False)
    expect(form.locator(".feedback")).not_to_be_empty()
    quiz.retry(form)
    expect(form.locator("input:checked")).to_have_count(0)
    quiz.answer(page, question, rightly=True)
    expect(form.locator("[data-retry]")).to_be_hidden()
    for _ in range(2):  # as the script shows it, and as the server does
        expect(form.locator(".feedback")).to_have_text(re.compile(r"^\s*맞습니다\."))
        expect(form.locator(".feedback")).not_to_contain_text("맞았습니다")
        page.reload()


def test_what_is_said_to_a_right_answer_says_that_it_is_right() -> None:
    """It is shown without a heading."""
    questions = [question for slug in programs.lesson_slugs() for question in programs.quiz_of(slug)]
    said = [question["feedback"]["right"] for question in questions if "right" in question.get("feedback", {})]
    assert len(said) > 50
    assert [one for one in said if not (one["ko"].startswith("맞습니다") and one["en"].startswith("Right"))] == []


def test_explanations_are_not_in_the_page_before_an_answer(open_page: OpenPage) -> None:
    source = open_page("/en/lessons/handles").content()
    told = [text for question in programs.quiz_of("handles") for text in _explanations(question)]
    assert len(told) > 5
    assert [text for text in told if text in source] == []


def _explanations(question: dict[str, Any]) -> list[str]:
    """English feedback of a question, as far as it is plain text, which Markdown leaves as it is."""
    pairs = [choice.get("feedback") for choice in question.get("choices", [])]
    pairs += list(question.get("feedback", {}).values())
    return [pair["en"] for pair in pairs if pair and not set(pair["en"]) & set("`*_$'\"&<>")]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["cpp", "python"])
def test_a_program_in_a_lesson_really_runs(language: str, open_page: OpenPage) -> None:
    page = open_page("/ko/lessons/handles")
    block = page.locator(f".run-block[data-language={language}]").first
    block.locator("[data-run]").click()
    expect(block.locator(".run-output pre")).to_contain_text("cudnn", ignore_case=True, timeout=workbench.VERDICT_MS)


def test_a_lesson_read_to_its_end_is_marked(open_page: OpenPage) -> None:
    page = open_page("/en/lessons/handles")
    visualisers.bring_to_life(page)  # drawn above the end while one rests there, they would push it off the screen
    with page.expect_response("**/api/lessons/handles/read*"):
        page.locator(".pager").scroll_into_view_if_needed()
    page.goto("/en/")
    row = page.locator(".lesson-row", has=page.locator("a[href='/en/lessons/handles']"))
    expect(row.locator("> .state.half, > .state.done")).to_be_visible()


def test_search_answers_while_one_types(open_page: OpenPage) -> None:
    page = open_page("/ko/search")
    page.locator(".search-form input").press_sequentially("cudnnCreate")
    expect(page.locator("#found a", has_text="cudnnCreate").first).to_be_visible()
    expect(page.locator(".search-form input")).to_be_focused()


def test_slash_leads_to_the_search(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.keyboard.press("/")
    page.keyboard.type("workspace")
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/search?q=workspace")
    expect(page.locator("#found a").first).to_be_visible()


@pytest.mark.parametrize(
    ("latex", "sides"),
    [
        (r"\begin{cases} 1 & x > 0 \\ -100 & x = 0 \end{cases}", ["left", "left"]),
        (r"\begin{align*} a &= b + c \\ d + e + f &= g \end{align*}", ["right", "left"]),
        (r"\begin{array}{rl} 1 & 2 \\ 300 & 400 \end{array}", ["right", "left"]),
    ],
)
def test_columns_of_a_formula_are_aligned(latex: str, sides: list[str], open_page: OpenPage) -> None:
    page = open_page("/en/glossary")
    page.locator("main").evaluate("(main, html) => main.insertAdjacentHTML('beforeend', html)", to_mathml(latex, True))
    waiting.settle(page)
    edges: list[list[float]] = page.locator("math mtr").evaluate_all(
        """(rows, sides) => rows.map(row => [...row.children].map((cell, column) => {
            const boxes = [...cell.children].map(part => part.getBoundingClientRect()).filter(box => box.width);
            if (sides[column] === "left") return Math.min(...boxes.map(box => box.left));
            return Math.max(...boxes.map(box => box.right));
        }))""",
        sides,
    )
    assert len(edges) == 2
    for one, other in zip(*edges, strict=True):
        assert one == pytest.approx(other, abs=1.5)
