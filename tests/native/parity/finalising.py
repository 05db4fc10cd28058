"""Descriptors of the graph API to finalise: whole, without an attribute, with each extreme, in every combination."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from tests.native.parity.nodes import (
    ADD,
    CHANNELS,
    CONV,
    CONVOLUTIONS,
    INT64,
    LIKE_X,
    LISTS,
    MATMUL,
    MODES,
    NODE,
    REDUCTION,
    SUBJECTS,
    A,
    B,
    C,
    Spec,
    W,
    X,
    Y,
    convolution,
    forward,
    matmul,
    pointed,
    pointwise,
    reduction,
    row_major,
    tensor,
)

GARBAGE = {
    "KNOB_CHOICE_KNOB_TYPE",
    "MATMUL_COMP_TYPE",
    "REDUCTION_OPERATOR",
    "REDUCTION_COMP_TYPE",
    "REDUCTION_IS_DETERMINISTIC",
}
"""Of these the real library reads whatever the memory holds where they were never set."""
SHARED_TYPE = {"OPERATION_CONVOLUTION_BWD_FILTER_ALPHA", "OPERATION_CONVOLUTION_BWD_FILTER_BETA"}
"""The real library reads both scales of a gradient of the filter as if they had the type of the second."""
NEVER_LEFT_OUT = GARBAGE | SHARED_TYPE

NUMBERS = [-(2**63), -(2**31), -1, 0, 1, 2, 3, 4, 5, 8, 9, 16, 32, 128, 2**31 - 1, 2**31, 2**40, 2**63 - 1]
REALS = [0.0, 1.0, -1.0, -0.0, 2.5, float("inf"), -float("inf"), float("nan")]
EXTREMES: dict[str, list[Any]] = {
    INT64: NUMBERS,
    "DATA_TYPE": [*range(-1, 24), 99],
    "BOOLEAN": [0, 1],
    "FLOAT": REALS,
    "DOUBLE": REALS,
    "CONVOLUTION_MODE": [-1, 0, 1, 2, 3, 99],
    "NAN_PROPOGATION": [-1, 0, 1, 2, 99],
    "POINTWISE_MODE": [-(2**31), -1, *range(30), 99, *range(99, 112), *range(199, 212), *range(299, 308),
                       *range(399, 405), *range(499, 504), *range(599, 603), 700, 2**31 - 1],
    "REDUCTION_OPERATOR_TYPE": [-1, *range(12), 99],
    "VOID_PTR": [0, 1, 4096, 2**63 - 1],
    "KNOB_TYPE": [-1, 0, 1, 5, *range(37, 47), 50, 99],
    NODE: [None],
}  # fmt: skip
LENGTHS = range(13)
TENSOR_KINDS = [X, W, Y, LIKE_X, CHANNELS, A, B, C]
"""In place of another tensor."""


def changed(spec: Spec, name: str) -> Iterator[Spec]:
    """The descriptor with each extreme for one attribute; of a list for all elements, for each, and other lengths."""
    given = spec.given[name]
    values = [*given.values]
    for extreme in EXTREMES[given.type]:
        yield spec.but(name, *[extreme] * len(values))
        if name in LISTS:
            yield from (spec.but(name, *values[:i], extreme, *values[i + 1 :]) for i in range(len(values)))
    if name in LISTS:
        yield from (spec.but(name, *(values * 13)[:length]) for length in LENGTHS)
    if given.type == NODE:
        part = values[0]
        yield from (spec.but(name, part.when(state)) for state in ("raw", "later", "filled later"))
        yield from (spec.but(name, other) for other in TENSOR_KINDS if part.kind == "TENSOR")
        yield from (spec.but(name, part, X, X, count=count) for count in (-1, 0, 1, 2, 3))


def each_attribute() -> Iterator[Spec]:
    for spec in SUBJECTS.values():
        yield spec
        for name in spec.given:
            if name not in NEVER_LEFT_OUT:
                yield spec.without(name)
            yield from changed(spec, name)
        if not NEVER_LEFT_OUT & spec.given.keys():
            yield spec.without(*spec.given)


def tensors() -> Iterator[Spec]:
    for dtype, alignment in itertools.product(range(22), (-1, 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32)):
        yield tensor(2, 8, dtype=dtype).but("TENSOR_BYTE_ALIGNMENT", alignment)
    wide: list[list[int]] = [[1], [2], [69], [0], [1, 7, 1], [2, 4], [4, 4], [2, 2, 2, 2], [0, 4], [4, 0, 3], [0, 0],
                             [1] * 8, [3, 1, 1, 3], [], [1, 2, 1, 1, 1, 2]]  # fmt: skip
    for dims, by_value, virtual in itertools.product(wide, (0, 1), (0, 1)):
        yield tensor(*dims).but("TENSOR_IS_BY_VALUE", by_value).but("TENSOR_IS_VIRTUAL", virtual)
    vectors = X.but("TENSOR_DATA_TYPE", 5)  # INT8x4, which graphs do not have
    yield from (vectors.without(name) for name in vectors.given)
    yield from (changed_twice for name in vectors.given for changed_twice in changed(vectors, name))


def pointwise_operations() -> Iterator[Spec]:
    roles = ("XDESC", "BDESC", "YDESC", "DXDESC", "DYDESC", "TDESC")
    modes = [*MODES.values(), -1, 24, 99, 208, 999]
    for mode, present in itertools.product(modes, itertools.product((False, True), repeat=6)):
        given = dict.fromkeys(itertools.compress(roles, present), X)
        yield pointed(pointwise(mode), **given)
    for axis, given in itertools.product((-5, -1, 0, 1, 3, 4, 100), (("XDESC", "YDESC"), ("XDESC",), roles)):
        settings = pointwise(MODES["GEN_INDEX"]).but("POINTWISE_AXIS", axis)
        yield pointed(settings, **dict.fromkeys(given, X))
    for mode, ranks in itertools.product(("BINARY_SELECT", "RELU_BWD"), itertools.product((A, X), repeat=6)):
        yield pointed(pointwise(MODES[mode]), **dict(zip(roles, ranks, strict=True)))
    yield pointed(ADD, XDESC=X, BDESC=X, YDESC=X).without("OPERATION_POINTWISE_PW_DESCRIPTOR")


def products() -> Iterator[Spec]:
    """Of two dimensions and more: of fewer, the real library reads what lies before them in memory."""
    rng = random.Random(1)
    for batches in itertools.product((0, 1, 2, 3, 4, 6, 12), repeat=3):
        shapes = zip(batches, ((2, 3), (3, 4), (2, 4)), strict=True)
        yield matmul(*(tensor(batch, *shape) for batch, shape in shapes))
    for _ in range(500):
        ranks = [rng.choice([2, 2, 3, 3, 4, 5])] * 3
        if rng.random() < 0.15:
            ranks[rng.randrange(3)] += 1
        m, k, n, *batch = (rng.choice([0, 1, 2, 3, 4]) for _ in range(6))
        shapes = [[*batch, *pair][-rank:] for rank, pair in zip(ranks, ((m, k), (k, n), (m, n)), strict=True)]
        for shape in shapes:
            if rng.random() < 0.3:
                shape[rng.randrange(len(shape))] = rng.choice([1, 1, 2, 6, 12])
        yield matmul(*(tensor(*shape) for shape in shapes))


def reductions() -> Iterator[Spec]:
    sizes = (0, 1, 2, 3, 4, 6, 12)
    for place, big, small in itertools.product(range(2), sizes, sizes):
        dims = [[5, 7], [5, 7]]
        dims[0][place], dims[1][place] = big, small
        yield reduction(tensor(*dims[0]), tensor(*dims[1]))
    for vector, place, result in itertools.product((-1, 0, 1, 2, 4), (-1, 0, 1, 2, 4), (1, 2, 4, 8)):
        long = X.but("TENSOR_VECTOR_COUNT", vector).but("TENSOR_VECTORIZED_DIMENSION", place)
        yield reduction(long, tensor(2, result, 5, 5))
        yield reduction(tensor(2, 8, 5, 5), long)
    for operator in EXTREMES["REDUCTION_OPERATOR_TYPE"]:
        yield reduction(settings=REDUCTION.but("REDUCTION_OPERATOR", operator))


def random_convolution(rng: random.Random) -> Spec:
    rank, groups = rng.choice([1, 2, 2, 3]), rng.choice([1, 1, 2])
    channels, outputs = rng.choice([2, 4]), rng.choice([2, 3, 4])
    pad, stride, dilation = rng.choice([0, 1, 2]), rng.choice([1, 1, 2]), rng.choice([1, 1, 2])
    after = rng.choice([pad, pad, 0, 1])
    size, window = ([rng.choice(choice) for _ in range(rank)] for choice in ([3, 5, 6], [1, 2, 3]))
    out = [1 + (n + pad + after - (k - 1) * dilation - 1) // stride for n, k in zip(size, window, strict=True)]
    dims = [[2, channels * groups, *size], [outputs, channels, *window], [2, outputs, *out]]
    for shape in dims:
        if rng.random() < 0.15:
            shape[rng.randrange(len(shape))] = rng.choice([0, 1, 2, 3, 5, 7, 2**31, 2**40, 2**63 - 1])
    made = [tensor(*shape) for shape in dims]
    conv = convolution(rank if rng.random() < 0.95 else 2, pad, stride, dilation, after)
    return rng.choice(CONVOLUTIONS)(*made, conv)


def convolutions() -> Iterator[Spec]:
    rng = random.Random(2)
    yield from (random_convolution(rng) for _ in range(700))
    parts = {"x": X, "w": W, "y": Y}
    for operation, role in itertools.product(CONVOLUTIONS, parts):
        dims = [*parts[role].given["TENSOR_DIMENSIONS"].values]
        base = row_major(dims)
        for _ in range(25):
            strides = [rng.choice([b, b, 0, 0, 1, b * 2, b // 2]) for b in base]
            yield operation(**{role: parts[role].but("TENSOR_STRIDES", *strides)})
        for order in itertools.permutations(range(4)):
            strides = [0] * 4
            for place, step in zip(order, row_major([dims[i] for i in order]), strict=True):
                strides[place] = step
            yield operation(**{role: parts[role].but("TENSOR_STRIDES", *strides)})
        for count, place in itertools.product((-1, 0, 1, 2, 4), (-1, 0, 1, 2, 4)):
            vectors = parts[role].but("TENSOR_VECTOR_COUNT", count).but("TENSOR_VECTORIZED_DIMENSION", place)
            yield operation(**{role: vectors})
        yield from (operation(**{role: tensor(*dims, dtype=dtype)}) for dtype in range(22))
    for huge in (2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1):
        yield forward(tensor(huge, 4, 5, 5), W, tensor(huge, 8, 5, 5))
        yield forward(tensor(2, huge, 5, 5), tensor(8, huge, 3, 3), Y)
        yield forward(X, tensor(huge, 4, 3, 3), tensor(2, huge, 5, 5))
        yield forward(tensor(2, 4, huge, 5), W, tensor(2, 8, huge, 5))
        yield forward(tensor(2, 4, huge, 5), tensor(8, 4, huge, 3), tensor(2, 8, 3, 5))
        for name in ("DILATIONS", "FILTER_STRIDES", "PRE_PADDINGS", "POST_PADDINGS"):
            yield forward(conv=CONV.but(f"CONVOLUTION_{name}", huge, huge))


FINALISED: list[Spec] = [
    *each_attribute(),
    *tensors(),
    *pointwise_operations(),
    *products(),
    *reductions(),
    *convolutions(),
    matmul(settings=MATMUL.when("raw")),
]
"""In this order they are asked about and stored."""
