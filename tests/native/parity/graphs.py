"""Descriptors of the graph API: attributes set rightly and wrongly, finalised, read back. Engines need a driver."""

from collections.abc import Iterator

from tests.native.parity.scenarios import Call, call, ints
from tests.native.parity.values import Draw

BACKEND = "cudnnBackendDescriptor_t"
X, W, Y, CONV, OPERATION, GRAPH, PACK, OTHER = range(8)
"""Slots."""
HANDLE, DTYPE, BOOL, INT64, FLOAT, DOUBLE, POINTER, MODE = range(8)
POINTWISE_MODE, DESCRIPTOR, REDUCTION = 14, 15, 18
TENSOR_KIND, CONV_KIND, FORWARD_KIND, GRAPH_KIND, PACK_KIND = 17, 1, 10, 15, 16
Attribute = tuple[int, int, list[object]]
"""Name, type and values."""
SLIP = 0.04
MATMUL_TYPE = 1500
ELSE_GARBAGE = {MATMUL_TYPE}
"""The real library reads back anything where it was never set."""
ODD_NUMBERS = [0, -1, 2, 9, -(2**40), 2**31, 2**40, 2**63 - 1]


def slot(index: int) -> list[object]:
    return ["slot", BACKEND, index]


def slipped(draw: Draw, attribute: Attribute) -> Attribute:
    """The attribute, seldom with another name, type, count or value."""
    name, kind, values = attribute
    rng = draw.rng
    if name in ELSE_GARBAGE:
        return attribute
    if rng.random() < SLIP:
        name = rng.choice([0, 100, 702, 801, 900, 904, 905, 907, 908, 1000, 5555, -1])
    if rng.random() < SLIP:
        kind = rng.choice([DTYPE, BOOL, INT64, FLOAT, DOUBLE, 99, -1])
    if rng.random() < SLIP:
        values = rng.choice([values[:-1], [*values, *values[:1]], [], values * 3])
    if rng.random() < SLIP and kind not in (DESCRIPTOR, POINTER, HANDLE):
        values = [*values[:-1], rng.choice(ODD_NUMBERS)]
    return name, kind, values


def put(draw: Draw, target: int, attribute: Attribute) -> Call:
    name, kind, values = attribute
    elements = ["null"] if draw.rng.random() < 0.01 and name not in ELSE_GARBAGE else ["elements", kind, values]
    return call("cudnnBackendSetAttribute", slot(target), *ints(name, kind), ["long", len(values)], elements)


def ask(draw: Draw, target: int, attribute: Attribute) -> Call:
    name, kind, values = attribute
    rng = draw.rng
    wanted = kind if rng.random() < 0.95 else rng.choice([DTYPE, INT64, FLOAT, BOOL])
    count = rng.choice([len(values), len(values), 0, 1, 8, -1])
    out = ["null"] if rng.random() < SLIP else ["gets", wanted]
    counter = ["null"] if rng.random() < SLIP else ["out", "long", 1]
    return call("cudnnBackendGetAttribute", slot(target), *ints(name, wanted), ["long", count], counter, out)


def node(draw: Draw, kind: int, target: int, attributes: list[Attribute], most: int) -> Iterator[Call]:
    """Creates, sets in any order (seldom leaving one out), finalises and reads back at most `most` attributes."""
    rng = draw.rng
    yield call("cudnnBackendCreateDescriptor", *ints(kind), ["new", BACKEND, target])
    kept = [attribute for attribute in attributes if rng.random() > SLIP or attribute[0] in ELSE_GARBAGE]
    rng.shuffle(kept)
    yield from (put(draw, target, slipped(draw, attribute)) for attribute in kept)
    if rng.random() < SLIP:
        yield ask(draw, target, rng.choice(attributes))
    yield call("cudnnBackendFinalize", slot(target))
    readable = [attribute for attribute in attributes if attribute[1] not in (DESCRIPTOR, POINTER, HANDLE)]
    if readable:
        yield from (ask(draw, target, slipped(draw, rng.choice(readable))) for _ in range(most))
    if rng.random() < SLIP:
        yield put(draw, target, rng.choice(attributes))
        yield call("cudnnBackendFinalize", slot(target))


def tensor_attributes(draw: Draw, identity: int, dims: list[int], dtype: int) -> list[Attribute]:
    rng, strides, step = draw.rng, [0] * len(dims), 1
    order = [0, *range(2, len(dims)), 1] if rng.random() < 0.3 else list(range(len(dims)))
    for place in reversed(order):
        strides[place], step = step, step * dims[place]
    found: list[Attribute] = [
        (900, INT64, [rng.choice([16, 16, 16, 1, 8, 32, 3])]),
        (901, DTYPE, [dtype]),
        (902, INT64, [*dims]),
        (903, INT64, [*strides]),
        (906, INT64, [identity]),
    ]
    return found + ([(907, BOOL, [rng.randrange(2)])] if rng.random() < 0.2 else [])


def convolution_attributes(draw: Draw, rank: int, pad: int) -> list[Attribute]:
    rng = draw.rng
    lists = [(102, 1), (103, rng.choice([1, 1, 2])), (104, pad), (105, pad)]
    given: list[Attribute] = [(name, INT64, [number] * rank) for name, number in lists]
    return [
        (100, DTYPE, [rng.choice([0, 0, 2, 1, 9])]),
        (101, MODE, [rng.choice([0, 1])]),
        (106, INT64, [rank]),
        *given,
    ]


def graph(draw: Draw) -> Iterator[Call]:
    """A convolution's descriptors, its operation, and a graph of it."""
    rng = draw.rng
    rank, channels, outputs = rng.choice([1, 2, 2, 3]), rng.choice([4, 8]), rng.choice([4, 16])
    size, dtype = rng.choice([5, 8]), rng.choice([0, 0, 2, 9, 1])
    dims = {
        X: [2, channels, *[size] * rank],
        W: [outputs, channels if rng.random() < 0.9 else channels // 2, *[3] * rank],
        Y: [2, outputs, *[size] * rank],
    }
    for target, given in dims.items():
        if rng.random() < SLIP:
            given[rng.randrange(len(given))] += 1
        yield from node(draw, TENSOR_KIND, target, tensor_attributes(draw, target + 1, given, dtype), 2)
    yield from node(draw, CONV_KIND, CONV, convolution_attributes(draw, rank, rng.choice([1, 1, 1, 0])), 2)
    scalars: list[Attribute] = [(700, FLOAT, [1.0]), (701, FLOAT, [0.0])]
    parts = [(702, CONV), (703, W), (704, X), (705, Y)]
    named: list[Attribute] = [(name, DESCRIPTOR, [slot(target)]) for name, target in parts]
    yield from node(draw, FORWARD_KIND, OPERATION, [*scalars, *named], 1)


def small_descriptors(draw: Draw) -> Iterator[Call]:
    """Those without parts: pointwise, matrix product, reduction, a pack of pointers."""
    rng = draw.rng
    number = rng.choice([0.0, 0.5, -1.0, 6.0])
    kinds: dict[int, list[Attribute]] = {
        0: [(0, POINTWISE_MODE, [rng.choice([0, 1, 4, 100, 101, 103, 999])]), (1, DTYPE, [rng.choice([0, 2, 99])]),
            (3, DOUBLE, [number]), (4, DOUBLE, [number]), (5, DOUBLE, [number])],
        18: [(MATMUL_TYPE, DTYPE, [rng.choice([0, 0, 2, 99])])],
        PACK_KIND: [(1000, INT64, [1, 2, rng.choice([3, 3, 2])]), (1001, POINTER, [4096, 8192, 12288]),
                    (1003, POINTER, [0])],
    }  # fmt: skip
    kind = rng.choice([*kinds])
    yield from node(draw, kind, OTHER, kinds[kind], 3)
    yield call("cudnnBackendDestroyDescriptor", slot(OTHER))


def creation(draw: Draw) -> Iterator[Call]:
    """Every kind there is and is not; nulls."""
    kind = draw.rng.randrange(-1, 48)
    yield call("cudnnBackendCreateDescriptor", *ints(kind), ["new", BACKEND, OTHER])
    yield call("cudnnBackendCreateDescriptor", *ints(kind), ["null"])
    yield call("cudnnBackendFinalize", ["null"])
    yield call("cudnnBackendDestroyDescriptor", ["null"])
    yield call("cudnnBackendExecute", ["null"], ["null"], ["null"])
