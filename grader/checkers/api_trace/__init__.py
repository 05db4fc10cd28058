"""Rules over the trace of cuDNN and CUDA calls: small pure functions with codes, entered in `RULES` on import."""

from grader.checkers.api_trace import (
    algorithms,
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
from grader.checkers.api_trace.check import (
    CALL_FORBIDDEN,
    CALL_MISSING,
    REQUIREMENTS,
    WORKSPACE_OVER_BUDGET,
    check_trace,
    known_uses,
)
from grader.checkers.api_trace.rule import RULES, Rule

__all__ = [
    "CALL_FORBIDDEN",
    "CALL_MISSING",
    "REQUIREMENTS",
    "RULES",
    "WORKSPACE_OVER_BUDGET",
    "Rule",
    "check_trace",
    "known_uses",
]

_TOPICS = (algorithms, graph, layout, lifetime, memory, recurrent, scalars, shapes, status, streams, workspace)
