"""Search over lessons, exercises, reference and glossary."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi import FastAPI

from grader.paths import ROOT
from tests.web.conftest import Client, client_of

QUERIES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "search_queries.yaml").read_text(encoding="utf-8"))


async def found(client: Client, query: str, lang: str) -> list[dict[str, str]]:
    answer = await client.get("/api/search", params={"q": query, "lang": lang})
    return list(answer.json()["results"])


@pytest.mark.parametrize("query", ["합성곱", "합성곱을", "합성곱은", "합성곱에서는", "합성곱 텐서", "텐서를 합성곱이"])
async def test_particles_do_not_matter(client: Client, query: str) -> None:
    urls = [result["url"] for result in await found(client, query, "ko")]
    assert any(url.startswith("/ko/lessons/tensors") for url in urls), urls


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("핸들은", "핸들"),
        ("핸들을", "핸들"),
        ("작업공간이", "작업 공간"),
        ("작업 공간에서는", "작업 공간"),
        ("작업공간", "작업 공간"),
    ],
)
async def test_terms_are_found_with_particles_and_without_their_space(client: Client, query: str, title: str) -> None:
    assert ("term", title) in [(result["kind"], result["title"]) for result in await found(client, query, "ko")]


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
    results = await found(client, "받습니다", "en")
    assert {result["lang"] for result in results} == {"ko"}


async def test_misspelt_names_are_found(client: Client) -> None:
    assert "cudnnCreate" in [result["title"] for result in await found(client, "cudnCreate", "en")]


async def test_empty_and_hopeless_queries(client: Client) -> None:
    assert await found(client, "", "ko") == []
    assert await found(client, "!!! ???", "ko") == []
    assert await found(client, "zzzzzzzz", "ko") == []
    assert (await client.get("/ko/search?q=zzzzzzzz")).status_code == 200
    assert (await client.get("/api/search", params={"q": "x" * 201})).status_code == 422


async def test_synonyms_are_found_in_the_language_of_the_reader(client: Client) -> None:
    results = await found(client, "컨볼루션", "en")
    assert {result["lang"] for result in results} == {"en"}
    assert "<mark>convolution</mark>" in results[0]["excerpt"]
    assert ("term", "작업 공간") in [
        (r["kind"], r["title"]) for r in await found(client, "워크스페이스가 왜 필요한가요", "ko")
    ]


async def test_words_that_nothing_has_do_not_hide_the_others(client: Client) -> None:
    urls = [result["url"] for result in await found(client, "why qwxzzvk tensor", "en")]
    assert urls
    assert urls == [result["url"] for result in await found(client, "tensor", "en")]


async def test_only_pages_with_a_similar_name_are_suggested(client: Client) -> None:
    nonsense = await client.get("/en/search", params={"q": "qwxzzvk"})
    assert "Nothing was found" in nonsense.text
    assert "Perhaps" not in nonsense.text
    assert "0 places" not in nonsense.text


async def test_whole_query_before_parts_of_it(client: Client) -> None:
    titles = [result["title"] for result in await found(client, "cudnnCreate workspace", "en")]
    assert titles[0] == "cudnnCreate"
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_questions_of_learners_find_their_page(make_app: Callable[..., Awaitable[FastAPI]], lang: str) -> None:
    app = await make_app(lessons_dir=ROOT / "lessons", exercises_dir=ROOT / "exercises")
    missed = []
    async with client_of(app) as client:
        for query, pages in QUERIES[lang]:
            first = [result["url"].split("#")[0] for result in (await found(client, query, lang))[:3]]
            if not {f"/{lang}/{page}" for page in pages} & set(first):
                missed.append((query, first))
        top = await found(client, {"ko": "워크스페이스가 왜 필요한가요", "en": "why do I need a workspace"}[lang], lang)
    assert not [r for r in top[:3] if r["title"].endswith(("더 읽을거리", "Further reading"))]
    assert len(QUERIES[lang]) > 30
    assert not missed
