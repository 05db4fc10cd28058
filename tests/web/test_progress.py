"""Progress: read lessons, solved exercises, right answers, and where to resume."""

from fastapi import FastAPI

from app.accounts import service as accounts
from app.progress import service
from app.views import Progress, course_view
from tests.web.conftest import Client, finished, submit


async def progress(app: FastAPI, client: Client) -> Progress:
    async with app.state.services.database.transaction(write=False) as session:
        reader = await accounts.find(session, client.cookies.get("fp_reader") or "")
        return await service.of(session, reader)


async def test_nothing_is_kept_of_a_visitor(app: FastAPI, client: Client) -> None:
    await client.get("/ko/lessons/handles")
    assert await progress(app, client) == Progress()


async def test_read_lessons_count_once(app: FastAPI, client: Client) -> None:
    for _ in range(2):
        assert (await client.post("/api/lessons/handles/read")).json() == {"read": True}
    assert (await progress(app, client)).read == {"handles"}
    assert (await client.post("/api/lessons/nope/read")).status_code == 404


async def test_place_is_kept_and_resumed(app: FastAPI, client: Client) -> None:
    heading = "what-a-handle-is"
    answer = await client.put("/api/lessons/handles/place", json={"heading": heading})
    assert answer.json() == {"saved": True}
    content = app.state.services.library.current()
    resume = course_view(content, "en", await progress(app, client)).resume
    assert resume
    assert resume.url == f"/en/lessons/handles#{heading}"
    assert f'href="{resume.url}"' in (await client.get("/en/")).text
    await client.post("/api/lessons/handles/read")
    after = course_view(content, "en", await progress(app, client)).resume
    assert after
    assert after.url == "/en/lessons/tensors", "a lesson that was read is not resumed"


async def test_made_up_headings_are_refused(client: Client) -> None:
    answer = await client.put("/api/lessons/handles/place", json={"heading": "nope"})
    assert answer.status_code == 422


async def test_solved_exercises_and_right_answers_are_gathered(grading_app: FastAPI, grading: Client) -> None:
    await finished(grading, await submit(grading, "wrong"))
    assert (await progress(grading_app, grading)).attempted == {"copy"}
    assert (await progress(grading_app, grading)).solved == frozenset()
    await finished(grading, await submit(grading, "accept"))
    await grading.post("/api/lessons/handles/quiz/one-handle", json={"answer": "a"})
    await grading.post("/api/lessons/handles/quiz/dims", json={"answer": [1]})
    found = await progress(grading_app, grading)
    assert found.solved == {"copy"}
    assert found.right == {"handles": {"one-handle"}}


async def test_grader_faults_and_cancelled_ones_are_no_attempts(grading_app: FastAPI, grading: Client) -> None:
    await finished(grading, await submit(grading, "fault"))
    held = await submit(grading, "hold")
    await grading.post(f"/api/submissions/{held}/cancel")
    await finished(grading, held)
    assert (await progress(grading_app, grading)).attempted == frozenset()


async def test_solving_opens_the_solution(grading: Client) -> None:
    await finished(grading, await submit(grading, "accept"))
    assert (await grading.get("/api/exercises/copy/solution?language=cpp")).status_code == 200
