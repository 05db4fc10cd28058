"""AddTensor, SetTensor, ScaleTensor, OpTensor and TransformTensor against NumPy."""

import itertools

import numpy as np
import pytest

from tests.native.h200.session import DOUBLE, FLOAT, HALF, INT8, INT32, Array
from tests.native.ops import BAD_PARAM, FLOATS, LAYOUTS, NOT_SUPPORTED, Ops, check, session

TYPES = (*FLOATS, INT8)


@pytest.fixture
def s(request: pytest.FixtureRequest) -> Ops:
    return session(hash(request.node.name) % 1000)


def broadcast(s: Ops, dims: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(s.random.choice([1, d])) for d in dims)


def random_dims(s: Ops, rank: int = 4) -> tuple[int, ...]:
    return tuple(int(v) for v in s.random.integers(1, 7, rank))


@pytest.mark.parametrize(("dtype", "layout"), list(itertools.product(TYPES, LAYOUTS)))
def test_add_tensor(s: Ops, dtype: int, layout: str) -> None:
    for rank, alpha, beta in ((4, 1, 1), (4, 2, 0.5), (5, -1, 0), (5, 0, 1)):
        dims = random_dims(s, rank)
        a = s.draw(broadcast(s, dims), dtype, str(s.random.choice(LAYOUTS)))
        c = s.draw(dims, dtype, layout) if beta else s.blank(dims, dtype, layout)
        s.ok("cudnnAddTensor", s.handle, s.scalar(alpha, dtype), a.desc, a.at, s.scalar(beta, dtype), c.desc, c.at)
        check(s.fetch(c), alpha * a.values + (beta * c.values if beta else np.zeros(dims)), dtype)


@pytest.mark.parametrize(("dtype", "layout"), list(itertools.product(TYPES, LAYOUTS)))
def test_set_and_scale_tensor(s: Ops, dtype: int, layout: str) -> None:
    y = s.blank(random_dims(s), dtype, layout)
    s.ok("cudnnSetTensor", s.handle, y.desc, y.at, s.scalar(3, dtype))
    check(s.fetch(y), np.full(y.dims, 3), dtype)
    s.ok("cudnnScaleTensor", s.handle, y.desc, y.at, s.scalar(-1.5, dtype))
    check(s.fetch(y), np.full(y.dims, -4.5), dtype)


def reference(op: int, a: Array, b: Array) -> Array:
    functions = (np.add, np.multiply, np.minimum, np.maximum, lambda x, _: np.sqrt(x), lambda x, _: 1 - x)
    return functions[op](a, b) + np.zeros(a.shape)


@pytest.mark.parametrize(("dtype", "op"), list(itertools.product(TYPES, range(6))))
def test_op_tensor(s: Ops, dtype: int, op: int) -> None:
    desc = s.create("OpTensor")
    s.ok("cudnnSetOpTensorDescriptor", desc, op, DOUBLE if dtype == DOUBLE else FLOAT, 0)
    low = 0 if op == 4 else -1
    for alpha1, alpha2, beta in ((1, 1, 0), (2, -0.5, 0.25)) if op != 4 else ((4, 1, 0), (0.25, 1, 2)):
        dims = random_dims(s)
        a, b = s.draw(dims, dtype, "strided", low), s.draw(broadcast(s, dims), dtype, "nhwc")
        a = s.make(np.abs(a.values), dtype) if op == 4 else a
        c = s.draw(dims, dtype, "nhwc") if beta else s.blank(dims, dtype, "nhwc")
        s.ok(
            "cudnnOpTensor",
            s.handle,
            desc,
            s.scalar(alpha1, dtype),
            a.desc,
            a.at,
            s.scalar(alpha2, dtype),
            b.desc,
            b.at,
            s.scalar(beta, dtype),
            c.desc,
            c.at,
        )
        expected = reference(op, alpha1 * a.values, alpha2 * b.values)
        check(s.fetch(c), expected + (beta * c.values if beta else 0), dtype)


@pytest.mark.parametrize(("source", "target"), list(itertools.product(TYPES, TYPES)))
def test_transform_tensor(s: Ops, source: int, target: int) -> None:
    for rank, (xl, yl) in itertools.product((3, 4, 6), itertools.permutations(LAYOUTS, 2)):
        dims = random_dims(s, rank)
        x, y = s.draw(dims, source, xl), s.draw(dims, target, yl)
        s.ok("cudnnTransformTensor", s.handle, s.scalar(2, source), x.desc, x.at, s.scalar(0.5, source), y.desc, y.at)
        check(s.fetch(y), 2 * x.values + 0.5 * y.values, target)


def test_int8_vectors_hold_four_channels_each(s: Ops) -> None:
    x = s.draw((2, 8, 3, 5), INT8)
    vectors = s.tensor(5, (2, 8, 3, 5), 2)
    packed, back = s.filled(240, INT8), s.blank((2, 8, 3, 5), INT8)
    s.ok("cudnnTransformTensor", s.handle, s.scalar(1), x.desc, x.at, s.scalar(0), vectors, packed.address)
    assert (s.download(packed).reshape(2, 2, 3, 5, 4) == x.values.reshape(2, 2, 4, 3, 5).transpose(0, 1, 3, 4, 2)).all()
    s.ok("cudnnTransformTensor", s.handle, s.scalar(1), vectors, packed.address, s.scalar(0), back.desc, back.at)
    assert (s.fetch(back) == x.values).all()


def test_int8_results_saturate_and_round_to_even(s: Ops) -> None:
    y = s.make(np.array([100.0, -100, 1, 3, 5]).reshape(1, 1, 1, 5), INT8)
    s.ok("cudnnScaleTensor", s.handle, y.desc, y.at, s.scalar(2.5))
    assert s.fetch(y).ravel().tolist() == [127, -128, 2, 8, 12]


def test_statuses(s: Ops) -> None:
    a, c, wrong = s.draw((1, 3, 1, 1), FLOAT), s.draw((2, 3, 4, 5), FLOAT), s.draw((1, 2, 1, 1), FLOAT)
    half, ints = s.draw((1, 3, 1, 1), HALF), s.draw((2, 3, 4, 5), INT32)
    one = s.scalar(1)
    add = s.lib.cudnnAddTensor
    assert add(s.handle, one, wrong.desc, wrong.at, one, c.desc, c.at) == BAD_PARAM
    assert add(s.handle, one, half.desc, half.at, one, c.desc, c.at) == BAD_PARAM
    assert add(s.handle, one, ints.desc, ints.at, one, ints.desc, ints.at) == NOT_SUPPORTED
    assert add(None, one, a.desc, a.at, one, c.desc, c.at) == BAD_PARAM
    assert add(s.handle, None, a.desc, a.at, one, c.desc, c.at) == BAD_PARAM
    assert (s.fetch(c) == c.values).all()
