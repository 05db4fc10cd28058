"""Takes jobs as JSON lines and reports events as JSON lines; the protocol is in docs/architecture.md.

Jobs are run by a fixed number of slots, each a thread with its own user id inside the sandbox. Lines that are not
understood are answered with `{"error": …}` and change nothing.
"""

import itertools
import json
import queue
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from grader.backends import BackendUnavailableError, find_backend
from grader.contract.draft import DraftReport
from grader.contract.job import Job
from grader.contract.verdict import Event, plain
from grader.drafts import Drafts
from grader.grade import grade
from grader.metrics import Metrics
from grader.workshop import Workshop

Write = Callable[[dict[str, Any]], None]
MAX_LINE_BYTES = 4 << 20


class Worker:
    """`workshops`: one for each slot. `write` sends one message and may be called from any thread.

    drafts: what compiles drafts in the background; None: they are answered `off`. metrics: shared by the workers of a
    process.
    """

    def __init__(
        self, workshops: list[Workshop], write: Write, drafts: Drafts | None = None, metrics: Metrics | None = None
    ) -> None:
        self.write = write
        self.drafts = drafts
        self.metrics = metrics or Metrics()
        self.jobs: queue.Queue[Job | None] = queue.Queue()
        self.cancels: dict[str, threading.Event] = {}
        self.lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self._slot, args=(workshop,), name=f"slot-{i}", daemon=True)
            for i, workshop in enumerate(workshops)
        ]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def _slot(self, workshop: Workshop) -> None:
        while (job := self.jobs.get()) is not None:
            with self.lock:
                workshop.cancel = self.cancels.setdefault(job.id, threading.Event())
            with ExitStack() as around:
                if workshop.pool is not None:
                    around.enter_context(workshop.pool.working())
                if self.drafts is not None:
                    around.enter_context(self.drafts.giving_way(job))
                grade(job, self._emitter(job), workshop)
            with self.lock:
                self.cancels.pop(job.id, None)

    def _emitter(self, job: Job) -> Callable[[Event], None]:
        """Numbers the events and writes them; a verdict is counted before it is told, so that who has it finds it."""
        numbers = itertools.count(1)

        def emit(event: Event) -> None:
            if event.type == "verdict":
                self.metrics.observe(event.data)
            self.write(event.message(job, next(numbers)))

        return emit

    def handle(self, line: bytes | str) -> None:
        """One line of the protocol. Never raises for what the line says."""
        if not line.strip():
            return
        try:
            message = json.loads(line)
            if not isinstance(message, dict):
                raise ValueError("a line must be a JSON object")
            self._message(message)
        except (ValueError, TypeError, RecursionError) as error:
            self.write({"error": str(error)[:500]})

    def _message(self, message: dict[str, Any]) -> None:
        if "ping" in message:
            self.write({"pong": message["ping"]})
        elif "metrics" in message:
            self.write({"metrics": self.metrics.to_json()})
        elif "cancel" in message:
            self.cancel(str(message["cancel"]))
        elif isinstance(message.get("job"), dict):
            job = Job.from_json(message["job"])
            with self.lock:
                self.cancels[job.id] = threading.Event()
            self.jobs.put(job)
        elif isinstance(message.get("draft"), dict):
            self._draft(Job.from_json(message["draft"]))
        else:
            raise ValueError("a line must hold `job`, `draft`, `cancel`, `metrics` or `ping`")

    def _draft(self, job: Job) -> None:
        if job.purpose != "compile":
            raise ValueError("a draft is only compiled: its `purpose` must be 'compile'")
        if self.drafts is None:
            self._report(DraftReport(job.id, "off"))
        else:
            self.drafts.offer(job, self._report)

    def _report(self, report: DraftReport) -> None:
        self.write({"draft": plain(report)})

    def cancel(self, job_id: str) -> None:
        """Stops a job that waits or runs; its verdict is `cancelled`. Unknown ids are ignored."""
        with self.lock:
            if event := self.cancels.get(job_id):
                event.set()
                return
        if self.drafts is not None:
            self.drafts.cancel(job_id)

    def serve(self, lines: Iterable[bytes | str]) -> None:
        """Handles lines until they end, then lets the running jobs finish."""
        for line in lines:
            self.handle(line)
        self.finish()

    def finish(self, *, cancel: bool = False) -> None:
        """Takes no more jobs. cancel: ends those that run instead of waiting for them."""
        if cancel:
            with self.lock:
                for event in self.cancels.values():
                    event.set()
        for _ in self.threads:
            self.jobs.put(None)
        for thread in self.threads:
            if thread.is_alive():
                thread.join()


def ready_message(slots: int, environment: dict[str, Any]) -> dict[str, Any]:
    """The line that a worker begins with."""
    try:
        backend = plain(find_backend("auto").info)
    except BackendUnavailableError as error:
        backend = None
        environment = {**environment, "backend_missing": str(error), "mend": error.mend}
    return {"ready": {"backend": backend, "slots": slots, "environment": environment}}


class Terminated(Exception):
    """SIGTERM or SIGINT arrived."""


def raise_on_signals() -> None:
    """Lets SIGTERM end the process in order, with every sandbox closed."""

    def stop(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
