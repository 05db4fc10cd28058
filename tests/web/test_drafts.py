"""Drafts, hints, giving up, the solution."""

import asyncio

import pytest

from tests.web.conftest import Client

DRAFT = "/api/exercises/copy/draft"
MIB = 1024 * 1024


async def put(client: Client, source: str, language: str = "cpp") -> int:
    return (await client.put(DRAFT, json={"language": language, "source": source})).status_code


async def get(client: Client, language: str = "cpp") -> dict[str, object]:
    return dict((await client.get(DRAFT, params={"language": language})).json())


async def test_draft_is_the_starter_until_saved(client: Client) -> None:
    draft = await get(client)
    assert "void copy" in str(draft["source"])
    assert draft["saved_at"] is None
    assert await put(client, "// 내 코드") == 200
    draft = await get(client)
    assert draft["source"] == "// 내 코드"
    assert str(draft["saved_at"]).endswith("Z")


async def test_drafts_are_kept_by_language_and_shown_on_the_page(client: Client) -> None:
    await put(client, "// mine in C++")
    await put(client, "# mine in Python", "python")
    assert (await get(client))["source"] == "// mine in C++"
    page = (await client.get("/en/exercises/copy")).text
    assert "// mine in C++" in page
    assert "# mine in Python" in page


async def test_drafts_belong_to_their_reader(client: Client) -> None:
    await put(client, "// secret")
    client.cookies.clear()
    assert "secret" not in str((await get(client))["source"])


async def test_reset_keeps_the_last_draft_and_can_be_taken_back(client: Client) -> None:
    await put(client, "// good work")
    reset = (await client.delete(DRAFT, params={"language": "cpp"})).json()
    assert "void copy" in reset["source"]
    assert reset["previous"] == "// good work"
    assert "void copy" in str((await get(client))["source"])
    restored = await client.post(f"{DRAFT}/restore", params={"language": "cpp"})
    assert restored.json()["source"] == "// good work"
    assert (await get(client))["source"] == "// good work"


async def test_second_reset_does_not_lose_what_the_first_put_away(client: Client) -> None:
    await put(client, "// good work")
    for _ in range(2):
        await client.delete(DRAFT, params={"language": "cpp"})
    assert (await get(client))["previous"] == "// good work"


async def test_saves_at_once_all_succeed(client: Client) -> None:
    await client.post("/api/lessons/handles/read")
    assert await asyncio.gather(*(put(client, f"// {n}") for n in range(5))) == [200] * 5


async def test_nothing_to_restore_is_404(client: Client) -> None:
    assert (await client.post(f"{DRAFT}/restore", params={"language": "cpp"})).status_code == 404


async def test_refused_drafts_leave_the_saved_one(client: Client) -> None:
    await put(client, "// saved")
    assert await put(client, "x" * (MIB + 1)) == 413
    assert await put(client, "a\0b") == 422
    raw = b'{"language": "cpp", "source": "\xff\xfe"}'
    assert (await client.put(DRAFT, content=raw)).json()["error"] == "not_utf8"
    surrogate = b'{"language": "cpp", "source": "\\ud800"}'
    assert (await client.put(DRAFT, content=surrogate)).json()["error"] == "not_utf8"
    assert (await get(client))["source"] == "// saved"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"language": "rust", "source": ""}',
        b'{"language": "cpp"}',
        b'{"language": "cpp", "source": 3}',
    ],
)
async def test_malformed_bodies_are_422_with_a_reason(client: Client, body: bytes) -> None:
    answer = await client.put(DRAFT, content=body)
    assert answer.status_code == 422
    assert answer.json()["error"] == "invalid"
    assert answer.json()["reason"]


async def test_unknown_language_in_the_query_is_422(client: Client) -> None:
    answer = await client.get(DRAFT, params={"language": "rust"})
    assert (answer.status_code, answer.json()["field"]) == (422, "language")


async def test_hints_open_one_by_one_and_stay_open(client: Client) -> None:
    page = (await client.get("/en/exercises/copy")).text
    assert "the CPU cannot read them" not in page
    for count in (1, 2, 3, 3):
        answer = (await client.post("/api/exercises/copy/hints?lang=en")).json()
        assert (len(answer["hints"]), answer["total"]) == (count, 3)
    page = (await client.get("/en/exercises/copy")).text
    assert "the CPU cannot read them" in page


async def test_solution_is_locked_until_given_up(client: Client) -> None:
    url = "/api/exercises/copy/solution?language=python"
    locked = await client.get(url)
    assert (locked.status_code, locked.json()["error"]) == (403, "locked")
    await client.post("/api/exercises/copy/give-up")
    opened = (await client.get(url)).json()
    assert "y[...] = x" in opened["source"]
    assert 'class="highlight"' in opened["html"]
