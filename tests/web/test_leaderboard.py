"""The leaderboard: whose time counts, who is faster, and who does not want to be seen."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.scaffolds.write import new_exercise
from tests.web.conftest import Client, client_of, finished, submit

ROW = re.compile(
    r'<tr(?: class="(mine)")?><td class="number">(\d+)</td><td>([a-z]+-\d+).*?<td class="number">([\d.]+) ms'
)
Row = tuple[str, str, str]


@pytest.fixture(autouse=True)
def content_dir(content_dir: Path) -> Path:
    for slug in ("copy-fast", "copy-faster"):
        new_exercise(content_dir / "exercises", slug, "handles")
        file = content_dir / "exercises" / slug / "exercise.yaml"
        file.write_text("kind: challenge\ndifficulty: 3\n" + file.read_text())
    return content_dir


@pytest.fixture
async def other(grading_app: FastAPI) -> AsyncIterator[Client]:
    """Another reader."""
    async with client_of(grading_app) as client:
        yield client


async def solve(client: Client, source: str, exercise: str = "copy-fast", language: str = "cpp") -> None:
    await finished(client, await submit(client, source, exercise=exercise, language=language))


async def rows(client: Client, *, device: str = "Test GPU 1", slug: str = "copy-fast") -> list[tuple[str, ...]]:
    """(whether mine, rank, name, milliseconds) of a board."""
    page = (await client.get("/en/challenges")).text
    part = page.split(f'id="{slug}"')[1].split("</li>")[0]
    tables = [table for table in part.split("<table>")[1:] if f"Best times on {device}" in table]
    return [match for table in tables for match in ROW.findall(table)]


async def test_the_fastest_comes_first_and_only_the_best_counts(grading: Client, other: Client) -> None:
    await solve(grading, "timed 12.5")
    await solve(other, "timed 7.25", language="python")
    for slower_or_faster in ("timed 11", "timed 30"):
        await solve(grading, slower_or_faster)
    board = await rows(grading)
    assert [(mine, rank, time) for mine, rank, _, time in board] == [("", "1", "7.250"), ("mine", "2", "11.000")]
    assert len({name for _, _, name, _ in board}) == 2
    assert [mine for mine, *_ in await rows(other)] == ["mine", ""]


@pytest.mark.parametrize("source", ["accept", "timed-simulated 5", "timed-wrong 5", "timed 0", "timed -3", "timed nan"])
async def test_nothing_but_an_accepted_time_of_a_gpu_is_ranked(source: str, grading: Client) -> None:
    await solve(grading, source)
    assert await rows(grading) == []
    assert "No time has been measured on a GPU yet." in (await grading.get("/en/challenges")).text


async def test_devices_and_challenges_are_ranked_apart(grading: Client, other: Client) -> None:
    await solve(grading, "timed 9")
    await solve(other, "timed-elsewhere 3")
    await solve(other, "timed 4", exercise="copy-faster")
    assert [time for *_, time in await rows(grading)] == ["9.000"]
    assert [time for *_, time in await rows(grading, device="Test GPU 2")] == ["3.000"]
    assert [time for *_, time in await rows(grading, slug="copy-faster")] == ["4.000"]


async def test_who_hides_is_seen_by_nobody_and_can_come_back(grading: Client, other: Client) -> None:
    await solve(grading, "timed 5")
    await solve(other, "timed 6")
    (name,) = [name for mine, _, name, _ in await rows(grading) if mine]
    assert f"Others see you as {name}" in (await grading.get("/en/challenges")).text
    answer = await grading.post("/en/challenges/hide")
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/challenges")
    await solve(grading, "timed 2")
    assert [(rank, time) for _, rank, _, time in await rows(other)] == [("1", "6.000")]
    assert [mine for mine, *_ in await rows(grading)] == [""]
    assert name not in (await grading.get("/en/challenges")).text
    await grading.post("/en/challenges/show")
    assert ("mine", "1", name, "2.000") in await rows(grading)


async def test_one_can_stay_off_the_board_before_the_first_time(grading: Client) -> None:
    await grading.post("/ko/challenges/hide")
    await solve(grading, "timed 5")
    assert await rows(grading) == []


async def test_ones_own_place_is_shown_beyond_the_first_ten(grading_app: FastAPI, grading: Client) -> None:
    await solve(grading, "timed 100")
    for number in range(11):
        async with client_of(grading_app) as faster:
            await solve(faster, f"timed {number + 1}")
    board = await rows(grading)
    assert len(board) == 11
    assert (board[-1][0], board[-1][1], board[-1][3]) == ("mine", "12", "100.000")


async def test_the_board_takes_no_order_from_another_site(grading: Client) -> None:
    answer = await grading.post("/en/challenges/hide", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
