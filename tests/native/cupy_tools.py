"""Tools of the checks that run over CuPy and its stand-in alike."""

from collections.abc import Callable
from typing import Any

import numpy as np

Check = Callable[[Any], None]
CHECKS: list[Check] = []


def check(function: Check) -> Check:
    CHECKS.append(function)
    return function


def same(device: Any, host: Any, rtol: float = 1e-5) -> None:
    """Equal values, shape and type."""
    got = device.get()
    host = np.asarray(host)
    assert got.shape == host.shape, (got.shape, host.shape)
    assert got.dtype == host.dtype, (got.dtype, host.dtype)
    np.testing.assert_allclose(got, host, rtol=rtol, atol=1e-6)


def raises(error: type[BaseException], action: Callable[[], Any]) -> Any:
    """The exception; not pytest's own, which is missing where real CuPy is."""
    try:
        action()
    except error as raised:
        return raised
    raise AssertionError(f"no {error.__name__}")


def sample(*shape: int, dtype: Any = np.float32) -> Any:
    values = np.arange(1, int(np.prod(shape)) + 1) % 7 - 2.5
    return values.reshape(shape).astype(dtype)
