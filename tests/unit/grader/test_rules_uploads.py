"""Outputs whose content comes from the host, and near programs whose outputs cuDNN has computed."""

from typing import Any

import pytest

from grader.checkers.api_trace import outputs_from_the_host
from grader.contract.exercise import load_exercise
from grader.paths import ROOT
from grader.rules import _computed_outputs
from tests.unit.grader.rules_trace import HOST, Program, Trace, device

SIZE = 64
TO_DEVICE, DEFAULT, BETWEEN = "cudaMemcpyHostToDevice", "cudaMemcpyDefault", "cudaMemcpyDeviceToDevice"
PACK = {"kind": "backend", "id": "backend#1"}


def buffer(id: str, **content: Any) -> dict[str, Any]:
    return device(id, SIZE, **content)


def copy(t: Trace, source: Any, target: str = "y", kind: str = TO_DEVICE, count: int = SIZE, **options: Any) -> Trace:
    name = options.pop("name", "cudaMemcpy")
    status = options.pop("status", 0)
    return t.call(name, status=status, dst=buffer(target, **options), src=source, count=count, kind=kind)


def between(t: Trace, source: str, target: str = "y", count: int = SIZE) -> Trace:
    return copy(t, buffer(source), target, BETWEEN, count)


def convolve(t: Trace, target: str = "y", status: int = 0, beta: float = 0.0) -> Trace:
    return t.forward(status, y=buffer(target), beta=beta)


def noted(t: Trace, source: Any, target: str = "y") -> Trace:
    return t.note("copied", dst=buffer(target), src=source, bytes=SIZE, line=7)


def handed(t: Trace) -> Trace:
    return t.call("cudnnBackendSetAttribute", descriptor=PACK, arrayOfElements=[buffer("x"), buffer("y")])


def execute(t: Trace, **pack: Any) -> Trace:
    return t.call("cudnnBackendExecute", executionPlan={"kind": "backend", "id": "backend#2"}, variantPack=PACK | pack)


def managed(t: Trace) -> Trace:
    return t.call("cudaMallocManaged", {"devPtr": buffer("buffer#1")}, size=SIZE)


FOUND: dict[str, Program] = {
    "after the call": lambda t: copy(convolve(t), HOST),
    "only a part": lambda t: copy(convolve(t), HOST, count=4, offset=60),
    "without waiting": lambda t: copy(convolve(t), HOST, name="cudaMemcpyAsync"),
    "row by row": lambda t: copy(convolve(t), HOST, name="cudaMemcpy2D"),
    "direction left to CUDA": lambda t: copy(convolve(t), HOST, kind=DEFAULT),
    "from pinned memory": lambda t: copy(convolve(t), {"kind": "pinned", "id": "pinned#1"}, kind=DEFAULT),
    "the call writes elsewhere": lambda t: copy(convolve(t, "buffer#1"), HOST),
    "the later call fails": lambda t: convolve(copy(t, HOST), status=2000),
    "the later call writes elsewhere": lambda t: convolve(copy(convolve(t), HOST), "buffer#1"),
    "through a buffer": lambda t: between(copy(convolve(t, "buffer#1"), HOST, "buffer#1"), "buffer#1"),
    "through managed memory": lambda t: between(managed(convolve(t)), "buffer#1"),
    "a part is copied over": lambda t: between(copy(convolve(t), HOST), "x", count=8),
    "after a graph": lambda t: copy(execute(handed(t)), HOST),
    "the later graph works elsewhere": lambda t: execute(copy(handed(t), HOST), id="backend#3"),
    "a graph that is not run": lambda t: handed(copy(convolve(t), HOST)),
    "by CuPy": lambda t: noted(convolve(t), HOST),
    "through an array of CuPy": lambda t: noted(noted(convolve(t), HOST, "buffer#1"), buffer("buffer#1")),
}

CLEAN: dict[str, Program] = {
    "no copy": convolve,
    "before the call": lambda t: convolve(copy(t, HOST), beta=1.0),
    "the call is repeated": lambda t: convolve(copy(convolve(t), HOST)),
    "into an input": lambda t: copy(convolve(t), HOST, "x"),
    "into a buffer": lambda t: copy(convolve(t), HOST, "buffer#1"),
    "to the host": lambda t: convolve(t).call("cudaMemcpy", dst=HOST, src=buffer("y"), kind="cudaMemcpyDeviceToHost"),
    "the copy fails": lambda t: copy(convolve(t), HOST, status=1),
    "of an input": lambda t: between(convolve(t, "buffer#1"), "x"),
    "computed in a buffer": lambda t: between(convolve(copy(t, HOST, "buffer#1"), "buffer#1"), "buffer#1"),
    "copied over": lambda t: between(copy(t, HOST), "buffer#1"),
    "computed in managed memory": lambda t: between(convolve(managed(t), "buffer#1"), "buffer#1"),
    "before a graph": lambda t: execute(handed(copy(t, HOST))),
    "into the graph's memory": lambda t: execute(copy(handed(t), HOST)),
    "by CuPy before the call": lambda t: convolve(noted(t, HOST)),
    "by CuPy into an input": lambda t: noted(convolve(t), HOST, "x"),
    "CuPy copies what cuDNN computed": lambda t: noted(convolve(t, "buffer#1"), buffer("buffer#1")),
    "another note": lambda t: convolve(t).note("strided_array", dst=buffer("y"), src=HOST),
    "odd values": lambda t: convolve(t).note("copied", dst=3, src=None).call("cudaMemcpy", dst=None, src=[], kind=1),
}


@pytest.mark.parametrize("program", FOUND.values(), ids=FOUND)
def test_an_output_from_the_host_is_found(program: Program) -> None:
    trace = program(Trace())
    (found,) = outputs_from_the_host(trace.calls, trace.notes, ["y"])
    assert (found.rule, found.severity, found.data["argument"]) == ("output_from_the_host", "required", "y")


@pytest.mark.parametrize("program", CLEAN.values(), ids=CLEAN)
def test_an_output_that_was_computed_is_not(program: Program) -> None:
    trace = program(Trace())
    assert outputs_from_the_host(trace.calls, trace.notes, ["y"]) == []


def test_only_the_outputs_that_are_named_are_judged() -> None:
    trace = copy(copy(convolve(Trace()), HOST, "dw"), HOST)
    assert outputs_from_the_host(trace.calls, trace.notes, []) == []
    assert [f.data["argument"] for f in outputs_from_the_host(trace.calls, trace.notes, ["dw"])] == ["dw"]


def test_the_finding_marks_the_last_copy() -> None:
    trace = copy(copy(convolve(Trace()), HOST), HOST)
    (found,) = outputs_from_the_host(trace.calls, trace.notes, ["y"])
    assert (found.call, found.line, found.data["function"]) == (2, 3, "cudaMemcpy")


def test_a_copy_by_cupy_has_a_line_but_no_call() -> None:
    trace = noted(convolve(Trace()), HOST)
    (found,) = outputs_from_the_host(trace.calls, trace.notes, ["y"])
    assert (found.call, found.line, found.data) == (None, 7, {"argument": "y"})


def test_each_case_is_judged_by_itself() -> None:
    """The argument has the same name in every case, but is other memory."""
    one, two = copy(convolve(Trace("one")), HOST), convolve(Trace("two"))
    for call in two.calls:
        call.index += len(one.calls)
    (found,) = outputs_from_the_host([*one.calls, *two.calls], [], ["y"])
    assert found.call == 1


@pytest.mark.parametrize(
    ("slug", "outputs"),
    [
        ("forward-convolution", ["y"]),
        ("running-mean-jumps", ["running_mean", "running_variance", "y"]),
        ("digit-network", ["probabilities"]),  # the other output is on the host
        ("graph-convolution", ["y"]),
        ("pad-channels", []),  # demands no computing call
        ("which-call-failed", []),
        ("handle-life", []),  # a program
    ],
)
def test_outputs_are_judged_where_a_computing_call_is_demanded(slug: str, outputs: list[str]) -> None:
    assert _computed_outputs(load_exercise(ROOT / "exercises" / slug)) == outputs
