"""Theme and language."""

from tests.web.conftest import Client


async def test_choices_become_cookies_that_pages_obey(client: Client) -> None:
    answer = await client.post("/api/preferences", json={"theme": "dark", "lang": "en"})
    assert answer.json() == {"theme": "dark", "lang": "en"}
    assert (await client.get("/")).headers["location"] == "/en/"
    assert 'data-theme="dark"' in (await client.get("/en/")).text


async def test_one_choice_leaves_the_other(client: Client) -> None:
    await client.post("/api/preferences", json={"theme": "light"})
    assert (await client.post("/api/preferences", json={"lang": "en"})).json() == {"theme": "light", "lang": "en"}


async def test_unknown_choices_are_422(client: Client) -> None:
    assert (await client.post("/api/preferences", json={"theme": "pink"})).status_code == 422
    assert (await client.post("/api/preferences", json={"font": "huge"})).status_code == 422
