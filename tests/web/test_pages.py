"""Every page in both languages, over the real templates."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.web.conftest import Client, client_of

PAGES = [
    "/",
    "/lessons/handles",
    "/lessons/tensors",
    "/exercises/copy",
    "/exercises/copy?language=python",
    "/clinic",
    "/challenges",
    "/reference/",
    "/reference/cudnnCreate",
    "/reference/cudnnStatus_t",
    "/reference/CUDNN_STATUS_BAD_PARAM",
    "/reference/cudnnHandle_t",
    "/reference/cudnnConvolutionFwdAlgoPerf_t",
    "/glossary",
    "/search?q=handle",
    "/search?q=",
]


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("path", PAGES)
async def test_page_shows_in_both_languages(client: Client, lang: str, path: str) -> None:
    answer = await client.get(f"/{lang}{path}")
    assert answer.status_code == 200, answer.text[-2000:]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == lang
    assert f'<html lang="{lang}"' in answer.text
    other = "en" if lang == "ko" else "ko"
    plain = path.split("?")[0]
    assert f'hreflang="{other}" href="http://course.test/{other}{plain}"' in answer.text
    assert 'hreflang="x-default"' in answer.text


async def test_start_redirects_by_cookie_then_header_then_korean(client: Client) -> None:
    assert (await client.get("/")).headers["location"] == "/ko/"
    english = {"Accept-Language": "fr, en-GB;q=0.8, ko;q=0.5"}
    assert (await client.get("/", headers=english)).headers["location"] == "/en/"
    chosen = english | {"Cookie": "fp_lang=ko"}
    assert (await client.get("/", headers=chosen)).headers["location"] == "/ko/"


async def test_course_map_names_what_to_read_first_until_it_is_read(client: Client) -> None:
    row = (await client.get("/en/")).text.split('<h3><a href="/en/lessons/tensors"', 1)[1].split("</li>")[0]
    assert 'href="/en/lessons/handles"' in row
    assert "4 min" in row
    await client.post("/api/lessons/handles/read")
    row = (await client.get("/en/")).text.split('<h3><a href="/en/lessons/tensors"', 1)[1].split("</li>")[0]
    assert 'href="/en/lessons/handles"' not in row


async def test_lesson_links_its_neighbours_and_tells_its_length(client: Client) -> None:
    first, last = (await client.get("/ko/lessons/handles")).text, (await client.get("/ko/lessons/tensors")).text
    assert 'rel="next" href="/ko/lessons/tensors"' in first
    assert 'rel="prev"' not in first
    assert 'rel="prev" href="/ko/lessons/handles"' in last
    assert 'rel="next"' not in last
    assert "읽는 데 3분" in first
    assert "읽는 데 4분" in last


async def test_lesson_has_text_quiz_exercise_and_runnable_snippet(client: Client) -> None:
    page = (await client.get("/ko/lessons/handles")).text
    assert "<strong>핸들(handle)</strong>은" in page
    assert 'class="term" href="/ko/glossary#handle"' in page
    assert 'href="/ko/reference/cudnnCreate"' in page
    assert "<math" in page
    assert "/media/lessons/handles/picture.svg" in page
    assert "핸들은 몇 개?" in page
    assert "/ko/exercises/copy" in page


async def test_exercise_page_has_starter_cases_and_no_solution(client: Client) -> None:
    page = (await client.get("/en/exercises/copy")).text
    assert "void copy(const float *x, float *y, int n)" in page
    assert "seven" in page
    assert "cudaMemcpyDeviceToDevice" not in page


DEMANDS = """
uses:
  data_types: [INT8]
  workspace_bytes: 4*N
  cases:
    - {when: N == 7, required: [cudaMemcpy, math_type_not_set]}
"""


async def test_exercise_page_tells_every_demand(content_dir: Path, make_app: Callable[..., Awaitable[FastAPI]]) -> None:
    with (content_dir / "exercises" / "copy" / "exercise.yaml").open("a", encoding="utf-8") as file:
        file.write(DEMANDS)
    async with client_of(await make_app()) as client:
        page = (await client.get("/ko/exercises/copy")).text
    assert "N == 7인 케이스에서는 이 함수를 호출해야 합니다: cudaMemcpy" in page
    assert "이 자료형의 데이터로 계산해야 합니다: INT8" in page
    assert "어떤 호출에도 작업 공간을 4*N바이트보다 크게 줄 수 없습니다." in page
    assert "고른 항목의 수학 유형을 합성곱 서술자에 적는다." in page


async def test_theme_cookie_decides_the_page(client: Client) -> None:
    page = (await client.get("/ko/", headers={"Cookie": "fp_theme=dark"})).text
    assert 'data-theme="dark"' in page


async def test_figure_is_served_with_a_policy_of_its_own(client: Client) -> None:
    answer = await client.get("/media/lessons/handles/picture.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("name", ["quiz.yaml", "ko.md", "..%2Fcourse.yaml", "nothing.svg"])
async def test_only_figures_are_served_from_a_lesson(client: Client, name: str) -> None:
    assert (await client.get(f"/media/lessons/handles/{name}")).status_code == 404


async def test_missing_slash_is_mended(client: Client) -> None:
    for path, target in (("/ko", "/ko/"), ("/en/reference", "/en/reference/"), ("/ko/glossary/", "/ko/glossary")):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["location"]) == (308, target)
