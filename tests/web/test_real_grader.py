"""The web program with the real grader on the simulated backend: the whole way of one submission."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.settings import ROOT
from tests.web.conftest import Client, client_of, finished, submit

MakeApp = Callable[..., Awaitable[FastAPI]]
COPY = ROOT / "app" / "scaffolds" / "exercise" / "solutions"

pytestmark = pytest.mark.slow


@pytest.fixture
async def real(make_app: MakeApp, native_build: Path) -> AsyncIterator[Client]:
    app = await make_app(grader="embedded", grader_command=[], backend="simulated")
    async with client_of(app) as client:
        yield client


def program(name: str) -> tuple[str, str]:
    """Source and language of a sample program of the scaffold, which is what `forwardpass new exercise` writes."""
    file = COPY / f"{name}.tmpl"
    return file.read_text(encoding="utf-8"), "cpp" if ".cpp" in name else "python"


async def verdict(client: Client, name: str) -> dict[str, object]:
    source, language = program(name)
    shown = await finished(client, await submit(client, source, language=language), 240)
    return dict(shown["verdict"])


async def test_samples_of_a_new_exercise_get_their_verdicts(real: Client) -> None:
    for file in sorted(COPY.rglob("*.tmpl")):
        name = f"{file.parent.name}/{file.name.removesuffix('.tmpl')}"
        source, _ = program(name)
        declared = source.split("verdict: ")[1].split()[0] if "wrong/" in name else "accepted"
        found = await verdict(real, name)
        assert found["code"] == declared, f"{name}: {found['sentence']}"
        assert found["backend"]["name"] == "simulated"  # type: ignore[index]
    assert (await real.get("/api/exercises/copy/solution?language=cpp")).status_code == 200


async def test_snippet_runs_and_shows_what_it_prints(real: Client) -> None:
    source = "import libcudnn\nprint('version', libcudnn.cudnnGetVersion())\n"
    answer = await real.post("/api/run", json={"language": "python", "source": source})
    shown = await finished(real, answer.json()["id"], 240)
    assert shown["code"] == "accepted"
    assert shown["verdict"]["stdout"].startswith("version 9")


async def test_running_program_is_cancelled(real: Client) -> None:
    source = "def copy(x, y, n):\n    while True:\n        pass\n"
    submission = await submit(real, source, language="python")
    await real.get(f"/api/submissions/{submission}")
    await real.post(f"/api/submissions/{submission}/cancel")
    assert (await finished(real, submission, 240))["code"] == "cancelled"


@pytest.fixture
def remote(native_build: Path, tmp_path: Path, content_dir: Path) -> Iterator[Path]:
    """Socket of a grader that somebody else started, as in a container of its own."""
    path = tmp_path / "grader.sock"
    options = ["--socket", str(path), "--exercises", str(content_dir / "exercises"), "--slots", "2", "--pool", "0"]
    command = [sys.executable, "-m", "grader", "worker", *options, "--draft-load", "1e9", "--draft-priority", "normal"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"FP_VAR": str(tmp_path / "var")})
    yield path
    process.terminate()
    process.wait(timeout=60)


async def ready(client: Client) -> None:
    async with asyncio.timeout(120):
        while (await client.get("/healthz")).json()["grader"] != "ready":  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def compiled(client: Client, submission: str) -> dict[str, object]:
    """What the stream of a finished submission says of the compiler."""
    text = (await client.get(f"/api/submissions/{submission}/events")).text
    found = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    return dict(next(event["data"] for event in found if event["type"] == "compiled"))


async def test_submission_uses_what_a_grader_behind_a_socket_compiled_ahead(make_app: MakeApp, remote: Path) -> None:
    source, language = program("accepted/memcpy.cpp")
    app = await make_app(grader=f"unix:{remote}", grader_connections=2, backend="simulated")
    async with client_of(app) as client:
        await ready(client)
        draft = {"language": language, "source": source}
        await client.put("/api/exercises/copy/draft", json=draft)
        report = (await client.post("/api/exercises/copy/draft/compile", json=draft)).json()
        assert (report["state"], report["cached"]) == ("compiled", False), report
        submission = await submit(client, source, language=language)
        assert (await finished(client, submission, 240))["code"] == "accepted"
        assert (await compiled(client, submission))["cached"] is True
        other = await submit(client, source + "// changed", language=language)
        assert (await finished(client, other, 240))["code"] == "accepted"
        assert (await compiled(client, other))["cached"] is False
