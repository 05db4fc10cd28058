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
SLOW = """
constexpr int f() {{ int s = 0; for (int i = 0; i < {}; ++i) for (int j = 0; j < 90; ++j) s ^= j; return s; }}
constexpr int value = f();
"""
"""Keeps the compiler at work for a while."""


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

    def verdicts(self, count: int) -> dict[str, str]:
        """Codes of the next `count` verdicts, by job."""
        found: dict[str, str] = {}
        while len(found) < count:
            event = self.receive().get("event", {})
            if event.get("type") == "verdict":
                found[event["job"]] = event["data"]["code"]
        return found

    def draft(self, name: str, language: str, source: str) -> dict[str, Any]:
        """Has a draft compiled; what came of it."""
        job = {"id": name, "language": language, "source": source, "exercise": "scale", "purpose": "compile"}
        self.send({"draft": job})
        while (report := self.receive().get("draft", {})).get("id") != name:
            pass
        return report

    def compiled(self, name: str) -> dict[str, Any]:
        """Data of the job's event `compiled`."""
        while True:
            event = self.receive().get("event", {})
            if event.get("job") == name and event["type"] == "compiled":
                return event["data"]


def command(exercises: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "grader",
        "worker",
        "--exercises",
        str(exercises),
        "--slots",
        "2",
        "--draft-load",
        "1e9",
        *more,
    ]


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


def name_of(pid: int) -> str:
    path = Path(f"/proc/{pid}/comm")
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def niceness(pid: int) -> int:
    try:
        return os.getpriority(os.PRIO_PROCESS, pid)
    except ProcessLookupError:
        return 19


def test_submission_finds_the_library_of_its_draft(client: Client) -> None:
    source = f"{GOOD['cpp']}\n// {time.time_ns()}\n"
    report = client.draft("d", "cpp", source)
    assert (report["state"], report["code"], report["cached"]) == ("compiled", "accepted", False)
    client.job("j", "cpp", source)
    assert client.compiled("j")["cached"] is True
    assert client.verdict("j")["code"] == "accepted"


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_draft_tells_what_the_compiler_says_and_runs_nothing(client: Client, language: str) -> None:
    wrong = {
        "cpp": 'static int never = __builtin_printf("ran");\nint x = nowhere;\n',
        "python": "print('ran')\ndef scale(:\n",
    }
    report = client.draft("d", language, wrong[language])
    assert (report["state"], report["code"]) == ("compiled", "compile_error")
    assert [(d["line"], d["severity"]) for d in report["diagnostics"]][:1] == [(2, "error")]
    endless = {"cpp": "\nstatic int never = [] { while (true); return 0; }();\n", "python": "\nwhile True: pass\n"}
    report = client.draft("e", language, GOOD[language] + endless[language])
    assert (report["state"], report["code"]) == ("compiled", "accepted")


@pytest.mark.parametrize("priority", ["low", "normal"])
def test_draft_works_at_the_priority_that_is_asked_for(exercises: Path, priority: str) -> None:
    arguments = command(exercises, "--pool", "0", "--draft-priority", priority)
    with subprocess.Popen(arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        wanted = 19 if priority == "low" else niceness(worker.pid)
        found = niceness_of_a_draft(worker, wanted)
        worker.kill()
    assert wanted in found


def niceness_of_a_draft(worker: subprocess.Popen[bytes], wanted: int) -> set[int]:
    """Of the compilers at work; `wanted` among them, if they ever have it."""
    job = {
        "id": "d",
        "language": "cpp",
        "source": SLOW.format(90_000),
        "exercise": "scale",
        "purpose": "compile",
    }
    client = Client(worker.stdout, worker.stdin)
    client.send({"draft": job})
    deadline = time.monotonic() + 60
    found: set[int] = set()
    while wanted not in found and time.monotonic() < deadline:  # others wait for submissions
        found = {niceness(pid) for pid in descendants(worker.pid) if name_of(pid) == "cc1plus"}
    client.send({"cancel": "d"})
    return found


def stop_compiler(worker: subprocess.Popen[bytes], but: int = 0) -> int:
    """Stops a compiler of the worker, other than `but`, as soon as there is one; its process."""
    while not (found := [p for p in descendants(worker.pid) if name_of(p) == "cc1plus" and p != but]):
        time.sleep(0.001)
    os.kill(found[0], signal.SIGSTOP)
    return found[0]


@pytest.mark.parametrize("first", ["draft", "submission"])
def test_submission_and_the_draft_of_its_source_take_what_is_built_first(exercises: Path, first: str) -> None:
    source = f"{GOOD['cpp']}\n{SLOW.format(20_000)}\n// {time.time_ns()}\n"
    job = {"id": "d", "language": "cpp", "source": source, "exercise": "scale", "purpose": "compile"}
    arguments = command(exercises, "--pool", "0", "--draft-priority", "normal")
    found: dict[str, dict[str, Any]] = {}
    with subprocess.Popen(arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        client = Client(worker.stdout, worker.stdin)
        client.send({"draft": job})
        draft = stop_compiler(worker)
        client.job("j", "cpp", source)
        if first == "draft":
            stop_compiler(worker, draft)
            os.kill(draft, signal.SIGCONT)
        while not {"draft", "verdict"} <= found.keys():
            message = client.receive()
            event = message.get("event", {})
            found |= {event["type"]: event["data"]} if event else {"draft": message["draft"]}
        worker.kill()
    assert (found["draft"]["state"], found["draft"]["code"]) == ("compiled", found["verdict"]["code"])
    assert (found["draft"]["cached"], found["compiled"]["cached"]) == (first == "submission", first == "draft")


def test_metrics_count_jobs_phases_and_the_pool(client: Client) -> None:
    client.job("j", "python", GOOD["python"])
    assert client.verdict("j")["code"] == "accepted"
    client.send({"metrics": 1})
    while "metrics" not in (message := client.receive()):
        pass
    metrics = message["metrics"]
    assert metrics["jobs"] == {"accepted": 1}
    assert metrics["phases"]["run"]["count"] == metrics["phases"]["run"]["buckets"][-1][1] == 1
    assert metrics["phases"]["total"]["sum"] > 0
    assert metrics["pool"]["hits"] + metrics["pool"]["misses"] == 1
    assert set(metrics["pool"]["size"].values()) == {1}


def test_waiting_in_the_queue_is_not_counted(client: Client) -> None:
    source = hooked("python", "import time; time.sleep(0.7)")
    for number in range(6):  # on two slots the last ones wait for longer than the exercise's limit of 2.5 s
        client.job(f"w{number}", "python", source)
    assert client.verdicts(6) == {f"w{number}": "accepted" for number in range(6)}


def test_job_is_no_draft(client: Client) -> None:
    client.send({"draft": {"id": "d", "language": "cpp", "source": "", "exercise": "scale"}})
    assert "only compiled" in client.receive()["error"]


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
