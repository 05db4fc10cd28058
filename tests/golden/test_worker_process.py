"""The worker as a real process: over standard streams and over a socket, killed, cancelled, cleaned up."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox.memory import descendants
from tests.golden.toys import GOOD, hooked, write_toys

ROOT = Path(__file__).resolve().parents[2]


class Client:
    """Speaks the worker protocol over a pair of streams."""

    def __init__(self, reader: Any, writer: Any) -> None:
        self.reader, self.writer = reader, writer
        self.ready = self.receive()["ready"]

    def send(self, message: dict[str, Any]) -> None:
        self.writer.write(json.dumps(message).encode() + b"\n")
        self.writer.flush()

    def receive(self) -> dict[str, Any]:
        return json.loads(self.reader.readline())

    def job(self, name: str, language: str, source: str) -> None:
        self.send({"job": {"id": name, "language": language, "source": source, "exercise": "scale"}})

    def verdict(self, name: str) -> dict[str, Any]:
        while True:
            event = self.receive().get("event", {})
            if event.get("job") == name and event["type"] == "verdict":
                return event["data"]


def command(exercises: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "grader", "worker", "--exercises", str(exercises), "--slots", "2", *more]


@pytest.fixture(scope="module")
def exercises(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    if "FP_NATIVE" not in os.environ:
        request.getfixturevalue("native_build")
    return write_toys(tmp_path_factory.mktemp("worker"))


@pytest.fixture
def worker(exercises: Path) -> Iterator[subprocess.Popen[bytes]]:
    arguments = command(exercises, "--pool", "1")
    with subprocess.Popen(arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def client(worker: subprocess.Popen[bytes]) -> Client:
    return Client(worker.stdout, worker.stdin)


def wait_until_gone(processes: list[int]) -> list[int]:
    deadline = time.monotonic() + 5
    left = processes
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if running(pid)]
        time.sleep(0.02)
    return left


def running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def test_jobs_of_both_languages_warm_and_cold(client: Client) -> None:
    assert client.ready["slots"] == 2
    assert client.ready["backend"]["name"] in ("simulated", "gpu")
    for i in range(6):
        language = ("cpp", "python")[i % 2]
        client.job(f"j{i}", language, GOOD[language])
        assert client.verdict(f"j{i}")["code"] == "accepted"


def test_malformed_lines_are_survived(client: Client) -> None:
    client.writer.write(b"\xff\xfe\n{}\n" + b"[" * 100_000 + b"\n")
    client.send({"ping": 5})
    answers = [client.receive() for _ in range(4)]
    assert [next(iter(answer)) for answer in answers] == ["error", "error", "error", "pong"]


def test_cancel(client: Client) -> None:
    client.job("loop", "python", "def scale(*a):\n    while True: pass")
    while client.receive().get("event", {}).get("type") != "running":
        pass
    client.send({"cancel": "loop"})
    assert client.verdict("loop")["code"] == "cancelled"


def test_sigterm_ends_everything(client: Client, worker: subprocess.Popen[bytes]) -> None:
    client.job("loop", "python", "def scale(*a):\n    while True: pass")
    while client.receive().get("event", {}).get("type") != "running":
        pass
    family = descendants(worker.pid)[1:]
    assert family
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=10) == 0
    assert wait_until_gone(family) == []


def test_sigkill_ends_its_sandboxes(client: Client, worker: subprocess.Popen[bytes]) -> None:
    client.job("loop", "cpp", hooked("cpp", "for (volatile int i = 0;; i = i + 1);"))
    while client.receive().get("event", {}).get("type") != "running":
        pass
    time.sleep(0.3)
    family = descendants(worker.pid)[1:]
    worker.kill()
    assert wait_until_gone(family) == []


def test_end_of_input_finishes_jobs_and_leaves(client: Client, worker: subprocess.Popen[bytes]) -> None:
    client.job("last", "python", GOOD["python"])
    client.writer.close()
    assert client.verdict("last")["code"] == "accepted"
    assert worker.wait(timeout=10) == 0


def test_reader_that_goes_away_does_no_harm(client: Client, worker: subprocess.Popen[bytes]) -> None:
    client.job("unheard", "python", GOOD["python"])
    client.reader.close()
    client.writer.close()
    assert worker.wait(timeout=20) == 0


def test_socket(exercises: Path, tmp_path: Path) -> None:
    path = tmp_path / "grader.sock"
    process = subprocess.Popen(command(exercises, "--pool", "0", "--socket", str(path)), cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(3):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(path))
                stream = connection.makefile("rwb")
                client = Client(stream, stream)
                client.job("a", "python", GOOD["python"])
                assert client.verdict("a")["code"] == "accepted"
                stream.close()
        process.terminate()
        assert process.wait(timeout=10) == 0
        assert not path.exists()
    finally:
        process.kill()
