"""Traces that break, or keep to, what an exercise can demand beyond right use."""

from tests.unit.grader.rules_trace import GEMM, PRECOMP, Program, Trace, convolution, device, entry

BOTH = (entry(PRECOMP), entry(GEMM))


def given_workspace(t: Trace, id: str, algo: str = GEMM, needed: int = 64, held: int = 64) -> Trace:
    """A convolution with a workspace of `held` bytes, of which it is told to need `needed`."""
    t.ask_workspace(needed, algo)
    return t.forward(algo=algo, workSpace=device(id, held), workSpaceSizeInBytes=min(needed, held))


def from_a_pool(t: Trace, stated: int) -> Trace:
    """A convolution that needs 64 bytes of workspace, with memory of which only the address is known."""
    unsized = {"kind": "device", "id": "a"}
    return t.ask_workspace(64).forward(workSpace=unsized, workSpaceSizeInBytes=stated)


CASES: list[tuple[str, Program, Program]] = [
    (
        "not_first_of_list",
        lambda t: t.list_algorithms(*BOTH).forward(),
        lambda t: t.list_algorithms(*BOTH).forward(algo=PRECOMP),
    ),
    (
        "not_first_of_list",
        lambda t: t.list_algorithms(*BOTH).forward(),
        lambda t: t.list_algorithms(*BOTH).forward(4000, algo=PRECOMP).forward(),
    ),
    (
        "not_first_of_list",
        lambda t: t.list_algorithms(*BOTH).forward(),
        lambda t: t.list_algorithms(entry(PRECOMP, "CUDNN_STATUS_NOT_SUPPORTED"), entry()).forward(),
    ),
    (
        "one_mode_only",
        lambda t: t.forward().forward(),
        lambda t: t.ask_dims(),
    ),
    ("half_compute_type", lambda t: t.forward(convDesc=convolution(dtype="HALF")), lambda t: t.forward()),
    (
        "several_workspaces",
        lambda t: given_workspace(given_workspace(t, "a"), "b"),
        lambda t: given_workspace(given_workspace(t, "a"), "a"),
    ),
    (
        "workspace_larger_than_needed",
        lambda t: given_workspace(t, "a", held=1024),
        lambda t: given_workspace(t, "a", held=64),
    ),
    (
        "workspace_larger_than_needed",
        lambda t: given_workspace(t, "a", held=1024),
        lambda t: given_workspace(given_workspace(t, "a", held=1024), "a", PRECOMP, needed=1000, held=1024),
    ),
    (
        "workspace_larger_than_needed",
        lambda t: from_a_pool(t, stated=1024),
        lambda t: from_a_pool(t, stated=64),
    ),
]
