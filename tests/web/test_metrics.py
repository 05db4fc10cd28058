"""`/metrics`: for the operator alone, and in the format that Prometheus reads."""

from collections.abc import Awaitable, Callable

from fastapi import FastAPI

from tests.web.conftest import Client, client_of, submit
from tests.web.test_draft_compile import grader_is_ready

MakeApp = Callable[..., Awaitable[FastAPI]]
TOKEN = {"Authorization": "Bearer s3cret"}


async def test_without_the_token_there_is_no_such_page(client: Client, make_app: MakeApp) -> None:
    assert (await client.get("/metrics", headers={"Authorization": "Bearer "})).status_code == 404
    async with client_of(await make_app(metrics_token="s3cret")) as guarded:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "}):
            assert (await guarded.get("/metrics", headers=headers)).status_code == 404


async def test_queue_and_grader_in_numbers(make_app: MakeApp) -> None:
    async with client_of(await make_app(grader="embedded", metrics_token="s3cret")) as client:
        await grader_is_ready(client)
        await submit(client, "hold")
        answer = await client.get("/metrics", headers=TOKEN)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert 'forwardpass_jobs_total{code="a\\"b"} 3' in lines
    assert 'forwardpass_phase_seconds_bucket{phase="run",le="+Inf"} 3' in lines
    assert 'forwardpass_pool_ready{kind="cpp"} 2' in lines
    assert "forwardpass_pool_hits_total 5" in lines
    assert "forwardpass_grader_slots 2" in lines
    assert not any("odd" in line for line in lines)


async def test_without_a_grader_the_queue_is_told(make_app: MakeApp) -> None:
    async with client_of(await make_app(metrics_token="s3cret")) as client:
        await submit(client, "waits")
        lines = (await client.get("/metrics", headers=TOKEN)).text.splitlines()
    assert "forwardpass_queue_length 1" in lines
    assert "forwardpass_grader_slots 0" in lines
