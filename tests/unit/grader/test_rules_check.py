"""check_trace: severities, requirements, functions by name, incomplete traces, and hostile ones."""

import json
import random
from typing import Any

import pytest

from grader.checkers.api_trace import REQUIREMENTS, RULES, check_trace, known_uses
from grader.checkers.trace_reader import HEADER_BYTES, read_trace
from grader.contract.api import load_api
from grader.contract.exercise_types import Uses
from tests.unit.grader.rules_trace import Trace, codes, convolution, device, findings, handle, whole_program
from tests.unit.grader.test_rules import searched


def leaking(t: Trace) -> Trace:
    return t.create("tensor", "tensor#1").create("tensor", "tensor#2").forward()


def check(trace: Trace, **uses: tuple[str, ...]) -> list[Any]:
    return check_trace(trace.calls, trace.notes, Uses(**uses))


@pytest.mark.parametrize("word", ["leaks_descriptor", "destroys_what_it_creates"])
def test_a_required_rule_or_requirement_makes_the_finding_required(word: str) -> None:
    (found,) = findings(leaking, word)
    assert (found.rule, found.severity, found.call) == ("leaks_descriptor", "required", 0)
    assert found.data["count"] == 2


def test_advised_and_default_severities() -> None:
    assert [f.severity for f in check(leaking(Trace()), advised=("leaks_descriptor",))] == ["advised"]
    assert [f.severity for f in check(leaking(Trace()))] == [RULES["leaks_descriptor"].severity]


def test_required_wins_over_advised() -> None:
    found = check(leaking(Trace()), required=("leaks_descriptor",), advised=("leaks_descriptor",))
    assert [f.severity for f in found] == ["required"]


def test_functions_are_required_advised_and_forbidden_by_name() -> None:
    trace = Trace().forward()
    found = check(
        trace,
        required=("cudnnConvolutionForward", "cudnnSetStream"),
        advised=("cudnnGetVersion",),
        forbidden=("cudnnConvolutionForward", "numpy.dot"),
    )
    shown = [(f.rule, f.severity, f.call, f.data["function"]) for f in found]
    assert shown == [
        ("forbidden_function", "required", 0, "cudnnConvolutionForward"),
        ("not_called", "required", None, "cudnnSetStream"),
        ("not_called", "advised", None, "cudnnGetVersion"),
    ]


def test_a_program_that_was_cut_off_is_not_blamed_for_what_is_missing() -> None:
    assert codes(leaking, "destroys_what_it_creates", "cudnnDestroy", complete=False) == []


def test_suspicions_are_left_out_where_outputs_are_right() -> None:
    def flipped(t: Trace) -> Trace:
        return t.forward(convDesc=convolution(mode="CONVOLUTION"))

    assert codes(flipped) == ["convolution_mode_flip"]
    assert codes(flipped, outputs_right=True) == []
    assert codes(flipped, "convolution_mode_flip", outputs_right=True) == ["convolution_mode_flip"]


def test_where_nothing_was_compared_a_mere_hint_is_left_out_but_not_a_finding() -> None:
    assert codes(lambda t: t.forward(convDesc=convolution(mode="CONVOLUTION")), outputs_right=None) == []
    assert codes(lambda t: searched(t, 1.0), outputs_right=None) == ["find_overwrites_output"]


def test_what_the_harness_makes_is_not_the_learners() -> None:
    trace = Trace("")
    trace.create("handle", "handle#1").malloc("buffer#1")
    trace.case = "one"
    trace.forward()
    assert check(trace, required=("destroys_what_it_creates",)) == []


def test_destroying_in_a_later_case_or_after_the_last_is_no_leak() -> None:
    trace = Trace("one").create("handle", "handle#1")
    trace.case = ""
    trace.destroy("handle", "handle#1")
    assert check(trace) == []


def test_the_same_mistake_in_every_case_is_one_finding() -> None:
    trace = Trace("one").create("filter", "filter#1")
    trace.case = "two"
    trace.create("filter", "filter#2")
    (found,) = check(trace)
    assert (found.call, found.data["count"]) == (0, 2)


def test_findings_are_in_the_order_of_their_calls() -> None:
    trace = Trace().create("handle", "handle#1").forward(x={"kind": "host"}, handle=handle("handle#1"))
    trace.malloc("buffer#1")
    assert [f.rule for f in check(trace)] == ["leaks_handle", "host_pointer_given", "leaks_memory"]


def test_a_call_in_flight_is_no_failure() -> None:
    trace = Trace().forward(status=None)
    assert check_trace(trace.calls, [], Uses(), complete=False) == []


def test_words_of_requirements_are_rules() -> None:
    assert all(code in RULES for codes_ in REQUIREMENTS.values() for code in codes_)
    assert {"synchronises", "leaks_handle"} <= known_uses()


def junk(source: random.Random, depth: int = 0) -> Any:
    words = [
        "tensor",
        "backend",
        "filter",
        "handle",
        "device",
        "host",
        "id",
        "kind",
        "dims",
        "live",
        "stream",
        "tensor#1",
        "nan",
    ]
    simple: list[Any] = [None, True, -1, 0, 3, 2**60, 1e999, 0.5, "x" * 9, *words]
    if depth < 3 and source.random() < 0.5:
        if source.random() < 0.7:
            return {source.choice(words): junk(source, depth + 1) for _ in range(4)}
        return [junk(source, depth + 1) for _ in range(3)]
    return source.choice(simple)


OUTS = ("perfResults", "devPtr", "descriptor", "arrayOfElements")
GRAPH_AND_RNN = ("cudnnBackend", "cudnnRNN", "cudnnGetRNN", "cudaMemcpy")


@pytest.mark.parametrize("only", [("cud",), GRAPH_AND_RNN], ids=["all", "graph-and-rnn"])
@pytest.mark.parametrize("seed", range(30))
def test_rules_survive_any_content(seed: int, only: tuple[str, ...]) -> None:
    source = random.Random(seed)
    functions = [function for function in load_api().functions.values() if function.name.startswith(only)]
    lines = []
    for i in range(120):
        function = source.choice(functions)
        args = {p.name: junk(source) for p in function.parameters}
        record = {"i": i, "f": function.name, "a": args, "o": {name: junk(source) for name in OUTS},
                  "s": source.choice([0, 0, 2000, 700, 3000]), "us": junk(source), "line": i, "case": "c"}  # fmt: skip
        lines.append(json.dumps(record))
        lines.append(json.dumps({"note": source.choice(["uninitialised_read", "out_of_bounds"]), "call": junk(source),
                                 "case": "c", "offset": junk(source), "argument": junk(source)}))  # fmt: skip
    body = "\n".join(lines).encode()
    header = b"FPTRACE1" + len(body).to_bytes(8, "little") + bytes(20)
    trace = read_trace(header.ljust(HEADER_BYTES, b"\0") + body)
    assert len(trace.calls) > 100
    found = check_trace(trace.calls, trace.notes, Uses(required=tuple(known_uses())))
    json.dumps([f.data for f in found], allow_nan=False)


def test_a_long_trace_is_judged_in_time() -> None:
    trace = Trace()
    for _ in range(1500):
        trace.ask_workspace(64).forward(status=3000, workSpace=device("ws", 64), workSpaceSizeInBytes=64)
        whole_program(trace) if len(trace.calls) < 100 else trace.ask_dims(2000)
    assert "status_ignored" in {f.rule for f in check(trace)}


def test_a_long_trace_of_graphs_is_judged_in_time() -> None:
    """A chain of descriptors, each with the one before sixty times, used before and after it is finalised."""
    trace = Trace()
    for i in range(800):
        node, last = {"kind": "backend", "id": f"backend#{i}"}, {"kind": "backend", "id": f"backend#{max(i - 1, 0)}"}
        trace.call("cudnnBackendCreateDescriptor", {"descriptor": node}, descriptorType="CUDNN_BACKEND_PLAN_DESCRIPTOR")
        trace.call("cudnnBackendSetAttribute", descriptor=node, attributeName="A", arrayOfElements=[last] * 60)
        trace.call("cudnnBackendFinalize", status=2000 if i % 7 == 0 else 0, descriptor=node)
        trace.call("cudnnBackendExecute", executionPlan=node, variantPack=last)
    assert "leaks_descriptor" in {f.rule for f in check(trace)}


@pytest.mark.parametrize(
    ("budget", "found"), [(None, []), (2, []), (1, ["workspace_over_budget"]), (0, ["workspace_over_budget"])]
)
def test_a_workspace_beyond_the_budget_is_found(budget: int | None, found: list[str]) -> None:
    trace = Trace().forward(workSpaceSizeInBytes=2048)
    findings = [
        f for f in check_trace(trace.calls, [], Uses(workspace_kib=budget)) if f.rule == "workspace_over_budget"
    ]
    assert [f.rule for f in findings] == found
    for entry in findings:
        assert (entry.severity, entry.data["bytes"], entry.data["budget"]) == ("required", 2048, (budget or 0) * 1024)


def test_both_modes_are_no_finding() -> None:
    def both(t: Trace) -> Trace:
        return t.forward(convDesc=convolution(mode="CONVOLUTION")).forward()

    assert codes(both, "one_mode_only", outputs_right=True) == []
