"""Which calls are made, in which order: scenarios and single random calls, from a seed."""

import random

from grader.contract.api_types import Function
from tests.native.parity.fitting import asked, operations
from tests.native.parity.graphs import creation, graph, small_descriptors
from tests.native.parity.scenarios import SCENARIOS, SETTERS, UNSET_IS_GARBAGE, Call, Scenario, call, first_set
from tests.native.parity.values import FUNCTIONS, SLOTS, Draw, is_cpu_side, random_call

ALL_SCENARIOS: list[Scenario] = [
    *SCENARIOS,
    *[operations] * 3,
    *[asked(name) for name in SETTERS],
    *[graph] * 2,
    *[small_descriptors] * 2,
    creation,
]


def first_calls(draw: Draw, exported: set[str]) -> list[Call]:
    """Creates every descriptor; sets those that would hold garbage."""
    calls = []
    for name, function in FUNCTIONS.items():
        if name.startswith("cudnnCreate") and name.endswith("Descriptor") and name in exported:
            calls += [call(name, ["new", function.parameters[0].base, slot]) for slot in range(SLOTS)]
    for name in sorted(UNSET_IS_GARBAGE & exported):
        kind = FUNCTIONS[name].parameters[0].base
        calls += [first_set(draw, name, ["slot", kind, slot]) for slot in range(SLOTS)]
    return calls


def generate(count: int, seed: int, exported: set[str], only: set[str] | None = None) -> list[Call]:
    """At least `count` calls of functions in `exported`; the first ones create the descriptors.

    `only`: the single random calls are of these, and the scenarios those that touch a descriptor of theirs.
    """
    rng = random.Random(seed)
    draw = Draw(rng)
    calls = first_calls(draw, exported)
    made = {str(c["f"]) for c in calls}
    others = [f for f in FUNCTIONS.values() if f.name in (only or exported) & exported and is_cpu_side(f)]
    scenarios = touching(ALL_SCENARIOS, others) if only else ALL_SCENARIOS
    while len(calls) < count:
        meaningful = scenarios and rng.random() < (0.4 if only else 0.8)
        batch = list(rng.choice(scenarios)(draw)) if meaningful else [random_call(draw, rng.choice(others))]
        if all(str(c["f"]) in exported and uses_only(c, made) and not leaves_garbage(c) for c in batch):
            calls += batch
    return calls


def touching(scenarios: list[Scenario], functions: list[Function]) -> list[Scenario]:
    """Scenarios whose first call is about a descriptor that one of `functions` takes."""
    wanted = {p.base for function in functions for p in function.parameters if p.role == "descriptor"}
    trial = Draw(random.Random(0), 0.0)
    return [scenario for scenario in scenarios if any(a[1] in wanted for a in slots(next(scenario(trial))))]


def slots(made_call: Call) -> list[list[object]]:
    arguments = made_call["a"]
    assert isinstance(arguments, list)
    return [a for a in arguments if a[0] in ("slot", "new")]


def uses_only(made_call: Call, creators: set[str]) -> bool:
    """Whether every descriptor of the call is of a kind that was created."""
    made_here = "cudnnBackendDescriptor_t"  # by their scenarios
    stems = [str(a[1]).removeprefix("cudnn").removesuffix("_t") for a in slots(made_call) if a[1] != made_here]
    return all(f"cudnnCreate{stem}" in creators for stem in stems)


def leaves_garbage(made_call: Call) -> bool:
    """The real library keeps a part of what it refuses: two dimensions channels-last, fewer than two vectorised."""
    arguments = made_call["a"]
    assert isinstance(arguments, list)
    if made_call["f"] != "cudnnSetTensorNdDescriptorEx":
        return False
    layout, rank = arguments[1][1], arguments[3][1]
    return (layout == 1 and rank == 2) or (layout == 2 and rank < 2)
