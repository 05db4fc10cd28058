"""Search over lessons, exercises, reference and glossary."""

import pytest

from tests.web.conftest import Client


async def found(client: Client, query: str, lang: str) -> list[dict[str, str]]:
    answer = await client.get("/api/search", params={"q": query, "lang": lang})
    return list(answer.json()["results"])


@pytest.mark.parametrize("query", ["합성곱", "합성곱을", "합성곱은", "합성곱에서는", "합성곱 텐서", "텐서를 합성곱이"])
async def test_particles_do_not_matter(client: Client, query: str) -> None:
    urls = [result["url"] for result in await found(client, query, "ko")]
    assert any(url.startswith("/ko/lessons/tensors") for url in urls), urls


async def test_names_of_the_api_come_first(client: Client) -> None:
    assert (await found(client, "cudnnCreate", "ko"))[0]["title"] == "cudnnCreate"
    assert (await found(client, "CUDNNCREATE", "en"))[0]["title"] == "cudnnCreate"


async def test_terms_are_found_by_their_other_name(client: Client) -> None:
    results = await found(client, "workspace", "ko")
    assert ("term", "작업 공간") in [(result["kind"], result["title"]) for result in results]


async def test_plural_finds_singular(client: Client) -> None:
    assert any(result["url"] == "/en/lessons/tensors" for result in await found(client, "descriptors", "en"))


async def test_words_are_marked_and_everything_else_escaped(client: Client) -> None:
    results = await found(client, "convolution takes", "en")
    section = next(result for result in results if "#" in result["url"])
    assert "<mark>convolution</mark> <mark>takes</mark>" in section["excerpt"]
    page = (await client.get("/en/search", params={"q": "<script>alert(1)</script>"})).text
    assert "<script>alert" not in page


async def test_other_language_is_searched_when_nothing_is_found(client: Client) -> None:
    results = await found(client, "합성곱", "en")
    assert {result["lang"] for result in results} == {"ko"}


async def test_misspelt_names_are_found(client: Client) -> None:
    assert "cudnnCreate" in [result["title"] for result in await found(client, "cudnCreate", "en")]


async def test_empty_and_hopeless_queries(client: Client) -> None:
    assert await found(client, "", "ko") == []
    assert await found(client, "!!! ???", "ko") == []
    assert await found(client, "zzzzzzzz", "ko") == []
    assert (await client.get("/ko/search?q=zzzzzzzz")).status_code == 200
    assert (await client.get("/api/search", params={"q": "x" * 201})).status_code == 422
