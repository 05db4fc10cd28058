"""Compiles drafts while their writers pause: in the same jails as submissions, at the lowest priority, never run.

What comes of it is kept in the build cache, so that the submission of the same source finds its library ready. Drafts
give way: none is begun while a job runs or the machine is loaded, and one that compiles is stopped when a job begins,
unless the job is for the same source. Both then compile, and what ends first serves both (`runners/cpp.py`): at its low
priority the draft does not slow the job down, and has the head start.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from grader.contract.codes import Code
from grader.contract.draft import DraftReport, DraftState
from grader.contract.job import Job
from grader.contract.verdict import Event
from grader.grade import grade
from grader.workshop import Workshop

log = logging.getLogger(__name__)

Answer = Callable[[DraftReport], None]
MAX_WAITING = 16
"""Drafts that wait; a machine with more of them is busy."""
PATIENCE_S = 5.0
"""How long a draft waits for a moment without jobs."""
LOAD_PER_PROCESSOR = 1.5
"""Load average, by processor, above which nothing is compiled ahead."""


@dataclass(slots=True, eq=False)
class _Draft:
    job: Job
    answer: Answer
    cancel: threading.Event = field(default_factory=threading.Event)
    answered: bool = False

    def is_for(self, job: Job) -> bool:
        return (self.job.exercise, self.job.language, self.job.source) == (job.exercise, job.language, job.source)


class Drafts:
    """`workshop`: of its own, without a pool. load_limit: load average above which nothing is compiled ahead."""

    def __init__(self, workshop: Workshop, load_limit: float | None = None) -> None:
        self._workshop = workshop
        self._load_limit = load_limit if load_limit is not None else LOAD_PER_PROCESSOR * (os.cpu_count() or 1)
        self._waiting: list[_Draft] = []
        self._current: _Draft | None = None
        self._jobs = 0
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="drafts", daemon=True)
        self.compiled = 0
        self.refused = 0

    def start(self) -> None:
        self._thread.start()

    def offer(self, job: Job, answer: Answer) -> None:
        """Compiles `job.source` when there is time. `answer` is called once, from another thread."""
        draft = _Draft(job, answer)
        busy = os.getloadavg()[0] > self._load_limit
        with self._changed:
            busy = busy or self._closed or len(self._waiting) >= MAX_WAITING
            if not busy:
                self._waiting.append(draft)
                self._changed.notify_all()
        if busy:
            self._drop(draft, "busy")

    def cancel(self, job_id: str) -> None:
        """Stops a draft that waits or compiles; unknown ids are ignored."""
        with self._changed:
            known = [*self._waiting, *([self._current] if self._current else [])]
            found = next((draft for draft in known if draft.job.id == job_id), None)
        if found is not None:
            self._drop(found, "cancelled")

    def _drop(self, draft: _Draft, state: DraftState) -> None:
        """Answers a draft that waits (or never did); one that compiles is only told to stop."""
        with self._changed:
            if draft in self._waiting:
                self._waiting.remove(draft)
            refused = draft is not self._current and not draft.answered
            draft.answered = draft.answered or refused
            self.refused += refused
        draft.cancel.set()
        if refused:
            draft.answer(DraftReport(draft.job.id, state))

    @contextmanager
    def giving_way(self, job: Job) -> Iterator[None]:
        """While `job` is graded, no draft is begun, and none of another source goes on."""
        with self._changed:
            self._jobs += 1
            current = self._current
        if current is not None and not current.is_for(job):
            current.cancel.set()
        try:
            yield
        finally:
            with self._changed:
                self._jobs -= 1
                self._changed.notify_all()

    def _next(self) -> _Draft | None:
        """The draft to compile now; None at the end."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return None
                draft = self._waiting[0]
                idle = self._changed.wait_for(lambda: self._closed or self._jobs == 0, PATIENCE_S)
                if idle and not self._closed and draft in self._waiting:
                    self._waiting.remove(draft)
                    self._current = draft
                    return draft
            self._drop(draft, "busy")

    def _work(self) -> None:
        while (draft := self._next()) is not None:
            report = self._compile(draft)
            with self._changed:
                self._current, draft.answered = None, True
            draft.answer(report)

    def _compile(self, draft: _Draft) -> DraftReport:
        compiled: dict[str, Any] = {}

        def emit(event: Event) -> None:
            if event.type == "compiled":
                compiled.update(event.data)

        self._workshop.cancel = draft.cancel
        verdict = grade(draft.job, emit, self._workshop)
        if verdict.code is Code.CANCELLED:
            self.refused += 1
            return DraftReport(draft.job.id, "cancelled")
        if verdict.code is Code.GRADER_FAULT:
            log.warning("draft %s: grader fault: %s", draft.job.id, verdict.data)
            return DraftReport(draft.job.id, "failed")
        self.compiled += 1
        return DraftReport(draft.job.id, "compiled", verdict.code, **compiled)

    def close(self) -> None:
        """Stops what compiles, answers what waits, ends the thread."""
        with self._changed:
            self._closed = True
            waiting, current = list(self._waiting), self._current
            self._changed.notify_all()
        for draft in waiting:
            self._drop(draft, "cancelled")
        if current is not None:
            current.cancel.set()
        if self._thread.is_alive():
            self._thread.join()
