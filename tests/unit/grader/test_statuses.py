"""Statuses that a source throws away, found where an exercise asks for them to be checked."""

import pytest

from grader.checkers.statuses import dropped_statuses
from grader.contract.exercise_types import Uses

ASKED = Uses(required=("checks_statuses",))


@pytest.mark.parametrize(
    "handler",
    ["except cudnn.CudnnError:\n    pass", "except:\n    print('no')", "except (ValueError, CudnnError):\n    ...",
     "except Exception as error:\n    print(error)"],
)  # fmt: skip
def test_a_handler_that_does_nothing_is_found(handler: str) -> None:
    (found,) = dropped_statuses(f"\ntry:\n    work()\n{handler}\n", "python", ASKED)
    assert (found.rule, found.severity, found.line, found.data) == (
        "status_dropped", "required", 4, {"language": "python"},
    )  # fmt: skip


@pytest.mark.parametrize(
    "handler",
    ["except cudnn.CudnnError:\n    raise", "except cudnn.CudnnError as e:\n    report[0] = e.status",
     "except cudnn.CudnnError:\n    print('no')\n    raise", "except KeyError:\n    pass"],
)  # fmt: skip
def test_a_handler_that_does_something_is_not(handler: str) -> None:
    assert dropped_statuses(f"try:\n    work()\n{handler}\n", "python", ASKED) == []


@pytest.mark.parametrize(
    "line",
    ["cudnnSetStream(h, s);", "  if (x) cudnnSetStream(h, s);", "(void)cudnnSetStream(h, s);",
     "if (x) f(); else cudnnSetStream\n(h, s);"],
)  # fmt: skip
def test_a_call_as_a_statement_is_found(line: str) -> None:
    (found,) = dropped_statuses(f"void f() {{\n{line}\n}}\n", "cpp", ASKED)
    assert (found.rule, found.line, found.data["function"]) == ("status_dropped", 2, "cudnnSetStream")


@pytest.mark.parametrize(
    "line",
    ["CHECK(cudnnSetStream(h, s));", "const cudnnStatus_t s1 = cudnnSetStream(h, s);", "return cudnnSetStream(h, s);",
     "if (cudnnSetStream(h, s) != CUDNN_STATUS_SUCCESS) throw 1;", "cudnnDestroy(h);", "// cudnnSetStream(h, s);",
     "#define RUN do { cudnnSetStream(h, s); } while (0)", 'puts("; cudnnSetStream(h, s)");'],
)  # fmt: skip
def test_a_call_whose_status_goes_somewhere_is_not(line: str) -> None:
    assert dropped_statuses(f"void f() {{\n{line}\n}}\n", "cpp", ASKED) == []


def test_it_is_asked_for_or_left_alone() -> None:
    source = "try:\n    work()\nexcept Exception:\n    pass\n"
    assert dropped_statuses(source, "python", Uses()) == []
    (found,) = dropped_statuses(source, "python", Uses(advised=("checks_statuses",)))
    assert found.severity == "advised"
    assert dropped_statuses("try:\n", "python", ASKED) == []
