"""Answering quizzes of every kind, and that keys stay on the server until then."""

import asyncio
import re
from typing import Any

import pytest

from tests.web.conftest import Client

QUIZ = "/api/lessons/handles/quiz"

RIGHT: dict[str, Any] = {
    "one-handle": "a",
    "which": ["q", "p"],
    "how-many": "31,415.5",
    "lifetime": ["make", "use", "free"],
    "name": " cudnnSecretAnswer ",
    "what-status": "bad",
    "dims": [8, 64, 1127, 1128],
}
WRONG: dict[str, Any] = {
    "one-handle": "b",
    "which": ["p"],
    "how-many": 31415.0,
    "lifetime": ["use", "make", "free"],
    "name": "cudnnsecretanswer",
    "what-status": "ok",
    "dims": [8, 64, 1127],
}
MALFORMED: dict[str, Any] = {
    "one-handle": "z",
    "which": ["p", "p"],
    "how-many": "many",
    "lifetime": ["make"],
    "name": "",
    "what-status": ["bad"],
    "dims": "8x64",
}
SECRETS = ["SECRET", "비밀", "31415", "cudnnSecretAnswer", "cudnn Secret Answer", "1127"]


async def answer(client: Client, question: str, value: Any, lang: str = "en") -> dict[str, Any]:
    response = await client.post(f"{QUIZ}/{question}?lang={lang}", json={"answer": value})
    assert response.status_code == 200, response.text
    return dict(response.json())


@pytest.mark.parametrize("question", list(RIGHT))
async def test_each_kind_tells_right_from_wrong(client: Client, question: str) -> None:
    assert (await answer(client, question, WRONG[question]))["correct"] is False
    assert (await answer(client, question, RIGHT[question]))["correct"] is True


@pytest.mark.parametrize("question", list(MALFORMED))
async def test_malformed_answers_are_422_and_not_counted(client: Client, question: str) -> None:
    response = await client.post(f"{QUIZ}/{question}", json={"answer": MALFORMED[question]})
    assert (response.status_code, response.json()["field"]) == (422, "answer")
    assert (await answer(client, question, RIGHT[question]))["attempts"] == 1


async def test_feedback_is_for_what_was_chosen(client: Client) -> None:
    chosen = await answer(client, "one-handle", "b")
    assert chosen["choices"] == {"b": "SECRET-TWO"}
    assert "SECRET-ONE" not in str(chosen)
    several = await answer(client, "which", ["p", "r"])
    assert several["feedback"] == "SECRET-FIVE"
    assert several["choices"] == {"p": "SECRET-THREE"}


async def test_feedback_comes_in_the_language_asked_for(client: Client) -> None:
    assert (await answer(client, "one-handle", "b", "ko"))["choices"] == {"b": "비밀둘"}


async def test_right_answer_is_told_when_found_or_from_the_third_attempt(client: Client) -> None:
    for attempt in (1, 2):
        given = await answer(client, "dims", WRONG["dims"])
        assert given["attempts"] == attempt
        assert "correct_answer" not in given
    assert (await answer(client, "dims", WRONG["dims"]))["correct_answer"] == RIGHT["dims"]
    assert (await answer(client, "name", RIGHT["name"]))["correct_answer"] == "cudnnSecretAnswer"


async def test_answers_at_once_are_all_counted(client: Client) -> None:
    await client.post("/api/lessons/handles/read")
    answers = await asyncio.gather(*(answer(client, "dims", WRONG["dims"]) for _ in range(4)))
    assert sorted(given["attempts"] for given in answers) == [1, 2, 3, 4]


async def test_unknown_question_is_404(client: Client) -> None:
    assert (await client.post(f"{QUIZ}/nope", json={"answer": "a"})).status_code == 404


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_no_key_reaches_the_browser_before_an_answer(client: Client, lang: str) -> None:
    urls = [f"/{lang}/", f"/{lang}/lessons/handles", f"/{lang}/search?q=handle", f"/{lang}/glossary"]
    urls += [f"/api/completions/{lang}.json", f"/api/search?q=SECRET&lang={lang}", f"/api/search?q=비밀&lang={lang}"]
    for url in urls:
        text = re.sub(r'value="[^"]*"|"query": ?"[^"]*"', "", (await client.get(url)).text)
        for secret in SECRETS:
            assert secret not in text, f"{secret} in {url}"


async def test_answering_one_question_reveals_no_other(client: Client) -> None:
    await answer(client, "one-handle", "a")
    page = (await client.get("/en/lessons/handles")).text
    assert "SECRET-ONE" in page, "feedback for what was answered stays on the page"
    for secret in ("SECRET-TWO", "SECRET-THREE", "SECRET-FOUR", "SECRET-FIVE", "31415", "cudnnSecretAnswer", "1127"):
        assert secret not in page


async def test_order_is_never_shown_in_the_right_order(client: Client) -> None:
    for _ in range(10):
        client.cookies.clear()
        await client.post("/api/lessons/tensors/read")
        page = (await client.get("/en/lessons/handles")).text
        places = [page.index(word) for word in (">create<", ">use<", ">destroy<") if word in page]
        assert len(places) == 3
        assert places != sorted(places)


async def test_answers_are_kept_for_the_reader(client: Client) -> None:
    for question in RIGHT:
        await answer(client, question, RIGHT[question])
    page = (await client.get("/en/")).text
    assert re.search(r"7\D{0,10}7", page), "seven of seven answered"
