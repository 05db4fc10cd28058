"""Random arrays, linear algebra, testing helpers, conversions by function."""

from typing import Any

import numpy as np

from tests.native.cupy_tools import check, raises, same, sample


@check
def random_arrays(cp: Any) -> None:
    cp.random.seed(3)
    a = cp.random.standard_normal((64, 64), dtype=np.float32)
    assert (a.shape, a.dtype) == ((64, 64), np.float32)
    assert abs(float(a.mean())) < 0.1
    cp.random.seed(3)
    same(cp.random.standard_normal((64, 64), dtype=np.float32), a.get())
    u = cp.random.rand(10, 3)
    assert (u.shape, u.dtype) == ((10, 3), np.float64)
    assert bool(((u >= 0) & (u < 1)).all())
    i = cp.random.randint(0, 5, size=(4,))
    assert bool(((i >= 0) & (i < 5)).all())
    assert cp.random.uniform(-1, 1, (2, 3), dtype=np.float32).dtype == np.float32
    assert cp.random.default_rng(1).standard_normal((3,)).shape == (3,)


@check
def linear_algebra(cp: Any) -> None:
    x = sample(3, 3, dtype=np.float64) + 5 * np.eye(3)
    a = cp.asarray(x)
    same(cp.linalg.norm(a), np.linalg.norm(x))
    same(cp.linalg.inv(a), np.linalg.inv(x))
    same(cp.linalg.solve(a, cp.ones(3)), np.linalg.solve(x, np.ones(3)))


@check
def testing_helpers(cp: Any) -> None:
    a = cp.asarray(sample(4))
    cp.testing.assert_allclose(a, sample(4))
    cp.testing.assert_array_equal(a, a)
    raises(AssertionError, lambda: cp.testing.assert_allclose(a, sample(4) + 1))
    assert bool(cp.allclose(a, a))
    assert cp.get_array_module(a) is cp
    assert cp.get_array_module(sample(2)) is np


@check
def iteration(cp: Any) -> None:
    rows = list(cp.asarray(sample(2, 3)))
    assert [float(row.sum()) for row in rows] == [float(row.sum()) for row in sample(2, 3)]
    assert [int(v) for v in cp.arange(3)] == [0, 1, 2]


@check
def asnumpy(cp: Any) -> None:
    x = sample(2, 3)
    assert isinstance(cp.asnumpy(cp.asarray(x)), np.ndarray)
    np.testing.assert_array_equal(cp.asnumpy(x), x)
    np.testing.assert_array_equal(cp.asnumpy([1, 2]), [1, 2])


@check
def names_of_types(cp: Any) -> None:
    assert cp.float32 is np.float32
    assert cp.dtype("f4") == np.dtype(np.float32)
    assert (cp.pi, cp.newaxis) == (np.pi, None)
    assert np.isnan(cp.nan)
    assert cp.result_type(np.float32, np.float64) == np.float64


@check
def half_precision(cp: Any) -> None:
    x = sample(2, 3).astype(np.float16)
    a = cp.asarray(x)
    assert a.nbytes == 12
    same(a * a, x * x)
    same(a.astype(np.float32).sum(), x.astype(np.float32).sum())
    assert a.sum().dtype == np.float16
