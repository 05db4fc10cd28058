"""Assertions that accept device arrays."""

from typing import Any

import numpy as np
from cupy._creation import asnumpy


def assert_allclose(actual: Any, desired: Any, rtol: float = 1e-7, atol: float = 0, **keywords: Any) -> None:
    np.testing.assert_allclose(asnumpy(actual), asnumpy(desired), rtol, atol, **keywords)


def assert_array_equal(x: Any, y: Any, **keywords: Any) -> None:
    np.testing.assert_array_equal(asnumpy(x), asnumpy(y), **keywords)


def assert_array_almost_equal(x: Any, y: Any, decimal: int = 6, **keywords: Any) -> None:
    np.testing.assert_array_almost_equal(asnumpy(x), asnumpy(y), decimal, **keywords)
