"""The web program with the real grader on the simulated backend: the whole way of one submission."""

from collections.abc import AsyncIterator, Awaitable, Callable
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
