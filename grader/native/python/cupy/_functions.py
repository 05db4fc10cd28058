"""NumPy's functions on device arrays: copied to the host, computed there, copied back."""

from collections.abc import Callable
from typing import Any

import numpy as np
from cupy._array import compute, is_array, note_copy

UFUNCS = (
    "abs", "absolute", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "bitwise_and",
    "bitwise_not", "bitwise_or", "bitwise_xor", "cbrt", "ceil", "conj", "conjugate", "copysign", "cos", "cosh",
    "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1", "fabs", "floor", "floor_divide", "fmax",
    "fmin", "fmod", "frexp", "gcd", "greater", "greater_equal", "heaviside", "hypot", "invert", "isfinite", "isinf",
    "isnan", "lcm", "ldexp", "left_shift", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp",
    "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "matmul", "maximum", "minimum", "mod",
    "modf", "multiply", "negative", "nextafter", "not_equal", "positive", "power", "rad2deg", "radians", "reciprocal",
    "remainder", "right_shift", "rint", "sign", "signbit", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh",
    "true_divide", "trunc",
)  # fmt: skip
OTHERS = (
    "all", "allclose", "amax", "amin", "angle", "any", "append", "argmax", "argmin", "argsort", "argwhere",
    "array_equal", "array_split", "around", "atleast_1d", "atleast_2d", "atleast_3d", "average", "bincount",
    "broadcast_arrays", "clip", "column_stack", "concatenate", "convolve", "corrcoef", "correlate", "count_nonzero",
    "cov", "cross", "cumprod", "cumsum", "delete", "diagonal", "diff", "digitize", "dot", "dstack", "ediff1d", "einsum",
    "flip", "fliplr", "flipud", "histogram", "hstack", "imag", "inner", "interp", "isclose", "isin", "kron", "lexsort",
    "max", "mean", "median", "min", "nan_to_num", "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmin", "nanstd",
    "nansum", "nanvar", "nonzero", "outer", "pad", "partition", "percentile", "prod", "ptp", "quantile", "real",
    "repeat", "resize", "roll", "rot90", "round", "searchsorted", "select", "sinc", "sort", "split", "stack", "std",
    "sum", "take", "take_along_axis", "tensordot", "tile", "trace", "unique", "unravel_index", "var", "vdot", "vsplit",
    "vstack", "where",
)  # fmt: skip
HOST_RESULT = {"broadcast_shapes", "can_cast", "result_type", "promote_types", "min_scalar_type"}
"""Functions about types and shapes, which never touch elements."""
BY_METHOD = {"all", "amax", "amin", "any", "argmax", "argmin", "cumprod", "cumsum", "max", "mean", "min", "prod", "std",
             "sum", "var"}  # fmt: skip
"""Functions that call the array's own method, so that a NumPy array gives a NumPy result."""
VIEWS = ("ravel", "reshape", "squeeze", "swapaxes", "transpose")


def elementwise(name: str) -> Callable[..., Any]:
    numpy_function = getattr(np, name)

    def function(*args: Any, **keywords: Any) -> Any:
        if name in BY_METHOD and args and isinstance(args[0], np.ndarray):
            return numpy_function(*args, **keywords)
        return compute(numpy_function, *args, **keywords)

    function.__name__ = name
    function.__doc__ = numpy_function.__doc__
    return function


def _view(name: str) -> Callable[..., Any]:
    def function(a: Any, *args: Any, **keywords: Any) -> Any:
        if not is_array(a):
            raise TypeError(f"Unsupported type {type(a)}")
        return getattr(a, name)(*args, **keywords)

    function.__name__ = name
    return function


def expand_dims(a: Any, axis: Any) -> Any:
    """View with an axis of length 1 at `axis`, or at each of them."""
    return a._view(np.expand_dims(a._geometry(), axis))


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    return a._view(np.moveaxis(a._geometry(), source, destination))


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    return a._view(np.rollaxis(a._geometry(), axis, start))


def broadcast_to(array: Any, shape: Any) -> Any:
    """View that repeats the elements by strides of 0."""
    return array._view(np.broadcast_to(array._geometry(), shape))


def ndim(a: Any) -> int:
    return int(a.ndim if is_array(a) else np.ndim(a))


def size(a: Any, axis: Any = None) -> int:
    return int(a.size if axis is None else a.shape[axis])


def shape(a: Any) -> tuple[int, ...]:
    return tuple(a.shape if is_array(a) else np.shape(a))


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    host = dst.get()
    np.copyto(host, src.get() if is_array(src) else src, casting, True if where is None else where.get())  # type: ignore[arg-type]
    dst._overwrite(host)
    note_copy(dst, src)


globals().update({name: elementwise(name) for name in UFUNCS + OTHERS})
globals().update({name: _view(name) for name in VIEWS})
globals().update({name: getattr(np, name) for name in HOST_RESULT})
