"""The real web program on a free port with a database of its own, and a client that submits as a browser does."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from grader.paths import ROOT

START_S = 180.0
LIMITS = {
    "FORWARDPASS_BACKEND": "simulated",
    "FORWARDPASS_SUBMISSIONS_PER_MINUTE": "100000",
    "FORWARDPASS_DRAFTS_PER_MINUTE": "100000",
    "FORWARDPASS_READERS_PER_MINUTE": "100000",
}


class Client:
    """One reader, over one kept connection."""

    def __init__(self, origin: str) -> None:
        headers = {"Sec-Fetch-Site": "same-origin"}
        self.http = httpx.Client(base_url=origin, headers=headers, timeout=httpx.Timeout(300.0))

    def submit(self, slug: str, language: str, source: str) -> str:
        """Address of the submission's events. Raises HTTPStatusError."""
        answer = self.http.post(f"/api/exercises/{slug}/submissions", json={"language": language, "source": source})
        return str(answer.raise_for_status().json()["events"])

    def verdict(self, events: str) -> dict[str, Any]:
        """Reads the event stream up to the verdict. Raises RuntimeError where it ends without one."""
        kind = ""
        with self.http.stream("GET", events) as stream:
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: ") and kind == "verdict":
                    return dict(json.loads(line.removeprefix("data: "))["data"])
        raise RuntimeError("the stream ended without a verdict")

    def save_draft(self, slug: str, language: str, source: str) -> None:
        self.http.put(f"/api/exercises/{slug}/draft", json={"language": language, "source": source}).raise_for_status()

    def compile_draft(self, slug: str, language: str, source: str) -> str:
        """State of the draft that was compiled in the background."""
        body = {"language": language, "source": source}
        answer = self.http.post(f"/api/exercises/{slug}/draft/compile", json=body)
        return str(answer.raise_for_status().json()["state"])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(worker: list[str], settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Origin of a server whose grader is started as `worker`. Raises RuntimeError where it does not come up."""
    port = _free_port()
    origin = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | LIMITS | dict(settings or {})
        environment["DATABASE_URL"] = f"sqlite+aiosqlite:///{folder}/bench.db"
        environment["FORWARDPASS_GRADER_COMMAND"] = json.dumps(worker)
        command = [
            sys.executable,
            "-c",
            "from app.cli import main; main()",
            "serve",
            "--port",
            str(port),
            "--no-authoring",
        ]
        log = Path(folder) / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
            try:
                _await_ready(origin, process, log)
                yield origin
            finally:
                process.terminate()
                process.wait(timeout=60)


def _await_ready(origin: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{origin}/healthz").json()["grader"] == "ready":
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"the server did not come up:\n{log.read_text()[-4000:]}")
