"""Functions that make arrays, with NumPy's parameters."""

from typing import Any

import numpy as np
from cupy._array import from_host, is_array, ndarray, note_copy, to_device, to_host


def empty(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    """Array whose memory is not written: it holds whatever lay there."""
    return ndarray(shape, dtype, order=order)


def zeros(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return full(shape, 0, dtype or float, order)


def ones(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return full(shape, 1, dtype or float, order)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if dtype is None:
        dtype = fill_value.dtype if is_array(fill_value) else np.asarray(fill_value).dtype
    result = ndarray(shape, dtype, order=order)
    result.fill(fill_value)
    return result


def _like(a: Any, dtype: Any, order: str, shape: Any) -> ndarray:
    column_major = order == "F" or (order in "AK" and a.flags.f_contiguous and not a.flags.c_contiguous)
    return ndarray(a.shape if shape is None else shape, dtype or a.dtype, order="F" if column_major else "C")


def empty_like(prototype: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    return _like(prototype, dtype, order, shape)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> ndarray:
    result = _like(a, dtype, order, shape)
    result.fill(fill_value)
    return result


def zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    return full_like(a, 0, dtype, order, subok, shape)


def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    return full_like(a, 1, dtype, order, subok, shape)


def array(
    obj: Any, dtype: Any = None, copy: bool = True, order: str = "K", subok: bool = False, ndmin: int = 0
) -> ndarray:
    """Device copy of a NumPy array, a device array, a sequence or a scalar."""
    if is_array(obj):
        same = not copy and (dtype is None or np.dtype(dtype) == obj.dtype) and obj.ndim >= ndmin
        if same and (order in "AK" or obj.flags[f"{order}_CONTIGUOUS"]):
            return obj
        values = obj.astype(dtype or obj.dtype, order).get(order=order if order in "CF" else "A")
    else:
        values = np.asarray(_host(obj), dtype)
    values = np.array(values, ndmin=ndmin, copy=None)
    column_major = order == "F" or (order in "AK" and values.flags.f_contiguous and not values.flags.c_contiguous)
    return note_copy(from_host(values, "F" if column_major else "C"), obj if is_array(obj) else values)


def _host(obj: Any) -> Any:
    """Sequences may hold device arrays."""
    if isinstance(obj, tuple | list):
        return type(obj)(_host(item) for item in obj)
    return to_host(obj) if is_array(obj) else obj


def asarray(a: Any, dtype: Any = None, order: str | None = None) -> ndarray:
    return array(a, dtype, copy=False, order=order or "K")


asanyarray = asarray


def ascontiguousarray(a: Any, dtype: Any = None) -> ndarray:
    return array(a, dtype, copy=False, order="C", ndmin=1)


def asfortranarray(a: Any, dtype: Any = None) -> ndarray:
    return array(a, dtype, copy=False, order="F", ndmin=1)


def copy(a: Any, order: str = "K") -> ndarray:
    return array(a, order=order)


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """NumPy copy of a device array; other values become NumPy arrays."""
    if is_array(a):
        return a.get(stream, order, out)
    if out is not None:
        out[...] = np.asarray(a)
        return out
    return np.asarray(a, order=order if order in "CF" else None)


def get_array_module(*args: Any) -> Any:
    """This module if any argument is a device array, else NumPy."""
    import cupy

    return cupy if any(is_array(a) for a in args) else np


def _from_numpy(name: str) -> Any:
    numpy_function = getattr(np, name)

    def function(*args: Any, **keywords: Any) -> Any:
        values = [to_host(value) for value in args]
        return to_device(numpy_function(*values, **{key: to_host(value) for key, value in keywords.items()}))

    function.__name__ = name
    function.__doc__ = numpy_function.__doc__
    return function


FROM_NUMPY = (
    "arange", "diag", "diagflat", "eye", "fromfunction", "hamming", "hanning", "identity", "indices", "linspace",
    "logspace", "meshgrid", "tri", "tril", "triu", "vander",
)  # fmt: skip
globals().update({name: _from_numpy(name) for name in FROM_NUMPY})
