"""ndarray: an array in device memory, computed on by NumPy after a copy to the host."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from cupy import _memory, _transfer
from cupy._views import Views

IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array explicitly."
)


def is_array(value: Any) -> bool:
    return isinstance(value, ndarray)


def to_host(value: Any) -> Any:
    """NumPy array of a device array; lists and scalars as they are. TypeError for a NumPy array, as CuPy has it."""
    if isinstance(value, ndarray):
        return value.get()
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if isinstance(value, tuple | list):
        return type(value)(to_host(item) for item in value)
    return value


def to_device(value: Any) -> Any:
    """Device array of a NumPy array or scalar; tuples and lists item by item."""
    if isinstance(value, np.ndarray | np.generic):
        return from_host(np.asarray(value))
    if isinstance(value, tuple | list):
        return type(value)(to_device(item) for item in value)
    return value


def from_host(values: Any, order: str = "C") -> "ndarray":
    if values.dtype.kind not in "biufc":
        raise ValueError(f"Unsupported dtype {values.dtype}")
    result = ndarray(values.shape, values.dtype, order="F" if order == "F" else "C")
    result._overwrite(values)
    return result


def note_copy(target: "ndarray", value: Any) -> Any:
    """Tells the trace that elements of `value`, an array of either side or a sequence, were copied; `target`."""
    if isinstance(value, ndarray):
        _transfer.note(target.data.ptr, value.data.ptr, target.nbytes)
    elif isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim):
        _transfer.note(target.data.ptr, None, target.nbytes)
    return target


class ndarray(Views):
    """An array in device memory.

    shape: an int or a tuple. dtype: as in NumPy. memptr: memory to lie in, a new allocation if None.
    strides: in bytes, for memptr only. order: 'C' or 'F'.
    """

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None, order: str = "C"
    ) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self._shape: tuple[int, ...] = _shape(shape)
        self._strides: tuple[int, ...] = tuple(strides) if strides is not None else self._packed(order)
        self.data = memptr if memptr is not None else _memory.alloc(self.nbytes)
        self.base: ndarray | None = None

    def _packed(self, order: str) -> tuple[int, ...]:
        step, strides = self.dtype.itemsize, []
        for n in self._shape if order == "F" else reversed(self._shape):
            strides.append(step)
            step *= max(n, 1)
        return tuple(strides if order == "F" else reversed(strides))

    # -- description -------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        view = self.reshape(shape)
        if view.data.ptr != self.data.ptr:
            raise AttributeError("Incompatible shape for in-place modification. Use `.reshape()` to make a copy.")
        self._shape, self._strides = view._shape, view._strides

    @property
    def strides(self) -> tuple[int, ...]:
        return self._strides

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def size(self) -> int:
        return int(np.prod(self._shape, dtype=np.int64))

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def flags(self) -> Any:
        return Flags(self._geometry(), self.base is None)

    @property
    def device(self) -> Any:
        from cupy.cuda import Device

        return Device(0)

    @property
    def T(self) -> "ndarray":
        return self.transpose()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        strides = None if self.flags.c_contiguous else self._strides
        return {
            "shape": self._shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "data": (self.data.ptr, False),
            "strides": strides,
            "stream": 1,
            "version": 3,
        }

    # -- host and device ---------------------------------------------------------------------------------------------

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        """NumPy copy. Waits for the work that was started before."""
        if stream is not None:
            stream.synchronize()
        values = _transfer.read(self.data.ptr, self._shape, self._strides, self.dtype)
        if out is None:
            return np.array(values, order=order if order in "CF" else "K", copy=True)
        if not isinstance(out, np.ndarray) or out.shape != self._shape or out.dtype != self.dtype:
            raise ValueError("out must be a numpy.ndarray of the same shape and dtype")
        out[...] = values
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Overwrites the elements with those of a NumPy array of the same shape and type."""
        if not isinstance(arr, np.ndarray | np.generic):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self._shape:
            raise ValueError(f"Shape mismatch. Old shape: {self._shape}, new shape: {arr.shape}")
        self._overwrite(arr)
        _transfer.note(self.data.ptr, None, self.nbytes)

    def _overwrite(self, arr: Any) -> None:
        _transfer.write(self.data.ptr, self._shape, self._strides, self.dtype, arr)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(IMPLICIT)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method not in ("__call__", "reduce", "accumulate", "outer"):
            return NotImplemented
        return compute(getattr(ufunc, method), *inputs, **keywords)

    def __array_function__(self, function: Any, types: Any, args: Any, keywords: Any) -> Any:
        import cupy

        counterpart = getattr(cupy, function.__name__, None)
        return NotImplemented if counterpart is None else counterpart(*args, **keywords)

    # -- copies ------------------------------------------------------------------------------------------------------

    def _reshaped_copy(self, shape: Any, order: str) -> "ndarray":
        return note_copy(from_host(self.get().reshape(shape, order=order)), self)

    def _order(self, order: str) -> str:
        """C or F for a copy in the order that is asked for: K and A keep column-major order."""
        column_major = order == "F" or (order in "AK" and self.flags.fnc)
        return "F" if column_major else "C"

    def flatten(self, order: str = "C") -> "ndarray":
        return note_copy(from_host(self.get().flatten(order)), self)

    def copy(self, order: str = "C") -> "ndarray":
        return note_copy(from_host(self.get(), self._order(order)), self)

    def astype(
        self, dtype: Any, order: str = "K", casting: Any = None, subok: Any = None, copy: bool = True
    ) -> "ndarray":
        if not copy and np.dtype(dtype) == self.dtype:
            return self
        with np.errstate(all="ignore"):
            values = self.get().astype(dtype, casting=casting or "unsafe")
        return note_copy(from_host(values, self._order(order)), self)

    def fill(self, value: Any) -> None:
        self[...] = value

    # -- elements ----------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> "ndarray":
        if _is_basic(key):
            keys = key if isinstance(key, tuple) else (key,)
            # With an ellipsis NumPy gives a view where it would give an element, which it would have to read.
            keys = keys if any(k is Ellipsis for k in keys) else (*keys, ...)
            return self._view(self._geometry()[keys])
        return to_device(self.get()[_host_index(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, np.ndarray) and value.ndim:
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        values = value if isinstance(value, np.ndarray) else to_host(value)
        if _is_basic(key):
            target = self[key]
            target._overwrite(values)
            note_copy(target, value)
        else:
            host = self.get()
            host[_host_index(key)] = values
            self._overwrite(host)
            note_copy(self, value)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def __iter__(self) -> Iterator["ndarray"]:
        if not self._shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self._shape[0]))

    def __contains__(self, value: Any) -> bool:
        return bool(to_host(value) in self.get())

    def item(self, *args: Any) -> Any:
        return self.get().item(*args)

    def tolist(self) -> Any:
        return self.get().tolist()

    def tobytes(self, order: str = "C") -> bytes:
        return bytes(self.get().tobytes(order))

    def __bool__(self) -> bool:
        return bool(self.get())

    def __int__(self) -> int:
        return int(self.get())

    def __float__(self) -> float:
        return float(self.get())

    def __complex__(self) -> complex:
        return complex(self.get())

    def __index__(self) -> int:
        return int(self.get().__index__())

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __format__(self, spec: str) -> str:
        return format(self.get(), spec)

    def __copy__(self) -> "ndarray":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "ndarray":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return from_host, (self.get(),)


class Flags:
    """Of an array's memory: c_contiguous, f_contiguous, owndata; also by index, as NumPy has them."""

    def __init__(self, geometry: Any, owndata: bool) -> None:
        self.c_contiguous = bool(geometry.flags.c_contiguous)
        self.f_contiguous = bool(geometry.flags.f_contiguous)
        self.owndata = owndata
        self.forc = self.c_contiguous or self.f_contiguous
        self.fnc = self.f_contiguous and not self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        return bool(getattr(self, name.lower()))

    def __repr__(self) -> str:
        return f"  C_CONTIGUOUS : {self.c_contiguous}\n  F_CONTIGUOUS : {self.f_contiguous}\n  OWNDATA : {self.owndata}"


def _shape(shape: Any) -> tuple[int, ...]:
    sizes = tuple(operator.index(n) for n in (shape if isinstance(shape, tuple | list) else (shape,)))
    if any(n < 0 for n in sizes):
        raise ValueError("Negative dimensions are not allowed")
    return sizes


def _is_basic(key: Any) -> bool:
    keys = key if isinstance(key, tuple) else (key,)
    return all(
        k is None
        or k is Ellipsis
        or isinstance(k, slice | np.integer)
        or (isinstance(k, int) and not isinstance(k, bool))
        for k in keys
    )


def _host_index(key: Any) -> Any:
    """Indices may be arrays of either side."""
    if isinstance(key, tuple):
        return tuple(_host_index(k) for k in key)
    return key.get() if isinstance(key, ndarray) else key


def compute(function: Callable[..., Any], *args: Any, out: Any = None, **keywords: Any) -> Any:
    """`function` of NumPy on host copies, its result on the device. out: a device array (or a tuple of one) to fill."""
    values = [to_host(value) for value in args]
    with np.errstate(all="ignore"):  # a device raises no floating-point warnings
        result = function(*values, **{key: to_host(value) for key, value in keywords.items()})
    target = out[0] if isinstance(out, tuple) else out
    if target is None:
        return to_device(result)
    if not isinstance(target, ndarray):
        raise TypeError("return arrays must be of ArrayType")
    target[...] = to_device(np.asarray(result))
    return target
