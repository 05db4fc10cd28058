"""Operators and methods of ndarray that NumPy computes: attached to the class here, to keep it readable."""

from collections.abc import Callable
from typing import Any

import numpy as np
from cupy._array import compute, is_array, ndarray, to_device, to_host

BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide, "floordiv": np.floor_divide,
    "mod": np.remainder, "pow": np.power, "matmul": np.matmul, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift, "divmod": np.divmod,
}  # fmt: skip
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
               "ge": np.greater_equal}  # fmt: skip
UNARY = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}
METHODS = (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "choose", "clip", "compress", "conj", "conjugate",
    "cumprod", "cumsum", "dot", "max", "mean", "min", "nonzero", "prod", "repeat", "round", "searchsorted", "std",
    "sum", "take", "trace", "var",
)  # fmt: skip


def _binary(function: Any) -> Callable[..., Any]:
    def operate(self: ndarray, other: Any) -> Any:
        return compute(function, self, other)

    return operate


def _reflected(function: Any) -> Callable[..., Any]:
    def operate(self: ndarray, other: Any) -> Any:
        return compute(function, other, self)

    return operate


def _in_place(function: Any) -> Callable[..., Any]:
    def operate(self: ndarray, other: Any) -> ndarray:
        host = self.get()
        with np.errstate(all="ignore"):
            function(host, to_host(other), out=host)
        self._overwrite(host)
        return self

    return operate


def _unary(function: Any) -> Callable[..., Any]:
    return lambda self: compute(function, self)


def _method(name: str) -> Callable[..., Any]:
    def method(self: ndarray, *args: Any, **keywords: Any) -> Any:
        return compute(getattr(np.ndarray, name), self, *args, **keywords)

    method.__name__ = name
    method.__doc__ = getattr(np.ndarray, name).__doc__
    return method


def _sort(self: ndarray, axis: int = -1) -> None:
    """Sorts in place."""
    self._overwrite(np.sort(self.get(), axis))


def _real(self: ndarray) -> ndarray:
    return self if self.dtype.kind != "c" else to_device(np.ascontiguousarray(self.get().real))


def _imag(self: ndarray) -> ndarray:
    return to_device(np.ascontiguousarray(self.get().imag))


def attach() -> None:
    for name, function in BINARY.items():
        setattr(ndarray, f"__{name}__", _binary(function))
        setattr(ndarray, f"__r{name}__", _reflected(function))
        if name != "divmod":
            setattr(ndarray, f"__i{name}__", _in_place(function))
    for name, function in COMPARISONS.items():
        setattr(ndarray, f"__{name}__", _binary(function))
    for name, function in UNARY.items():
        setattr(ndarray, f"__{name}__", _unary(function))
    for name in METHODS:
        setattr(ndarray, name, _method(name))
    for name, value in {"sort": _sort, "real": property(_real), "imag": property(_imag)}.items():
        setattr(ndarray, name, value)


attach()
__all__ = ["is_array", "ndarray"]
