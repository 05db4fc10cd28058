"""A worker that speaks the grader's protocol and does as the submitted source says, one order a line.

Orders: `sleep S`, `accept`, `wrong`, `fault`, `crash`, `crash-until N` and `hang-until N` (attempts), `bad-verdict`,
`garbage`, `twice`, `stale`, `after` (a second verdict), `hang`, `await-cancel`, `hold`
(until cancelled, and obeys), `timed MS`, `timed-elsewhere MS` (accepted with a time, on one GPU or another),
`timed-simulated MS`, `timed-wrong MS` (the same from the simulator, and for a wrong answer).
A draft is answered by `compile_draft`. Every job it is given is written to the file named by FAKE_WORKER_LOG.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

LOCK = threading.Lock()
CANCELLED: set[str] = set()
SLOTS = int(os.environ.get("FAKE_WORKER_SLOTS", "2"))
BACKEND = {"name": "simulated", "cudnn_version": 91900, "device": "simulated cuDNN (CPU)", "driver": ""}


def say(message: object) -> None:
    with LOCK:
        sys.stdout.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        sys.stdout.flush()


class Work:
    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.seq = 0
        self.done = False

    def event(self, kind: str, data: dict[str, Any], attempt: int | None = None) -> None:
        self.seq += 1
        attempt = self.job["attempt"] if attempt is None else attempt
        event = {"job": self.job["id"], "attempt": attempt, "seq": self.seq, "type": kind, "data": data}
        say({"event": event})

    def verdict(self, code: str, **more: Any) -> None:
        self.done = True
        case = {"name": "one", "shown": True, "code": code, "outputs": [], "data": {}, "parameters": {"N": 1}}
        data = {"code": code, "backend": BACKEND, "seed": 7, "passed": int(code == "accepted"), "total": 1}
        self.event("verdict", data | {"cases": [case], "first_failed": "" if code == "accepted" else "one"} | more)

    def run(self) -> None:
        self.event("compiling", {})
        self.event("compiled", {"diagnostics": [], "seconds": 0.1, "cached": False})
        self.event("running", {"cases": ["one"]})
        for line in self.job["source"].splitlines():
            if not self.done:
                self.order(*line.split())
        if not self.done:
            self.verdict("accepted")

    def order(self, name: str = "", argument: str = "0", *_: str) -> None:
        if name in VERDICTS:
            self.verdict(VERDICTS[name], **({"data": FAULT, "stderr": FAULT["text"]} if name == "fault" else {}))
        elif order := ORDERS.get(name):
            order(self, float(argument))


def crash_until(work: Work, attempt: float) -> None:
    if work.job["attempt"] < attempt:
        os._exit(9)


def hang_until(work: Work, attempt: float) -> None:
    if work.job["attempt"] < attempt:
        time.sleep(3600)


def bad_verdict(work: Work, _: float) -> None:
    work.done = True
    work.event("verdict", {"code": "no_such_code"})


def garbage(_: Work, __: float) -> None:
    say("this is not JSON")
    say({"event": {"job": 3}})
    say({"event": {"job": "nobody", "attempt": 1, "seq": 1, "type": "case", "data": {}}})


def twice(work: Work, _: float) -> None:
    work.seq -= 1
    work.event("running", {"cases": ["one"]})


def after(work: Work, _: float) -> None:
    work.verdict("accepted")
    work.verdict("wrong_answer")


def await_cancel(work: Work, _: float) -> None:
    while work.job["id"] not in CANCELLED:
        time.sleep(0.01)


def hold(work: Work, _: float) -> None:
    await_cancel(work, 0)
    work.verdict("cancelled")


def timed(work: Work, milliseconds: float, code: str = "accepted", **backend: str) -> None:
    seconds = milliseconds / 1000
    timing = {"case": "one", "warmup": 1, "seconds": [seconds] * 3, "median": seconds, "best": seconds, "floor": 0.0}
    work.verdict(code, timing=timing, backend=BACKEND | {"name": "gpu", "device": "Test GPU 1"} | backend)


FAULT = {
    "fault": "BackendUnavailableError",
    "text": "the native part in /srv/course/build is stale",
    "mend": "run `make native`",
}
VERDICTS = {"accept": "accepted", "wrong": "wrong_answer", "fault": "grader_fault"}
ORDERS: dict[str, Callable[[Work, float], None]] = {
    "sleep": lambda _, seconds: time.sleep(seconds),
    "crash": lambda _, __: os._exit(9),
    "crash-until": crash_until,
    "hang-until": hang_until,
    "bad-verdict": bad_verdict,
    "garbage": garbage,
    "twice": twice,
    "stale": lambda work, _: work.event("case", {"name": "stale"}, attempt=0),
    "after": after,
    "hang": lambda _, __: time.sleep(3600),
    "await-cancel": await_cancel,
    "hold": hold,
    "timed": timed,
    "timed-elsewhere": lambda work, milliseconds: timed(work, milliseconds, device="Test GPU 2"),
    "timed-simulated": lambda work, milliseconds: timed(work, milliseconds, name="simulated"),
    "timed-wrong": lambda work, milliseconds: timed(work, milliseconds, "wrong_answer"),
}


def compile_draft(job: dict[str, Any]) -> None:
    """Drafts: `slow` compiles until it is cancelled, `garbled` is answered with nonsense; all others have an error."""
    report = {"id": job["id"], "state": "compiled", "code": "compile_error", "seconds": 0.1, "cached": False}
    error = {"line": 1, "column": 2, "severity": "error", "message": job["source"], "end_column": 0}
    if job["source"] == "slow":
        while job["id"] not in CANCELLED:
            time.sleep(0.01)
        report = {"id": job["id"], "state": "cancelled"}
    elif job["source"] == "garbled":
        say({"draft": {"id": job["id"], "state": "compiled", "diagnostics": "none"}})
        report = {"id": job["id"], "state": "failed"}
    elif job["source"] == "crash":
        os._exit(9)
    else:
        report["diagnostics"] = [error]
    say({"draft": report})


def main() -> None:
    say({"ready": {"backend": BACKEND, "slots": SLOTS, "environment": {}}})
    for line in sys.stdin:
        message = json.loads(line)
        if "job" in message:
            if path := os.environ.get("FAKE_WORKER_LOG"):
                with open(path, "a", encoding="utf-8") as log:
                    log.write(json.dumps(message["job"]) + "\n")
            threading.Thread(target=Work(message["job"]).run, daemon=True).start()
        elif "draft" in message:
            threading.Thread(target=compile_draft, args=(message["draft"],), daemon=True).start()
        elif "metrics" in message:
            phases = {"run": {"buckets": [[0.1, 2], [None, 3]], "sum": 1.5, "count": 3}, "odd": "text"}
            say(
                {
                    "metrics": {
                        "jobs": {'a"b': 3, "odd": "x"},
                        "phases": phases,
                        "pool": {"ready": {"cpp": 2}, "hits": 5},
                    }
                }
            )
        elif "cancel" in message:
            CANCELLED.add(message["cancel"])
        elif "ping" in message:
            say({"pong": 1})
    os._exit(0)


if __name__ == "__main__":
    main()
