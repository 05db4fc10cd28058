"""Submitting, refusing, cancelling; the queue; what the history says."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from fastapi import FastAPI

from tests.web.conftest import Client, client_of, finished, submit, until

URL = "/api/exercises/copy/submissions"
MIB = 1024 * 1024
MakeApp = Callable[..., Awaitable[FastAPI]]


async def draft(client: Client) -> str:
    return str((await client.get("/api/exercises/copy/draft?language=cpp")).json()["source"])


async def test_accepted_submission_is_queued_with_its_place(client: Client) -> None:
    answer = await client.post(URL, json={"language": "cpp", "source": "accept"})
    body = answer.json()
    assert answer.status_code == 201
    assert (body["status"], body["position"]) == ("queued", 1)
    assert body["events"] == f"/api/submissions/{body['id']}/events?lang=ko"
    shown = (await client.get(f"/api/submissions/{body['id']}")).json()
    assert (shown["source"], shown["verdict"], shown["position"]) == ("accept", None, 1)
    assert body["id"] in (await client.get("/ko/exercises/copy")).text


async def test_verdict_comes_in_both_languages(grading: Client) -> None:
    submission = await submit(grading, "wrong")
    await finished(grading, submission)
    korean = (await grading.get(f"/api/submissions/{submission}?lang=ko")).json()
    english = (await grading.get(f"/api/submissions/{submission}?lang=en")).json()
    assert korean["verdict"]["sentence"].startswith("계산 결과가 다릅니다.")
    assert english["verdict"]["sentence"].startswith("The result is wrong")
    assert english["sentence"] == english["verdict"]["sentence"]
    assert english["backend"] == "simulated"
    assert (english["passed"], english["total"]) == (0, 1)


@pytest.mark.parametrize(
    ("source", "status", "code"),
    [
        ("", 422, "empty"),
        (" \n\t ", 422, "empty"),
        ("x\0y", 422, "not_utf8"),
        ("x" * (256 * 1024 + 1), 413, "too_large"),
    ],
)
async def test_unusable_sources_are_refused(client: Client, source: str, status: int, code: str) -> None:
    answer = await client.post(URL, json={"language": "cpp", "source": source})
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert (await client.get(URL)).json() == {"submissions": []}


async def test_largest_source_is_accepted(client: Client) -> None:
    source = "//" + "가" * ((256 * 1024 - 2) // 3)
    assert (await client.post(URL, json={"language": "cpp", "source": source})).status_code == 201


async def test_one_mebibyte_is_refused_and_kept_as_the_draft(client: Client) -> None:
    await client.put("/api/exercises/copy/draft", json={"language": "cpp", "source": "// before"})
    source = "x" * MIB
    answer = await client.post(URL, json={"language": "cpp", "source": source})
    assert (answer.status_code, answer.json()["size"], answer.json()["limit"]) == (413, MIB, 256 * 1024)
    assert await draft(client) == source
    answer = await client.post(URL, json={"language": "cpp", "source": "y" * (MIB + 1)})
    assert answer.status_code == 413
    assert await draft(client) == source, "what cannot be kept does not push out what was"


async def test_invalid_utf8_is_refused_and_the_draft_stays(client: Client) -> None:
    await client.put("/api/exercises/copy/draft", json={"language": "cpp", "source": "// before"})
    answer = await client.post(URL, content=b'{"language": "cpp", "source": "\xed\xa0\x80"}')
    assert (answer.status_code, answer.json()["error"]) == (422, "not_utf8")
    assert await draft(client) == "// before"


async def test_unknown_exercise_and_language(client: Client) -> None:
    unknown = await client.post("/api/exercises/nope/submissions", json={"language": "cpp", "source": "x"})
    assert unknown.status_code == 404
    assert (await client.post(URL, json={"language": "rust", "source": "x"})).status_code == 422


async def test_second_submission_waits_for_the_first_and_is_kept(client: Client) -> None:
    first = await submit(client, "accept")
    answer = await client.post(f"{URL}?lang=ko", json={"language": "cpp", "source": "// newer"})
    assert (answer.status_code, answer.json()["error"], answer.json()["submission"]) == (409, "already_running", first)
    assert "이미 채점되고 있습니다" in answer.json()["message"]
    assert await draft(client) == "// newer"


async def test_two_clicks_at_once_make_one_submission(client: Client) -> None:
    await client.post("/api/lessons/handles/read")
    body = {"language": "cpp", "source": "accept"}
    answers = await asyncio.gather(*(client.post(URL, json=body) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]


async def test_too_many_submissions_are_refused_with_a_time(make_app: MakeApp) -> None:
    app = await make_app(submissions_per_minute=2, grader="embedded")
    async with client_of(app) as client:
        for _ in range(2):
            await finished(client, await submit(client, "accept"))
        answer = await client.post(URL, json={"language": "cpp", "source": "// third"})
        assert (answer.status_code, answer.json()["error"]) == (429, "too_many")
        assert 0 < int(answer.headers["retry-after"]) <= 61
        assert await draft(client) == "// third"


async def test_full_queue_refuses_and_keeps_the_draft(make_app: MakeApp) -> None:
    app = await make_app(max_queue=1)
    async with client_of(app) as first, client_of(app) as second:
        await submit(first, "accept")
        answer = await second.post(URL, json={"language": "cpp", "source": "// mine"})
        assert (answer.status_code, answer.json()["error"]) == (503, "queue_full")
        assert await draft(second) == "// mine"


async def test_place_in_the_queue_is_fair(app: FastAPI) -> None:
    async with client_of(app) as greedy, client_of(app) as modest:
        first = await submit(greedy, "accept")
        second = (await greedy.post("/api/run", json={"language": "cpp", "source": "x"})).json()["id"]
        third = await submit(modest, "accept")
        assert (await greedy.get(f"/api/submissions/{first}")).json()["position"] == 1
        assert (await modest.get(f"/api/submissions/{third}")).json()["position"] == 2
        assert (await greedy.get(f"/api/submissions/{second}")).json()["position"] == 3


async def test_queued_submission_is_cancelled_at_once(client: Client) -> None:
    submission = await submit(client, "accept")
    answer = await client.post(f"/api/submissions/{submission}/cancel")
    assert answer.json() == {"id": submission, "status": "done"}
    shown = (await client.get(f"/api/submissions/{submission}")).json()
    assert shown["code"] == "cancelled"
    assert (await client.post(URL, json={"language": "cpp", "source": "x"})).status_code == 201


async def test_running_submission_is_cancelled_through_the_grader(grading: Client) -> None:
    submission = await submit(grading, "hold")
    await until(grading, submission, "running")
    assert (await grading.post(f"/api/submissions/{submission}/cancel")).json()["status"] == "running"
    assert (await finished(grading, submission))["code"] == "cancelled"
    assert (await grading.post(f"/api/submissions/{submission}/cancel")).json()["status"] == "done"


async def test_submissions_are_their_readers_alone(app: FastAPI) -> None:
    async with client_of(app) as owner, client_of(app) as other:
        submission = await submit(owner, "accept")
        await other.post("/api/lessons/handles/read")
        for url in (f"/api/submissions/{submission}", f"/api/submissions/{submission}/events"):
            assert (await other.get(url)).status_code == 404
        assert (await other.post(f"/api/submissions/{submission}/cancel")).status_code == 404
        assert (await other.get(URL)).json() == {"submissions": []}
        page = await other.get(f"/en/exercises/copy?submission={submission}")
        assert f'data-submission="{submission}"' not in page.text


async def test_history_is_newest_first_with_sentences(grading: Client) -> None:
    for order in ("wrong", "accept"):
        await finished(grading, await submit(grading, order))
    rows = (await grading.get(f"{URL}?lang=en")).json()["submissions"]
    assert [row["code"] for row in rows] == ["accepted", "wrong_answer"]
    assert rows[0]["sentence"] == "Accepted."
    assert rows[1]["url"].startswith("/en/exercises/copy?submission=")


async def test_snippet_is_run_and_not_counted(grading: Client) -> None:
    answer = await grading.post("/api/run", json={"language": "python", "source": "accept"})
    assert answer.status_code == 201
    shown = await finished(grading, answer.json()["id"])
    assert shown["purpose"] == "run"
    assert shown["exercise"] == ""
    assert (await grading.get(URL)).json() == {"submissions": []}


async def test_health_counts_the_queue(client: Client) -> None:
    await submit(client, "accept")
    assert (await client.get("/healthz")).json() == {"status": "ok", "grader": "starting", "queue": 1}
