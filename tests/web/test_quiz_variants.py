"""Questions with parameters: what is drawn stays, another one is fresh, and grading takes the one shown."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.content.library import Library
from app.quizzes.models import QuizAnswer
from tests.web.conftest import Client, MakeApp, client_of

PAGE = "/en/lessons/tensors"
QUIZ = "/api/lessons/tensors/quiz"
DRAWINGS = {f"{c}_{w}" for c in (3, 5) for w in (10, 12, 14, 16)} - {"3_12"}


class Shown:
    """A question as it stands in a page."""

    def __init__(self, page: str, question: str) -> None:
        self.form = page.split(f'id="question-{question}"')[1].split("</form>")[0]
        found = re.search(r'name="variant" value="([^"]*)"', self.form)
        self.variant = found[1] if found else ""
        self.action = html.unescape(re.search(r'action="([^"]*)"', self.form)[1])  # type: ignore[index]
        link = re.search(r'data-another rel="nofollow" href="([^"]*)"', self.form)
        self.another = html.unescape(link[1]) if link else ""

    def row(self) -> int:
        """The right answer of the question `row`, from the numbers that the prompt shows."""
        channels, width = re.search(r"(\d+) channels, width (\d+)", self.form).groups()  # type: ignore[union-attr]
        assert f"{channels}_{width}" == self.variant
        return int(channels) * int(width)


async def shown(client: Client, question: str = "row", address: str = PAGE) -> Shown:
    response = await client.get(address)
    assert response.status_code == 200, response.text
    return Shown(response.text, question)


async def answer(client: Client, value: Any, variant: str, question: str = "row") -> dict[str, Any]:
    response = await client.post(f"{QUIZ}/{question}?lang=en", json={"answer": value, "variant": variant})
    assert response.status_code == 200, response.text
    return dict(response.json())


async def test_the_prompt_has_the_numbers_of_one_drawing_and_a_reload_the_same(client: Client) -> None:
    first = await shown(client)
    assert first.variant in DRAWINGS
    assert first.row() > 0
    assert (await shown(client)).variant == first.variant
    await client.post("/api/lessons/handles/read")
    assert (await shown(client)).variant == (await shown(client)).variant


async def test_readers_get_different_drawings(client: Client) -> None:
    drawn = set()
    for _ in range(12):
        client.cookies.clear()
        await client.post("/api/lessons/handles/read")
        drawn.add((await shown(client)).variant)
    assert len(drawn) > 1
    assert drawn <= DRAWINGS


async def test_another_one_is_fresh_and_its_address_keeps_it(client: Client) -> None:
    first = await shown(client)
    seen = set()
    for _ in range(30):
        other = await shown(client, address=(await shown(client)).another)
        seen.add(other.variant)
    assert seen <= DRAWINGS - {first.variant}
    assert len(seen) > 2
    address = (await shown(client)).another
    assert (await shown(client, address=address)).variant == (await shown(client, address=address)).variant


async def test_another_one_leaves_the_other_questions_as_they_are(client: Client) -> None:
    size = (await shown(client, "size")).another
    row = await shown(client, "row", size)
    both = (await shown(client, "row", size)).another
    assert (await shown(client, "size", both)).variant == (await shown(client, "size", size)).variant
    assert (await shown(client, "row", both)).variant != row.variant


@pytest.mark.parametrize("ask", ["row~9_9", "row~3_12", "nope~1", "row", "plain~1", "~", "row~<script>"])
async def test_an_address_with_a_drawing_that_does_not_exist_shows_the_usual_one(client: Client, ask: str) -> None:
    usual = (await shown(client)).variant
    response = await client.get(PAGE, params={"ask": ask})
    assert Shown(response.text, "row").variant == usual
    assert "<script>" not in Shown(response.text, "row").form


async def test_every_drawing_is_graded_by_its_own_numbers(client: Client) -> None:
    for variant in sorted(DRAWINGS):
        question = await shown(client, address=f"{PAGE}?ask=row~{variant}")
        assert question.variant == variant
        wrong = await answer(client, question.row() + 1, variant)
        assert (wrong["correct"], wrong["feedback"]) == (False, f"not {sum(map(int, variant.split('_')))}")
        assert (await answer(client, question.row(), variant))["feedback"] == f"SECRET-ROW {question.row()}"


@pytest.mark.parametrize("variant", ["", "9_9", "3_12", "3_12 ", "__class__"])
async def test_an_answer_to_no_drawing_of_the_question_is_422_and_not_kept(client: Client, variant: str) -> None:
    response = await client.post(f"{QUIZ}/row", json={"answer": 30, "variant": variant})
    assert (response.status_code, response.json()["field"]) == (422, "variant")
    plain = await client.post(f"{QUIZ}/plain", json={"answer": "a", "variant": "3_10"})
    assert (plain.status_code, plain.json()["field"]) == (422, "variant")
    assert (await answer(client, 30, "3_10"))["attempts"] == 1


async def test_attempts_and_the_right_answer_are_counted_for_each_drawing(client: Client) -> None:
    for _ in range(2):
        assert "correct_answer" not in await answer(client, 1, "3_10")
    assert (await answer(client, 1, "3_10"))["correct_answer"] == 30
    other = await answer(client, 1, "5_16")
    assert other["attempts"] == 1
    assert "correct_answer" not in other


async def test_what_was_answered_stays_on_the_page_with_its_numbers(client: Client) -> None:
    first = await shown(client)
    variant = next(iter(sorted(DRAWINGS - {first.variant})))
    await answer(client, 30, variant)
    after = await shown(client)
    assert after.variant == variant
    assert 'value="30"' in after.form
    fresh = await shown(client, address=after.another)
    assert 'data-answered=""' in fresh.form
    assert 'value="30"' not in fresh.form


async def test_the_row_keeps_answer_and_values(app: Any, client: Client) -> None:
    await answer(client, "80", "5_16")
    await answer(client, [1, 4], "8", "size")
    async with app.state.services.database.transaction(write=False) as session:
        rows = (await session.scalars(select(QuizAnswer).order_by(QuizAnswer.id))).all()
    assert [row.answer for row in rows] == [
        {"given": 80, "values": {"C": 5, "W": 16}},
        {"given": [1, 4], "values": {"H": 8}},
    ]
    assert [row.correct for row in rows] == [True, True]


async def test_a_right_answer_counts_whatever_is_drawn_next(client: Client) -> None:
    await answer(client, 30, "3_10")
    await answer(client, 1, "5_16")
    card = re.search(r"1\D{0,10}3", (await client.get("/en/")).text)
    assert card, "one of three questions answered"


async def test_a_change_of_the_parameters_asks_afresh(
    make_app: MakeApp, content_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.content.library.LOOK_EVERY_S", 0.0)
    async with client_of(await make_app(authoring=True)) as client:
        await answer(client, 30, "3_10")
        assert (await shown(client)).variant == "3_10"
        file = content_dir / "lessons/020-tensors/quiz.yaml"
        file.write_text(file.read_text(encoding="utf-8").replace("C: [3, 5]", "C: [4, 5]"), encoding="utf-8")
        after = await shown(client)
        assert after.variant.split("_")[0] in ("4", "5")
        assert 'data-answered=""' in after.form


async def test_no_drawing_of_the_key_is_in_the_page(client: Client) -> None:
    page = (await client.get(PAGE)).text
    assert "SECRET-ROW" not in page
    assert "918273645" not in page
    question = Shown(page, "row")
    assert not re.search(rf"\b{question.row()}\b", question.form)


async def test_formulas_in_feedback_are_filled_in_too(client: Client) -> None:
    response = await client.post(f"{QUIZ}/row?lang=ko", json={"answer": 60, "variant": "5_12"})
    feedback = response.json()["feedback"]
    assert "<mn>5</mn>" in feedback
    assert "<mn>12</mn>" in feedback
    assert feedback.endswith("= 60")


async def test_the_loaded_course_holds_every_drawing(app: Any) -> None:
    library: Library = app.state.services.library
    lesson: Any = library.current().lessons["tensors"]
    assert set(lesson.questions["row"].variants) == DRAWINGS
    assert {key: v.answer for key, v in lesson.questions["size"].variants.items()} == {
        "8": [1, 4],
        "9": [1, 4],
        "10": [1, 5],
    }
