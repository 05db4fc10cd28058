"""Rules over the trace of cuDNN and CUDA calls: small pure functions with codes, entered in `RULES` on import."""

from grader.checkers.api_trace import (
    algorithms,
    demands,
    graph,
    layout,
    lifetime,
    memory,
    recurrent,
    scalars,
    shapes,
    status,
    streams,
    workspace,
)
from grader.checkers.api_trace.cases import DATA_TYPE_NOT_USED, NOT_CALLED_IN_CASE, WORKSPACE_OVER_BUDGET
from grader.checkers.api_trace.check import CALL_FORBIDDEN, CALL_MISSING, REQUIREMENTS, check_trace, known_uses
from grader.checkers.api_trace.demands import (
    ALGORITHM_NOT_GIVEN,
    FACTOR_NOT_GIVEN,
    other_algorithms,
    other_factors,
)
from grader.checkers.api_trace.rule import RULES, Rule
from grader.checkers.api_trace.uploads import OUTPUT_FROM_THE_HOST, outputs_from_the_host

__all__ = [
    "ALGORITHM_NOT_GIVEN",
    "CALL_FORBIDDEN",
    "CALL_MISSING",
    "DATA_TYPE_NOT_USED",
    "FACTOR_NOT_GIVEN",
    "NOT_CALLED_IN_CASE",
    "OUTPUT_FROM_THE_HOST",
    "REQUIREMENTS",
    "RULES",
    "WORKSPACE_OVER_BUDGET",
    "Rule",
    "check_trace",
    "known_uses",
    "other_algorithms",
    "other_factors",
    "outputs_from_the_host",
]

_TOPICS = (
    algorithms, demands, graph, layout, lifetime, memory, recurrent, scalars, shapes, status, streams, workspace,
)  # fmt: skip
