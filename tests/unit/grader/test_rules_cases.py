"""What an exercise asks of some of its cases only, of types of data, and of each case's workspace."""

from typing import Any

import pytest

from grader.checkers.api_trace import check_trace
from grader.contract.exercise_types import CaseUses, Uses
from grader.contract.verdict import Finding
from tests.unit.grader.rules_trace import C, Trace, W, entry, filters, tensor

FIND = "cudnnFindConvolutionForwardAlgorithm"
VALUES: dict[str, dict[str, Any]] = {"slow": {"fast": 0, "budget": 1024}, "quick": {"fast": 1, "budget": 4096}}


def judged(uses: Uses, *traces: Trace, complete: bool = True) -> list[Finding]:
    calls = [call for trace in traces for call in trace.calls]
    return check_trace(calls, [], uses, complete=complete, outputs_right=True, values=VALUES)


def measured_when_fast() -> Uses:
    return Uses(cases=(CaseUses("fast == 1", (FIND,)),))


def test_a_function_is_demanded_only_where_the_condition_holds() -> None:
    slow, quick = Trace("slow").forward(), Trace("quick").list_algorithms(entry(), function=FIND).forward()
    assert judged(measured_when_fast(), slow, quick) == []


def test_a_function_called_in_the_other_case_does_not_count() -> None:
    slow, quick = Trace("slow").list_algorithms(entry(), function=FIND).forward(), Trace("quick").forward()
    (found,) = judged(measured_when_fast(), slow, quick)
    assert (found.rule, found.severity, found.call) == ("not_called_in_case", "required", None)
    assert found.data == {"function": FIND, "case": "quick", "times": 1}


def test_what_a_broken_off_run_did_not_call_is_not_missed() -> None:
    assert judged(measured_when_fast(), Trace("slow").forward(), complete=False) == []


def test_a_rule_is_demanded_of_its_cases_and_told_once() -> None:
    uses = Uses(cases=(CaseUses("fast == 0", ("math_type_not_set",)),))

    def unset(case: str) -> Trace:
        return Trace(case).list_algorithms(entry(math="CUDNN_FMA_MATH")).forward(convDesc=C | {"math": "DEFAULT_MATH"})

    assert [(f.rule, f.severity) for f in judged(uses, unset("slow"))] == [("math_type_not_set", "required")]
    assert [f.severity for f in judged(uses, unset("quick"))] == ["info"]


@pytest.mark.parametrize(("dtype", "found"), [("INT8", []), ("FLOAT", ["data_type_not_used"])])
def test_data_of_a_demanded_type_are_computed_with(dtype: str, found: list[str]) -> None:
    trace = Trace("slow").forward(xDesc=tensor(dtype=dtype), wDesc=filters(dtype=dtype))
    findings = judged(Uses(data_types=("INT8",)), trace)
    assert [f.rule for f in findings] == found
    assert all((f.severity, f.data) == ("required", {"dtype": "INT8"}) for f in findings)


def test_a_refused_computation_is_no_use_of_a_type() -> None:
    trace = Trace("slow").forward(status=3000, xDesc=tensor(dtype="INT8"), wDesc=W)
    assert "data_type_not_used" in [f.rule for f in judged(Uses(data_types=("INT8",)), trace)]


def test_each_case_has_its_own_budget() -> None:
    traces = [Trace(case).forward(workSpaceSizeInBytes=2048) for case in ("slow", "quick")]
    uses = Uses(workspace_bytes="budget")
    (found,) = [f for f in judged(uses, *traces) if f.rule == "workspace_over_budget"]
    assert (found.data["bytes"], found.data["budget"]) == (2048, 1024)
    assert [f for f in judged(uses, traces[1]) if f.rule == "workspace_over_budget"] == []
