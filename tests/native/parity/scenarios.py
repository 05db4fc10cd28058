"""Sequences of calls that mean something: descriptors that fit together, then the questions about them."""

from collections.abc import Callable, Iterator

from tests.native.parity.values import CANARY, FUNCTIONS, LONGEST, SLOTS, Draw, random_call

Call = dict[str, object]
Scenario = Callable[[Draw], Iterator[Call]]

TENSOR, FILTER = "cudnnTensorDescriptor_t", "cudnnFilterDescriptor_t"
CONV, POOL = "cudnnConvolutionDescriptor_t", "cudnnPoolingDescriptor_t"


def call(name: str, *arguments: object) -> Call:
    return {"f": name, "a": list(arguments)}


def ints(*values: int) -> list[object]:
    return [["int", value] for value in values]


def outs(count: int, kind: str = "int") -> list[object]:
    return [["out", kind, 1] for _ in range(count)]


def array(values: list[int]) -> list[object]:
    return ["array", [*values, *[CANARY] * (LONGEST - len(values))]]


def read_back(draw: Draw, kind: str, slot: object) -> Iterator[Call]:
    """Every getter of one descriptor."""
    for name, function in FUNCTIONS.items():
        parameters = function.parameters
        if not name.startswith("cudnnGet") or not parameters or parameters[0].base != kind:
            continue
        if any(parameter.role == "descriptor" for parameter in parameters[1:]):
            continue
        made = random_call(Draw(draw.rng, 0.3), function)
        arguments = made["a"]
        assert isinstance(arguments, list)
        arguments[0] = slot
        yield made


def pick(draw: Draw, kind: str) -> list[object]:
    return ["slot", kind, draw.rng.randrange(SLOTS)]


def spatial(draw: Draw, rank: int) -> list[list[int]]:
    """Size, window, padding, stride and dilation of each spatial dimension; the window usually fits."""
    rng = draw.rng
    columns = []
    for _ in range(rank):
        window, dilation = rng.choice([1, 2, 3, 5, 7]), rng.choice([1, 1, 1, 2, 3])
        pad = rng.choice([0, 0, 1, 2, 3, 10])
        size = rng.choice([1, 3, 4, 7, 8, 16, 31, 224])
        columns.append([size, window, pad, rng.choice([1, 1, 2, 3, 4]), dilation])
    return [list(row) for row in zip(*columns, strict=True)]


def convolution(draw: Draw) -> Iterator[Call]:
    """Input, filter and convolution that usually fit; the output dimensions."""
    rng = draw.rng
    rank = rng.choice([1, 2, 2, 2, 2, 3])
    size, window, pad, stride, dilation = spatial(draw, rank)
    groups, inputs = rng.choice([1, 1, 1, 2, 4]), rng.choice([1, 2, 3, 8])
    channels = groups * inputs if rng.random() < 0.85 else inputs + 1
    dtype, layout = rng.choice([0, 0, 1, 2, 9, 3]), rng.choice([0, 0, 0, 1])
    x, w, conv = pick(draw, TENSOR), pick(draw, FILTER), pick(draw, CONV)
    dims = [rng.choice([1, 2, 8]), channels, *size]
    yield call("cudnnSetTensorNdDescriptorEx", x, *ints(layout, dtype, rank + 2), array(dims))
    yield call(
        "cudnnSetFilterNdDescriptor",
        w,
        *ints(dtype, layout, rank + 2),
        array([rng.choice([4, 7, 16]), inputs, *window]),
    )
    yield call(
        "cudnnSetConvolutionNdDescriptor",
        conv,
        *ints(rank),
        array(pad),
        array(stride),
        array(dilation),
        *ints(rng.choice([0, 1]), rng.choice([0, 1, 2, 4])),
    )
    yield call("cudnnSetConvolutionGroupCount", conv, *ints(groups))
    asked = rank + 2 if rng.random() < 0.85 else rng.choice([0, 3, 4, 5, 6, 8])
    yield call("cudnnGetConvolutionNdForwardOutputDim", conv, x, w, *ints(asked), ["out", "int", LONGEST])
    yield call("cudnnGetConvolution2dForwardOutputDim", conv, x, w, *outs(4))
    yield from read_back(draw, CONV, conv)
    yield from read_back(draw, FILTER, w)


def tensor(draw: Draw) -> Iterator[Call]:
    """A tensor by one of its setters, then all that can be asked about it."""
    setters = [
        "cudnnSetTensor4dDescriptor",
        "cudnnSetTensor4dDescriptorEx",
        "cudnnSetTensorNdDescriptor",
        "cudnnSetTensorNdDescriptorEx",
    ]
    slot = pick(draw, TENSOR)
    for _ in range(2):
        made = random_call(draw, FUNCTIONS[draw.rng.choice(setters)])
        arguments = made["a"]
        assert isinstance(arguments, list)
        arguments[0] = slot
        yield made
        yield from read_back(draw, TENSOR, slot)


def strided_tensor(draw: Draw) -> Iterator[Call]:
    """Strides with gaps, overlaps, zeros and signs."""
    rng = draw.rng
    rank = rng.choice([2, 3, 4, 4, 5, 8])
    dims = [rng.choice([1, 1, 2, 3, 5]) for _ in range(rank)]
    strides = [rng.choice([1, 2, 4, 12, 60, -1, -8, 0]) for _ in range(rank)]
    slot = pick(draw, TENSOR)
    yield call(
        "cudnnSetTensorNdDescriptor", slot, *ints(rng.choice([0, 1, 2, 3, 9]), rank), array(dims), array(strides)
    )
    yield from read_back(draw, TENSOR, slot)


def vectorised(draw: Draw) -> Iterator[Call]:
    """Vector formats and types, whose channels must divide."""
    rng = draw.rng
    dtype, layout = rng.choice([3, 5, 5, 7, 8, 0]), rng.choice([2, 2, 2, 0, 1])
    dims = [rng.choice([1, 2]), rng.choice([3, 4, 8, 32, 33, 64]), rng.choice([1, 5]), rng.choice([1, 7])]
    slot, w = pick(draw, TENSOR), pick(draw, FILTER)
    yield call("cudnnSetTensor4dDescriptor", slot, *ints(layout, dtype, *dims))
    yield from read_back(draw, TENSOR, slot)
    yield call("cudnnSetFilter4dDescriptor", w, *ints(dtype, layout, *dims))
    yield from read_back(draw, FILTER, w)


def pooling(draw: Draw) -> Iterator[Call]:
    rng = draw.rng
    rank = rng.choice([1, 2, 2, 2, 3])
    size, window, pad, stride, _ = spatial(draw, rank)
    if draw.odd():
        pad[0] = rng.choice([-1, -2, 100])
    x, pool = pick(draw, TENSOR), pick(draw, POOL)
    yield call("cudnnSetTensorNdDescriptorEx", x, *ints(rng.choice([0, 1]), 0, rank + 2), array([2, 3, *size]))
    yield call(
        "cudnnSetPoolingNdDescriptor",
        pool,
        *ints(rng.choice([0, 1, 2, 3]), rng.choice([0, 1]), rank),
        array(window),
        array(pad),
        array(stride),
    )
    asked = rank + 2 if rng.random() < 0.85 else rng.choice([0, 3, 4, 5, 6, 8])
    yield call("cudnnGetPoolingNdForwardOutputDim", pool, x, *ints(asked), ["out", "int", LONGEST])
    yield call("cudnnGetPooling2dForwardOutputDim", pool, x, *outs(4))
    yield from read_back(draw, POOL, pool)


def simple_descriptor(setter: str) -> Scenario:
    """A setter with random arguments, then every getter."""

    def scenario(draw: Draw) -> Iterator[Call]:
        made = random_call(draw, FUNCTIONS[setter])
        kind = FUNCTIONS[setter].parameters[0].base
        arguments = made["a"]
        assert isinstance(arguments, list)
        arguments[0] = pick(draw, kind)
        yield made
        yield from read_back(draw, kind, arguments[0])

    return scenario


def destroyed_kinds() -> list[str]:
    return sorted(
        f.parameters[0].base
        for name, f in FUNCTIONS.items()
        if name.startswith("cudnnDestroy") and "Backend" not in name
    )


UNSET_IS_GARBAGE = {
    "cudnnSetActivationDescriptor",
    "cudnnSetOpTensorDescriptor",
    "cudnnSetPoolingNdDescriptor",
    "cudnnSetReduceTensorDescriptor",
}
"""Setters of descriptors that the real library leaves uninitialised: they are set before anything is asked."""


def first_set(draw: Draw, setter: str, slot: list[object]) -> Call:
    made = random_call(Draw(draw.rng, 0.0), FUNCTIONS[setter])
    arguments = made["a"]
    assert isinstance(arguments, list)
    arguments[0] = slot
    for position, parameter in enumerate(FUNCTIONS[setter].parameters):
        if parameter.base == "cudnnDataType_t":
            arguments[position] = ["int", 0]
    return made


RENEWED = [kind for kind in destroyed_kinds() if kind != "cudnnHandle_t"]


def renewal(draw: Draw) -> Iterator[Call]:
    """A descriptor destroyed and made again; what it holds before anything is set."""
    kind = draw.rng.choice(RENEWED)
    slot = pick(draw, kind)
    stem = kind.removeprefix("cudnn").removesuffix("_t")
    yield call(f"cudnnDestroy{stem}", slot)
    yield call(f"cudnnCreate{stem}", ["new", kind, slot[2]])
    for setter in UNSET_IS_GARBAGE:
        if FUNCTIONS[setter].parameters[0].base == kind:
            yield first_set(draw, setter, slot)
    yield from read_back(draw, kind, slot)


def null_pointers(draw: Draw) -> Iterator[Call]:
    kinds = destroyed_kinds()
    stem = draw.rng.choice(kinds).removeprefix("cudnn").removesuffix("_t")
    if stem != "Handle":
        yield call(f"cudnnDestroy{stem}", ["null"])
        yield call(f"cudnnCreate{stem}", ["null"])
    yield call("cudnnCreate", ["null"])
    yield call("cudnnDestroy", ["null"])
    yield call("cudnnGetProperty", *ints(draw.rng.choice([0, 3, -1, 4])), ["out", "int", 1])


def names(draw: Draw) -> Iterator[Call]:
    yield call(
        "cudnnGetErrorString",
        *ints(
            draw.rng.choice(
                [
                    0,
                    1,
                    7,
                    1000,
                    1001,
                    1002,
                    1008,
                    2000,
                    2001,
                    2002,
                    2012,
                    2099,
                    3000,
                    3007,
                    3014,
                    4000,
                    4003,
                    4006,
                    5000,
                    5004,
                    -1,
                    9999,
                ]
            )
        ),
    )
    yield call(
        draw.rng.choice(
            ["cudnnGraphVersionCheck", "cudnnOpsVersionCheck", "cudnnCnnVersionCheck", "cudnnAdvVersionCheck"]
        )
    )


def last_error(draw: Draw) -> Iterator[Call]:
    """A failure stays readable after a success, once."""
    slot = pick(draw, TENSOR)
    yield call("cudnnSetTensor4dDescriptor", slot, *ints(0, 0, 0, 1, 1, 1))
    yield call("cudnnSetTensor4dDescriptor", slot, *ints(0, 0, 1, 1, 1, 1))
    for _ in range(2):
        yield call("cudnnGetLastErrorString", ["text", draw.rng.choice([2, 16, 256])])


SETTERS = [
    name
    for name in FUNCTIONS
    if name.startswith("cudnnSet")
    and FUNCTIONS[name].parameters
    and FUNCTIONS[name].parameters[0].role == "descriptor"
    and "Backend" not in name
]
SCENARIOS: list[Scenario] = [
    convolution,
    convolution,
    convolution,
    tensor,
    tensor,
    strided_tensor,
    vectorised,
    pooling,
    renewal,
    null_pointers,
    names,
    last_error,
    *[simple_descriptor(name) for name in SETTERS],
]
