"""The clinic and the challenges: their lists, what a case shows when, and what the course makes of them."""

from pathlib import Path

import pytest

from app.scaffolds.write import new_clinic, new_exercise
from tests.web.conftest import Client, finished, submit

SYMPTOM = {"ko": "나머지 원소가 모두 NaN입니다", "en": "the rest are NaN"}
EXPLAINED = {"ko": "크기의 단위를 의심하라는", "en": "points to a wrong unit of size"}


@pytest.fixture(autouse=True)
def content_dir(content_dir: Path) -> Path:
    """The small course with one case and one challenge."""
    new_clinic(content_dir / "exercises", "mostly-nan", "handles")
    new_exercise(content_dir / "exercises", "copy-fast", "tensors")
    file = content_dir / "exercises" / "copy-fast" / "exercise.yaml"
    file.write_text("kind: challenge\ndifficulty: 3\n" + file.read_text())
    return content_dir


@pytest.mark.parametrize(("lang", "level"), [("ko", "쉬움"), ("en", "easy")])
async def test_the_clinic_lists_symptom_topic_and_difficulty(lang: str, level: str, client: Client) -> None:
    page = (await client.get(f"/{lang}/clinic")).text
    assert SYMPTOM[lang] in page
    assert f'href="/{lang}/exercises/mostly-nan"' in page
    assert f'href="/{lang}/lessons/handles"' in page
    assert level in page
    assert f"/{lang}/exercises/copy-fast" not in page
    assert f'href="/{lang}/exercises/copy"' not in page


@pytest.mark.parametrize(("lang", "notice"), [("ko", "순위를 매깁니다"), ("en", "ranked only on a GPU")])
async def test_challenges_say_where_times_count(lang: str, notice: str, client: Client) -> None:
    page = (await client.get(f"/{lang}/challenges")).text
    assert f'href="/{lang}/exercises/copy-fast"' in page
    assert f"/{lang}/exercises/mostly-nan" not in page
    assert notice in page
    assert notice in (await client.get(f"/{lang}/exercises/copy-fast")).text


async def test_every_page_leads_to_both(client: Client) -> None:
    page = (await client.get("/en/glossary")).text
    assert 'href="/en/clinic"' in page
    assert 'href="/en/challenges"' in page


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_a_case_explains_itself_once_it_is_solved(lang: str, grading: Client) -> None:
    path = f"/{lang}/exercises/mostly-nan"
    solution = f"/api/exercises/mostly-nan/solution?language=cpp&lang={lang}"
    page = (await grading.get(path)).text
    assert SYMPTOM[lang] in page
    assert EXPLAINED[lang] not in page
    assert (await grading.get(solution)).status_code == 403
    await finished(grading, await submit(grading, "accept", exercise="mostly-nan"))
    assert EXPLAINED[lang] in (await grading.get(path)).text
    assert EXPLAINED[lang] in (await grading.get(solution)).json()["explanation"]


async def test_solved_cases_count_for_the_clinic_and_not_as_exercises(grading: Client) -> None:
    assert "0 of 1 cases solved" in (await grading.get("/en/")).text
    await finished(grading, await submit(grading, "accept", exercise="mostly-nan"))
    await finished(grading, await submit(grading, "wrong", exercise="copy-fast"))
    for path in ("/en/", "/en/clinic"):
        assert "1 of 1 cases solved" in (await grading.get(path)).text
    assert "0 of 1 challenges solved" in (await grading.get("/en/challenges")).text
    assert 'class="state done"' in (await grading.get("/en/clinic")).text


@pytest.mark.parametrize(("lang", "query"), [("ko", "앞부분은 NaN입니다"), ("en", "elements right rest NaN")])
async def test_the_search_finds_a_symptom(lang: str, query: str, client: Client) -> None:
    results = (await client.get("/api/search", params={"q": query, "lang": lang})).json()["results"]
    assert ("clinic", f"/{lang}/exercises/mostly-nan") in [(result["kind"], result["url"]) for result in results]
    challenge = (await client.get("/api/search", params={"q": "copy-fast", "lang": lang})).json()["results"]
    assert "challenge" in [result["kind"] for result in challenge]
    assert (await client.get(f"/{lang}/search", params={"q": query})).status_code == 200


async def test_a_case_leads_back_to_the_clinic(client: Client) -> None:
    assert 'aria-current="true">Clinic' in (await client.get("/en/exercises/mostly-nan")).text
    assert 'aria-current="true">Challenges' in (await client.get("/en/exercises/copy-fast")).text
    assert 'aria-current="true">Course' in (await client.get("/en/exercises/copy")).text
