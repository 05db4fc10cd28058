"""Background compilation: when a draft is compiled, when it gives way, and that it is answered once."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from grader import drafts as module
from grader.contract.codes import Code
from grader.contract.draft import DraftReport
from grader.contract.job import Job
from grader.contract.verdict import Event, Verdict
from grader.drafts import MAX_WAITING, Drafts
from grader.workshop import Workshop

NEVER_BUSY = 1e9


class Compiler:
    """Stands for `grade`: compiles until `release`d or cancelled, and remembers what it was given."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.began = threading.Semaphore(0)
        self.sources: list[str] = []

    def __call__(self, job: Job, emit: Callable[[Event], None], workshop: Workshop) -> Verdict:
        self.sources.append(job.source)
        self.began.release()
        assert workshop.cancel is not None
        while not self.release.is_set() and not workshop.cancel.is_set():
            time.sleep(0.002)
        if workshop.cancel.is_set():
            return Verdict(Code.CANCELLED)
        emit(Event("compiled", {"diagnostics": [{"line": 3}], "seconds": 0.2, "cached": False}))
        return Verdict(Code.COMPILE_ERROR)


class Answers(dict[str, list[DraftReport]]):
    """By draft id; `wait` gives the one answer."""

    def take(self, report: DraftReport) -> None:
        self.setdefault(report.id, []).append(report)

    def wait(self, name: str) -> DraftReport:
        deadline = time.monotonic() + 20
        while name not in self and time.monotonic() < deadline:
            time.sleep(0.002)
        assert len(self[name]) == 1
        return self[name][0]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    compiler = Compiler()
    monkeypatch.setattr(module, "grade", compiler)
    return compiler


@pytest.fixture
def drafts(compiler: Compiler) -> Iterator[Drafts]:
    drafts = Drafts(Workshop(background=True), NEVER_BUSY)
    drafts.start()
    yield drafts
    compiler.release.set()
    drafts.close()


@pytest.fixture
def answers() -> Answers:
    return Answers()


def draft(name: str, source: str = "int x;") -> Job:
    return Job(name, "cpp", source, "scale", purpose="compile")


def submission(source: str) -> Job:
    return Job("submission", "cpp", source, "scale")


def test_draft_is_compiled_and_its_messages_told(drafts: Drafts, compiler: Compiler, answers: Answers) -> None:
    compiler.release.set()
    drafts.offer(draft("a"), answers.take)
    report = answers.wait("a")
    assert (report.state, report.code, report.diagnostics) == ("compiled", "compile_error", [{"line": 3}])


def test_one_at_a_time_in_order(drafts: Drafts, compiler: Compiler, answers: Answers) -> None:
    for name in "abc":
        drafts.offer(draft(name, name), answers.take)
    compiler.began.acquire()
    assert compiler.sources == ["a"]
    compiler.release.set()
    answers.wait("c")
    assert compiler.sources == ["a", "b", "c"]


def test_job_stops_the_draft_of_another_source(drafts: Drafts, compiler: Compiler, answers: Answers) -> None:
    drafts.offer(draft("a"), answers.take)
    compiler.began.acquire()
    with drafts.giving_way(submission("int y;")):
        assert answers.wait("a").state == "cancelled"
        drafts.offer(draft("b"), answers.take)
        assert not compiler.began.acquire(timeout=0.1), "a draft was begun beside a job"
    compiler.began.acquire()
    compiler.release.set()
    assert answers.wait("b").state == "compiled"


def test_job_leaves_the_draft_of_its_own_source_at_work(drafts: Drafts, compiler: Compiler, answers: Answers) -> None:
    drafts.offer(draft("a"), answers.take)
    compiler.began.acquire()
    with drafts.giving_way(submission("int x;")):
        assert answers == {}
        compiler.release.set()
        assert answers.wait("a").state == "compiled"


def test_waiting_draft_can_be_cancelled(drafts: Drafts, compiler: Compiler, answers: Answers) -> None:
    drafts.offer(draft("a"), answers.take)
    compiler.began.acquire()
    drafts.offer(draft("b", "second"), answers.take)
    drafts.cancel("b")
    drafts.cancel("a")
    drafts.cancel("unknown")
    assert [answers.wait(name).state for name in "ab"] == ["cancelled", "cancelled"]
    assert compiler.sources == ["int x;"]


def test_loaded_machine_compiles_nothing_ahead(compiler: Compiler, answers: Answers) -> None:
    drafts = Drafts(Workshop(background=True), load_limit=-1.0)
    drafts.start()
    drafts.offer(draft("a"), answers.take)
    assert answers.wait("a") == DraftReport("a", "busy")
    drafts.close()
    assert compiler.sources == []


def test_too_many_drafts_are_refused_and_all_are_answered_at_the_end(compiler: Compiler, answers: Answers) -> None:
    drafts = Drafts(Workshop(background=True), NEVER_BUSY)
    drafts.start()
    drafts.offer(draft("first"), answers.take)
    compiler.began.acquire()
    for number in range(MAX_WAITING + 1):
        drafts.offer(draft(str(number)), answers.take)
    assert answers.wait(str(MAX_WAITING)).state == "busy"
    drafts.close()
    assert {answers.wait(str(number)).state for number in range(MAX_WAITING)} == {"cancelled"}
    assert len(answers) == MAX_WAITING + 2
