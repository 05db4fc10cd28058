"""Answering without JavaScript: forms are posted as a browser posts them, and the page shows the feedback."""

import re
from typing import Any

import pytest

from tests.web.conftest import Client
from tests.web.test_quiz_variants import DRAWINGS, PAGE, shown

HANDLES = "/en/lessons/handles"
RIGHT: dict[str, dict[str, Any]] = {
    "one-handle": {"one-handle": "a"},
    "which": {"which": ["p", "q"]},
    "how-many": {"how-many": " 31415.5 "},
    "lifetime": {"lifetime.make": "1", "lifetime.use": "2", "lifetime.free": "3"},
    "name": {"name": "cudnnSecretAnswer"},
    "what-status": {"what-status": "bad"},
    "dims": {"dims": ["8", "64", "1127", "1128"]},
}
WRONG: dict[str, dict[str, Any]] = {
    "one-handle": {"one-handle": "b"},
    "which": {"which": ["p"]},
    "how-many": {"how-many": "7"},
    "lifetime": {"lifetime.make": "3", "lifetime.use": "2", "lifetime.free": "1"},
    "name": {"name": "cudnn"},
    "what-status": {"what-status": "ok"},
    "dims": {"dims": ["8", "64", "1", "1"]},
}
MALFORMED: dict[str, dict[str, Any]] = {
    "one-handle": {},
    "which": {"which": ["p", "p"]},
    "how-many": {"how-many": "many"},
    "lifetime": {"lifetime.make": "1", "lifetime.use": "1", "lifetime.free": "3"},
    "name": {"name": " "},
    "dims": {"dims": ["8", "64", "x", "\u00b2"]},
}


async def answered(client: Client, question: str, fields: dict[str, Any], lesson: str = HANDLES) -> str:
    """The form as it stands in the page that the browser is led to."""
    action = (await shown(client, question, lesson)).action
    response = await client.post(action, data=fields)
    assert response.status_code == 303, response.text
    address = response.headers["location"]
    assert address.endswith(f"#question-{question}")
    return (await shown(client, question, address)).form


@pytest.mark.parametrize("question", list(RIGHT))
async def test_each_kind_can_be_answered(client: Client, question: str) -> None:
    assert 'data-answered="wrong"' in await answered(client, question, WRONG[question])
    assert 'data-answered="right"' in await answered(client, question, RIGHT[question])


@pytest.mark.parametrize("question", list(MALFORMED))
async def test_malformed_answers_get_a_page_that_says_so(client: Client, question: str) -> None:
    response = await client.post(f"{HANDLES}/quiz/{question}", data=MALFORMED[question])
    assert response.status_code == 422
    assert response.headers["content-type"].startswith("text/html")
    assert 'data-answered=""' in (await shown(client, question, HANDLES)).form


async def test_the_answer_is_told_from_the_third_attempt(client: Client) -> None:
    for _ in range(2):
        assert "The answer:" not in await answered(client, "dims", WRONG["dims"])
    assert "The answer: (8, 64, 1127, 1128)" in await answered(client, "dims", WRONG["dims"])


async def test_a_drawing_is_answered_and_stays(client: Client) -> None:
    other = await shown(client, address=(await shown(client)).another)
    fields = {"row": str(other.row()), "variant": other.variant}
    response = await client.post(other.action, data=fields)
    after = await shown(client, address=response.headers["location"])
    assert after.variant == other.variant
    assert f"SECRET-ROW {other.row()}" in after.form


async def test_a_guest_who_answers_sees_the_same_numbers_in_the_other_questions(client: Client) -> None:
    for _ in range(4):
        client.cookies.clear()
        row, size = await shown(client), await shown(client, "size")
        response = await client.post((await shown(client, "plain")).action, data={"plain": "a"})
        address = response.headers["location"]
        assert (await shown(client, "row", address)).variant == row.variant
        assert (await shown(client, "size", address)).variant == size.variant


async def test_a_drawing_that_does_not_exist_is_refused(client: Client) -> None:
    assert "3_12" not in DRAWINGS
    response = await client.post(f"{PAGE}/quiz/row", data={"row": "36", "variant": "3_12"})
    assert response.status_code == 422


async def test_another_site_cannot_post_an_answer(client: Client) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    response = await client.post(f"{HANDLES}/quiz/name", data=RIGHT["name"], headers=headers)
    assert response.status_code == 403


async def test_nothing_says_that_answering_needs_javascript(client: Client) -> None:
    page = (await client.get(HANDLES)).text
    assert not re.search(r"<noscript><p", page)
    assert page.count("<noscript><input") == 3, "a place for each item to be put in order"


async def test_places_that_were_given_stand_in_the_form_again(client: Client) -> None:
    form = await answered(client, "lifetime", WRONG["lifetime"])
    for item, place in (("make", 3), ("use", 2), ("free", 1)):
        assert re.search(rf'name="lifetime.{item}" aria-label="Place" value="{place}"', form)
