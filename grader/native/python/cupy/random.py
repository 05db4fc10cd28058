"""Random arrays. The generators are NumPy's, so values differ from real CuPy's for the same seed."""

from typing import Any

import numpy as np
from cupy._array import ndarray, to_device, to_host

FUNCTIONS = ("beta", "binomial", "choice", "exponential", "gamma", "geometric", "gumbel", "laplace", "logistic",
             "lognormal", "multivariate_normal", "normal", "permutation", "poisson", "rand", "randint", "randn",
             "random_sample", "standard_normal", "triangular", "uniform")  # fmt: skip


class RandomState:
    """Legacy generator. Methods take a `dtype` beside NumPy's parameters."""

    def __init__(self, seed: Any = None) -> None:
        self._state = np.random.RandomState(seed)

    def seed(self, seed: Any = None) -> None:
        self._state.seed(seed)

    def shuffle(self, a: ndarray) -> None:
        """Shuffles along the first axis, in place."""
        host = a.get()
        self._state.shuffle(host)
        a._overwrite(host)

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            raise AttributeError(f"this stand-in for CuPy lacks random.{name}")

        def function(*args: Any, dtype: Any = None, **keywords: Any) -> Any:
            values = getattr(self._state, name)(*map(to_host, args), **keywords)
            return to_device(np.asarray(values) if dtype is None else np.asarray(values).astype(dtype))

        return function


class Generator:
    """New-style generator."""

    def __init__(self, seed: Any = None) -> None:
        self._generator = np.random.default_rng(seed)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._generator, name)
        return lambda *args, **keywords: to_device(np.asarray(method(*map(to_host, args), **keywords)))


_state = RandomState()
default_rng = Generator


def seed(seed: Any = None) -> None:
    _state.seed(seed)


def shuffle(a: ndarray) -> None:
    _state.shuffle(a)


def random(size: Any = None) -> Any:
    return _state.random_sample(size)


globals().update({name: getattr(_state, name) for name in FUNCTIONS})
