"""Progress: read lessons, solved exercises, right answers, and where to resume."""

from typing import Any

from fastapi import FastAPI
from sqlalchemy import event
from sqlalchemy.engine import Engine

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


async def resumed(app: FastAPI, client: Client) -> str | None:
    resume = course_view(app.state.services.library.current(), "en", await progress(app, client)).resume
    return resume.url if resume else None


async def test_an_unfinished_exercise_is_resumed(app: FastAPI, client: Client) -> None:
    await client.put("/api/lessons/handles/place", json={"heading": "what-a-handle-is"})
    await client.put("/api/exercises/copy/draft", json={"language": "cpp", "source": "// begun"})
    assert await resumed(app, client) == "/en/exercises/copy"
    assert 'href="/en/exercises/copy"' in (await client.get("/en/")).text
    await client.put("/api/lessons/handles/place", json={"heading": "what-a-handle-is"})
    assert await resumed(app, client) == "/en/lessons/handles#what-a-handle-is", "the lesson was visited later"


async def test_pages_look_for_what_to_resume_without_reading_programs(app: FastAPI, client: Client) -> None:
    await client.put("/api/exercises/copy/draft", json={"language": "cpp", "source": "// begun"})
    asked: list[str] = []

    def hear(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        await client.get("/en/")
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    drafts = [statement.partition(" FROM ")[0] for statement in asked if "FROM drafts" in statement]
    assert drafts
    assert not any("source" in columns or "previous" in columns for columns in drafts)


async def test_an_exercise_that_was_reset_is_not_resumed(app: FastAPI, client: Client) -> None:
    await client.put("/api/exercises/copy/draft", json={"language": "cpp", "source": "// begun"})
    await client.delete("/api/exercises/copy/draft", params={"language": "cpp"})
    assert await resumed(app, client) is None


async def test_a_solved_exercise_gives_way_to_the_next_lesson(grading_app: FastAPI, grading: Client) -> None:
    await finished(grading, await submit(grading, "wrong"))
    assert await resumed(grading_app, grading) == "/en/exercises/copy"
    await finished(grading, await submit(grading, "accept"))
    assert await resumed(grading_app, grading) == "/en/lessons/handles"


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
