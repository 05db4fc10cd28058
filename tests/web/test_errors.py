"""Addresses that lead nowhere, and content that is broken: a clear error, and the rest works."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.content.library import LOOK_EVERY_S
from tests.web.conftest import Client, client_of

MakeApp = Callable[..., Awaitable[FastAPI]]


async def test_unknown_language_is_named(client: Client) -> None:
    answer = await client.get("/fr/lessons/handles", headers={"Accept-Language": "en"})
    assert answer.status_code == 404
    assert "There are no pages in the language “fr”" in answer.text


async def test_unknown_lesson_suggests_the_similar_one(client: Client) -> None:
    answer = await client.get("/ko/lessons/handels")
    assert answer.status_code == 404
    assert '<html lang="ko"' in answer.text
    assert "수업은 없습니다: handels" in answer.text
    assert 'href="/ko/lessons/handles"' in answer.text


@pytest.mark.parametrize(
    ("path", "suggested"),
    [("/en/nothing", []), ("/en/lessons/handel", ["/en/glossary#handle", "/en/lessons/handles"]), ("/en/x/y", [])],
)
async def test_only_what_may_have_been_meant_is_suggested(client: Client, path: str, suggested: list[str]) -> None:
    """Common letters alone made `nothing` look like a lesson of another name."""
    answer = await client.get(path)
    found = re.findall(r'<li><a href="([^"]+)"', answer.text.split("Perhaps you meant:")[-1].split("</ul>")[0])
    assert found == (suggested or ["/en/"])


@pytest.mark.parametrize("path", ["/en/exercises/nope", "/en/reference/cudnnCreat", "/en/nope", "/nope"])
async def test_unknown_page_is_404_in_html(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_unknown_api_is_404_in_json_in_the_readers_language(client: Client, lang: str) -> None:
    answer = await client.get(f"/api/exercises/nope/submissions?lang={lang}")
    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"
    message = answer.json()["message"]
    assert "nope" in message
    assert ("연습 문제" in message) == (lang == "ko")


async def test_wrong_method_is_405_with_allow(client: Client) -> None:
    answer = await client.put("/api/run", json={})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "path",
    ["/", "/ko/", "/en/lessons/handles", "/ko/exercises/copy", "/en/reference/", "/ko/search?q=handle", "/healthz"],
)
async def test_head_answers_as_get_does(client: Client, path: str) -> None:
    get, head = await client.get(path), await client.head(path)
    assert head.status_code == get.status_code
    for name in ("content-type", "content-language", "location"):
        assert head.headers.get(name) == get.headers.get(name)


async def test_head_of_what_is_missing_and_of_what_only_takes_post(client: Client) -> None:
    assert (await client.head("/ko/lessons/nope")).status_code == 404
    assert (await client.head("/ko/glossary/")).headers["location"] == "/ko/glossary"
    assert (await client.head("/api/run")).status_code == 405
    assert (await client.head("/api/submissions/x/events")).status_code == 405


async def test_only_authors_are_told_that_content_changed(make_app: MakeApp, content_dir: Path) -> None:
    async with client_of(await make_app()) as client:
        assert (await client.get("/api/preview")).status_code == 404
        assert "preview" not in (await client.get("/ko/lessons/handles")).text
    async with client_of(await make_app(authoring=True)) as client:
        before = (await client.get("/api/preview")).json()["version"]
        assert "preview" in (await client.get("/ko/lessons/handles")).text
        break_lesson(content_dir)
        await asyncio.sleep(LOOK_EVERY_S + 0.1)
        assert (await client.get("/api/preview")).json()["version"] != before


def break_lesson(content_dir: Path) -> None:
    with (content_dir / "lessons" / "020-tensors" / "ko.md").open("a", encoding="utf-8") as file:
        file.write("\n:::{nonsense} x\n:::\n")


async def test_broken_directive_breaks_only_its_lesson(make_app: MakeApp, content_dir: Path) -> None:
    break_lesson(content_dir)
    async with client_of(await make_app()) as client:
        broken = await client.get("/en/lessons/tensors")
        assert broken.status_code == 500
        assert "nonsense" not in broken.text, "details are for authors only"
        for path in ("/en/", "/en/lessons/handles", "/en/exercises/copy", "/en/search?q=tensor"):
            assert (await client.get(path)).status_code == 200
        answer = await client.post("/api/lessons/tensors/read")
        assert (answer.status_code, answer.json()["error"]) == (500, "broken_content")


async def test_authors_see_file_line_and_mend(make_app: MakeApp, content_dir: Path) -> None:
    break_lesson(content_dir)
    async with client_of(await make_app(authoring=True)) as client:
        page = (await client.get("/ko/lessons/tensors")).text
        assert "020-tensors/ko.md" in page
        assert "nonsense" in page
        assert "note, warning, hint" in page
        assert "nonsense" in (await client.get("/ko/")).text


async def test_exercise_with_a_missing_file_breaks_only_itself(make_app: MakeApp, content_dir: Path) -> None:
    (content_dir / "exercises" / "copy" / "starter.cpp").unlink()
    async with client_of(await make_app(authoring=True)) as client:
        page = await client.get("/en/exercises/copy")
        assert page.status_code == 500
        assert "starter.cpp" in page.text
        answer = await client.post("/api/exercises/copy/submissions", json={"language": "cpp", "source": "x"})
        assert (answer.status_code, answer.json()["error"]) == (500, "broken_content")
        assert (await client.get("/en/lessons/handles")).status_code == 200


async def test_authoring_reloads_a_mended_lesson(
    make_app: MakeApp, content_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.content.library.LOOK_EVERY_S", 0.0)
    break_lesson(content_dir)
    async with client_of(await make_app(authoring=True)) as client:
        assert (await client.get("/ko/lessons/tensors")).status_code == 500
        file = content_dir / "lessons" / "020-tensors" / "ko.md"
        file.write_text("## 고친 수업\n\n이제 됩니다.\n", encoding="utf-8")
        os.utime(file, (1, 1))
        mended = await client.get("/ko/lessons/tensors")
        assert mended.status_code == 200
        assert "고친 수업" in mended.text
        assert "고친 수업" in (await client.get("/ko/search?q=고친")).text


async def test_unforeseen_failure_gives_a_number_and_no_details(
    app: FastAPI, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(app.state.services.search, "search", fail)
    answer = await client.get("/api/search?q=x&lang=en")
    assert answer.status_code == 500
    assert answer.json()["error"] == "server_error"
    assert answer.json()["incident"] in answer.json()["message"] + answer.json()["mend"]
    assert "secret detail" not in answer.text
