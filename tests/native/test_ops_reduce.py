"""ReduceTensor against NumPy: every operation, indices, sizes."""

import ctypes
import itertools

import numpy as np
import pytest

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, INT32, Array
from tests.native.ops import BAD_PARAM, LAYOUTS, NOT_SUPPORTED, Ops, Tensor, check, session

ADD, MUL, MIN, MAX, AMAX, AVG, NORM1, NORM2, MUL_NO_ZEROS = range(9)
DIMS = (3, 4, 5, 6)


def reference(op: int, a: Array, axes: tuple[int, ...]) -> Array:
    functions = {ADD: np.sum, MUL: np.prod, MIN: np.min, MAX: np.max, AVG: np.mean}
    if op in functions:
        result: Array = functions[op](a, axis=axes, keepdims=True)
        return result
    return {
        AMAX: lambda: np.abs(a).max(axes, keepdims=True),
        NORM1: lambda: np.abs(a).sum(axes, keepdims=True),
        NORM2: lambda: np.sqrt((a**2).sum(axes, keepdims=True)),
        MUL_NO_ZEROS: lambda: np.where(a == 0, 1, a).prod(axes, keepdims=True),
    }[op]()


def descriptor(s: Ops, op: int, compute: int, indices: int = 0) -> int:
    desc = s.create("ReduceTensor")
    s.ok("cudnnSetReduceTensorDescriptor", desc, op, compute, 0, indices, 0)
    return desc


def sizes(s: Ops, desc: int, a: Tensor, c: Tensor) -> tuple[int, int]:
    """(workspace, indices) in bytes."""
    found = [ctypes.c_size_t(), ctypes.c_size_t()]
    for function, size in zip(("Workspace", "Indices"), found, strict=True):
        s.ok(f"cudnnGetReduction{function}Size", s.handle, desc, a.desc, c.desc, ctypes.byref(size))
    return found[0].value, found[1].value


@pytest.mark.parametrize(
    ("op", "dtype", "layout"), list(itertools.product(range(9), (FLOAT, DOUBLE, HALF, INT8), LAYOUTS))
)
def test_reduction(op: int, dtype: int, layout: str) -> None:
    s = session(op)
    for axes in ((0, 2, 3), (1,), (0, 1, 2, 3), (2, 3), (3,)):
        a = s.draw(DIMS, dtype, layout, 0.7, 1.3) if op in (MUL, MUL_NO_ZEROS) else s.draw(DIMS, dtype, layout)
        if op == MUL_NO_ZEROS:
            a = s.make(np.where(s.random.random(DIMS) < 0.3, 0, a.values), dtype, layout)
        c = s.draw([1 if d in axes else n for d, n in enumerate(DIMS)], dtype)
        desc = descriptor(s, op, DOUBLE if dtype == DOUBLE else FLOAT)
        need, _ = sizes(s, desc, a, c)
        s.ok(
            "cudnnReduceTensor",
            s.handle,
            desc,
            None,
            0,
            s.space(need),
            need,
            s.scalar(2, dtype),
            a.desc,
            a.at,
            s.scalar(0.5, dtype),
            c.desc,
            c.at,
        )
        expected = 2 * reference(op, a.values, axes) + 0.5 * c.values
        if dtype == INT8:
            # Every value away from the middle between two integers, where float rounds to either side.
            expected = np.clip(expected, -128, 127)
        check(s.fetch(c), expected, dtype, 3)


@pytest.mark.parametrize(
    ("op", "axes"), list(itertools.product((MIN, MAX, AMAX), ((0, 2, 3), (1, 2, 3), (0, 1, 2, 3))))
)
def test_indices_count_within_the_reduced_dimensions(op: int, axes: tuple[int, ...]) -> None:
    s = session(op)
    a = s.draw(DIMS, FLOAT)
    c = s.blank([1 if d in axes else n for d, n in enumerate(DIMS)], FLOAT)
    desc = descriptor(s, op, FLOAT, 1)
    need, room = sizes(s, desc, a, c)
    assert room == 4 * c.values.size
    indices = s.filled(c.values.size, INT32, 0)
    s.ok(
        "cudnnReduceTensor",
        s.handle,
        desc,
        indices.address,
        room,
        s.space(need),
        need,
        s.scalar(1),
        a.desc,
        a.at,
        s.scalar(0),
        c.desc,
        c.at,
    )
    kept = [d for d in range(4) if d not in axes]
    flat = a.values.transpose(*kept, *axes).reshape(c.values.size, -1)
    best = {MIN: flat.argmin(1), MAX: flat.argmax(1), AMAX: np.abs(flat).argmax(1)}[op]
    assert (s.download(indices) == best).all()


def test_statuses() -> None:
    s = session()
    a, c, wrong, half = (
        s.draw(DIMS, FLOAT),
        s.draw((1, 4, 1, 1), FLOAT),
        s.draw((2, 4, 1, 1), FLOAT),
        s.draw(DIMS, BF16),
    )
    desc, one = descriptor(s, ADD, FLOAT), s.scalar(1)
    need, _ = sizes(s, desc, a, c)
    run, space = s.lib.cudnnReduceTensor, s.space(need)
    head = (s.handle, desc, None, 0, space)
    assert run(*head, need - 1, one, a.desc, a.at, one, c.desc, c.at) == BAD_PARAM
    assert run(*head, need, one, a.desc, a.at, one, wrong.desc, wrong.at) == BAD_PARAM
    assert run(*head, need, one, a.desc, a.at, one, a.desc, a.at) == BAD_PARAM, "nothing is reduced"
    small = s.draw((1, 4, 1, 1), BF16)
    assert run(*head, need, one, half.desc, half.at, one, small.desc, small.at) == NOT_SUPPORTED
    top = descriptor(s, MAX, FLOAT, 1)
    more, _ = sizes(s, top, a, c)
    assert run(s.handle, top, None, 0, s.space(more), more, one, a.desc, a.at, one, c.desc, c.at) == BAD_PARAM, (
        "no indices"
    )
