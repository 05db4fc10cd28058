"""Arguments that belong together, so that a call is refused for what is wrong with it and not for what comes first."""

from collections.abc import Iterator

from grader.contract.api_types import Function, Parameter
from tests.native.parity.scenarios import CONV, FILTER, TENSOR, Call, Scenario, array, call, ints, pick, read_back
from tests.native.parity.values import FUNCTIONS, Draw, is_cpu_side, random_call, takes

X, Y, PARAMETERS = 0, 1, 2
"""Slots of a tensor, of another with the same dims, and of one value for each channel."""
SLIP = 0.03
"""Share of unusual arguments where the rest fits."""


def tensor_slot(draw: Draw, parameter: Parameter) -> int:
    """The tensor that a parameter of this name takes, mostly."""
    if draw.rng.random() < SLIP:
        return draw.rng.randrange(3)
    name = parameter.name.lower()
    if any(word in name for word in ("bias", "bn", "mean", "scale", "norm", "cdesc")):
        return PARAMETERS
    return Y if name.startswith(("y", "dy", "z", "dz", "dest")) else X


def fitted(draw: Draw, function: Function, chosen: dict[str, list[object]]) -> Call:
    """A call of `function`, with the tensors by name and the descriptors of `chosen` by kind."""
    made = random_call(Draw(draw.rng, SLIP), function)
    arguments = made["a"]
    assert isinstance(arguments, list)
    for position, parameter in enumerate(function.parameters):
        if arguments[position][0] != "slot":
            continue
        if parameter.base == TENSOR:
            arguments[position] = ["slot", TENSOR, tensor_slot(draw, parameter)]
        elif parameter.base in chosen:
            arguments[position] = chosen[parameter.base]
    return made


def layout(draw: Draw) -> Iterator[Call]:
    """Sets the three tensors, a filter and a convolution that keeps the dims."""
    rng = draw.rng
    rank, dtype, order = rng.choice([3, 4, 4, 4, 5]), rng.choice([0, 0, 1, 2, 9]), rng.choice([0, 0, 1])
    channels, groups = rng.choice([4, 8, 16, 32]), rng.choice([1, 1, 2])
    dims = [rng.choice([1, 2, 4]), channels, *[rng.choice([1, 4, 7, 12]) for _ in range(rank - 2)]]
    spread = [1, *dims[1:]] if rng.random() < 0.2 else [1, channels, *[1] * (rank - 2)]
    wide = 1 if dtype == 1 else 0
    for slot, kind, sizes in ((X, dtype, dims), (Y, dtype, dims), (PARAMETERS, wide, spread)):
        yield call("cudnnSetTensorNdDescriptorEx", ["slot", TENSOR, slot], *ints(order, kind, rank), array(sizes))
    window, one = [3] * (rank - 2), [1] * (rank - 2)
    sizes = [channels, channels // groups, *window]
    yield call("cudnnSetFilterNdDescriptor", ["slot", FILTER, 0], *ints(dtype, order, rank), array(sizes))
    conv = ["slot", CONV, 0]
    places = (array(one), array(one), array(one))
    yield call("cudnnSetConvolutionNdDescriptor", conv, *ints(rank - 2), *places, *ints(1, wide))
    yield call("cudnnSetConvolutionGroupCount", conv, *ints(groups))


WITH_TENSORS = [f for f in FUNCTIONS.values() if takes(f, TENSOR) and is_cpu_side(f) and "Descriptor" not in f.name]


def operations(draw: Draw) -> Iterator[Call]:
    yield from layout(draw)
    chosen: dict[str, list[object]] = {FILTER: ["slot", FILTER, 0], CONV: ["slot", CONV, 0]}
    for _ in range(12):
        yield fitted(draw, draw.rng.choice(WITH_TENSORS), chosen)


def asked(setter: str) -> Scenario:
    """A descriptor that is mostly set rightly, then calls of what takes it."""
    kind = FUNCTIONS[setter].parameters[0].base
    users = [f for f in FUNCTIONS.values() if takes(f, kind) and is_cpu_side(f)]

    def scenario(draw: Draw) -> Iterator[Call]:
        slot = pick(draw, kind)
        for function in [FUNCTIONS[setter], *draw.rng.choices(users, k=4)]:
            made = random_call(Draw(draw.rng, SLIP), function)
            arguments = made["a"]
            assert isinstance(arguments, list)
            places = [i for i, parameter in enumerate(function.parameters) if parameter.base == kind]
            arguments[places[0]] = slot
            yield made
        yield from read_back(draw, kind, slot)

    return scenario
