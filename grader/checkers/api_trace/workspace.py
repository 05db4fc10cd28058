"""Rules on workspaces of convolutions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.checkers.api_trace.facts import (
    MANY,
    Calls,
    Life,
    family,
    in_turn,
    integer,
    is_compute,
    objects,
    shape_key,
    stream_of,
    succeeded,
    value,
)
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

MEBIBYTE = 1 << 20
FAR = 200
"""Calls between a computation and the freeing of its workspace; beyond it nothing is inferred."""


Key = tuple[str, tuple[object, ...]]
"""Algorithm and the contents of the descriptors."""


@dataclass(slots=True)
class Answers:
    """What the library has told of workspaces so far, for one operation."""

    algorithms: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Algorithms whose query failed."""
    queried: dict[Key, int] = field(default_factory=dict)
    listed: dict[Key, int] = field(default_factory=dict)
    """Least size among a list's entries: one algorithm can have several, which differ in their math type."""

    def hear(self, call: Call) -> None:
        """Takes in a successful query, or a list of algorithms."""
        shapes = shape_key(call)
        size = integer(call.outs.get("sizeInBytes"))
        if call.name.endswith("WorkspaceSize") and size is not None:
            self._note((str(call.args.get("algo")), shapes), self.queried, size)
        results = call.outs.get("perfResults")
        entries = [e for e in results if isinstance(e, dict)] if isinstance(results, list) else []
        for entry in entries:
            memory = integer(entry.get("memory"))
            if memory is not None and entry.get("status") == "CUDNN_STATUS_SUCCESS":
                key = (str(entry.get("algo")), shapes)
                self._note(key, self.listed, min(memory, self.listed.get(key, memory)))

    def _note(self, key: Key, sizes: dict[Key, int], size: int) -> None:
        if key[0] not in self.algorithms:
            self.algorithms.append(key[0])
        sizes[key] = size

    def borrowed(self, work: Call, size: int) -> str:
        """Another algorithm whose answer was exactly `size`, for the same convolution; "" where there is none."""
        shapes = shape_key(work)
        return next((algo for (algo, same), told in self.queried.items() if told == size and same == shapes), "")

    def needed(self, work: Call) -> int | None:
        """Bytes for exactly this convolution; None where nothing was told about it."""
        key = (str(work.args.get("algo")), shape_key(work))
        return self.queried.get(key, self.listed.get(key))


def sized_work(calls: Calls) -> Iterator[tuple[Call, int, Answers]]:
    """Convolutions with the workspace size that they were given, and what had been told by then."""
    told: dict[str, Answers] = {}
    for call in calls.own:
        answers = told.setdefault(family(call.name), Answers())
        size = integer(call.args.get("workSpaceSizeInBytes"))
        if is_compute(call.name) and family(call.name) and size is not None and "algo" in call.args:
            yield call, size, answers
        elif family(call.name) and succeeded(call):
            answers.hear(call)
        elif call.name.endswith("WorkspaceSize"):
            answers.refused.add(str(call.args.get("algo")))


@rule("workspace_not_asked", "workspaces")
def workspace_not_asked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A workspace is given whose size the library never told; a failed call without one counts too."""
    found = []
    for call, size, answers in sized_work(calls):
        guessed = size > 0 and not _round(size)
        if not answers.algorithms and (guessed or (size == 0 and _refused_without(call))):
            found.append(finding("workspace_not_asked", call, bytes=size, algo=call.args["algo"]))
    return found


def _refused_without(call: Call) -> bool:
    """Whether a call without workspace failed as for want of one: BAD_PARAM, with an algorithm that needs it."""
    hungry = any(word in str(call.args["algo"]) for word in ("PRECOMP", "FFT", "WINOGRAD"))
    return hungry and call.status is not None and call.status // 1000 == 2


@rule("workspace_never_asked", "workspaces", on_request=True)
def workspace_never_asked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A convolution runs without any question about its workspace, even if it needs none."""
    data = [(call, size) for call, size, answers in sized_work(calls) if not answers.algorithms]
    return [finding("workspace_never_asked", call, bytes=size, algo=call.args["algo"]) for call, size in data]


def _round(size: int) -> bool:
    return size >= MEBIBYTE and size % MEBIBYTE == 0


@rule("fixed_workspace_size", "workspaces")
def fixed_workspace_size(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The workspace has a round size of the program's own choice, and the library was never asked."""
    return [
        finding("fixed_workspace_size", call, bytes=size, mebibytes=size // MEBIBYTE)
        for call, size, answers in sized_work(calls)
        if _round(size) and not answers.algorithms
    ]


@rule("workspace_of_other_algorithm", "workspaces")
def workspace_of_other_algorithm(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The size was asked for, but for another algorithm than the one that runs.

    No workspace at all counts too where that was the answer for the other algorithm; else it may be a fall-back.
    """
    found = []
    for call, size, answers in sized_work(calls):
        if not answers.algorithms or call.args["algo"] in (*answers.algorithms, *answers.refused):
            continue
        asked = answers.borrowed(call, size) or (answers.algorithms[-1] if size > 0 else "")
        if asked:
            data = {"bytes": size, "algo": call.args["algo"], "asked": asked}
            found.append(finding("workspace_of_other_algorithm", call, **data))
    return found


@rule("workspace_too_small", "workspaces")
def workspace_too_small(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Fewer bytes are given than the library asked for, or the buffer is smaller than the size that is stated."""
    found = []
    for call, size, answers in sized_work(calls):
        needed = answers.needed(call)
        buffer = value(call, "workSpace")
        held, offset = integer(buffer.get("bytes")), integer(buffer.get("offset"))
        if needed is not None and size < needed:
            found.append(finding("workspace_too_small", call, bytes=size, needed=needed, algo=call.args["algo"]))
        elif held is not None and offset is not None and held - offset < size:
            data = {"bytes": held - offset, "needed": size, "algo": call.args["algo"]}
            found.append(finding("workspace_too_small", call, **data))
    return found


@rule("workspace_per_call", "workspaces", severity="info")
def workspace_per_call(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A workspace is allocated and freed again for each of several computations, where one would do."""
    found = []
    for case in calls.by_case.values():
        spaces = [life for life in case.lives if life.created.name == "cudaMalloc" and _is_workspace(life)]
        chain = in_turn(spaces)
        if len(chain) >= MANY:
            found.append(finding("workspace_per_call", chain[1].created, count=len(chain)))
    return found


def _is_workspace(life: Life) -> bool:
    """Whether the buffer is given as a workspace, and for nothing else."""
    given = {name for call in life.uses for name, used in objects(call) if used.get("id") == life.id}
    return bool(given) and given <= {"workSpace", "workspace"}


@rule("workspace_freed_before_synchronise", "workspaces")
def workspace_freed_before_synchronise(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A workspace is freed on one stream while the convolution may still run on another."""
    found = []
    learner = calls.own
    for position, call in enumerate(learner):
        if call.name != "cudaFreeAsync" or not succeeded(call):
            continue
        buffer = value(call, "devPtr").get("id")
        work = _last_work(learner[:position], buffer)
        if work is not None and stream_of(work) != value(call, "hStream").get("id"):
            found.append(finding("workspace_freed_before_synchronise", call, id=buffer, work=work.name))
    return found


def _last_work(earlier: Sequence[Call], buffer: object) -> Call | None:
    """The computation that uses the buffer as workspace, unless the program has waited since."""
    for call in reversed(earlier[-FAR:]):
        if "Synchronize" in call.name or call.name == "cudaStreamWaitEvent":
            return None
        if buffer is not None and value(call, "workSpace").get("id") == buffer:
            return call
    return None
