"""What the warm grader is compared with: a new process for every submission, and nothing prepared or kept.

    python -m bench._plain worker      speaks the worker protocol; each job becomes a process of its own
    python -m bench._plain job         grades the job on standard input

The same jail, limits and verdicts as ever; but no sandbox waits, no header is precompiled, no build is kept.
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from grader.backends.base import Backend
from grader.contract.job import Job
from grader.contract.verdict import Event
from grader.grade import grade
from grader.runners.toolchain import Tier
from grader.worker import ready_message
from grader.workshop import Workshop


class PlainWorkshop(Workshop):
    """Compiles each program with the headers that it includes itself."""

    def prelude(self, backend: Backend, tier: Tier = "full") -> Path:
        self.cache.joinpath("prelude.hpp").write_text("")
        return self.cache


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message, default=str) + "\n")
    sys.stdout.flush()


def run_job() -> None:
    job = Job.from_json(json.loads(sys.stdin.read()))
    sequence = iter(range(1, 1_000_000))

    def emit(event: Event) -> None:
        say(event.message(job, next(sequence)))

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        grade(job, emit, PlainWorkshop(cache=Path(folder)))


def start(job: dict[str, Any], lock: threading.Lock) -> None:
    command = [sys.executable, "-m", "bench._plain", "job"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process has no pipes")
        process.stdin.write(json.dumps(job))
        process.stdin.close()
        for line in process.stdout:
            with lock:
                sys.stdout.write(line)
                sys.stdout.flush()


def serve() -> None:
    say(ready_message(1, {}))
    lock = threading.Lock()
    for line in sys.stdin:
        message = json.loads(line)
        if "job" in message:
            start(message["job"], lock)
        elif "ping" in message:
            say({"pong": message["ping"]})


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["worker"] else run_job()
