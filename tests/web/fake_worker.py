"""A worker that speaks the grader's protocol and does as the submitted source says, one order a line.

Orders: `sleep S`, `accept`, `wrong`, `fault`, `crash`, `crash-until N` (attempt), `bad-verdict`, `garbage`, `twice`,
`stale`, `hang`, `hold` (until cancelled). Every job it is given is written to the file named by FAKE_WORKER_LOG.
"""

import json
import os
import sys
import threading
import time
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

    def order(self, name: str = "", argument: str = "0") -> None:
        match name:
            case "sleep":
                time.sleep(float(argument))
            case "accept":
                self.verdict("accepted")
            case "wrong":
                self.verdict("wrong_answer")
            case "fault":
                self.verdict("grader_fault", data={"fault": "told to"})
            case "crash":
                os._exit(9)
            case "crash-until":
                if self.job["attempt"] < int(argument):
                    os._exit(9)
            case "bad-verdict":
                self.done = True
                self.event("verdict", {"code": "no_such_code"})
            case "garbage":
                say("this is not JSON")
                say({"event": {"job": 3}})
                say({"event": {"job": "nobody", "attempt": 1, "seq": 1, "type": "case", "data": {}}})
            case "twice":
                self.seq -= 1
                self.event("running", {"cases": ["one"]})
            case "stale":
                self.event("case", {"name": "stale"}, attempt=0)
            case "after":
                self.verdict("accepted")
                self.verdict("wrong_answer")
            case "hang":
                time.sleep(3600)
            case "hold":
                while self.job["id"] not in CANCELLED:
                    time.sleep(0.01)
                self.verdict("cancelled")


def main() -> None:
    say({"ready": {"backend": BACKEND, "slots": SLOTS, "environment": {}}})
    for line in sys.stdin:
        message = json.loads(line)
        if "job" in message:
            if path := os.environ.get("FAKE_WORKER_LOG"):
                with open(path, "a", encoding="utf-8") as log:
                    log.write(json.dumps(message["job"]) + "\n")
            threading.Thread(target=Work(message["job"]).run, daemon=True).start()
        elif "cancel" in message:
            CANCELLED.add(message["cancel"])
        elif "ping" in message:
            say({"pong": 1})
    os._exit(0)


if __name__ == "__main__":
    main()
