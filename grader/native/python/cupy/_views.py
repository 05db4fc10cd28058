"""Views: other shapes and strides on the same memory."""

from typing import Any

import numpy as np
from cupy import _transfer


class Views:
    """Methods of ndarray that give another array on the same memory, or a copy where strides cannot express it."""

    data: Any
    dtype: "np.dtype[Any]"
    base: Any
    _shape: tuple[int, ...]
    _strides: tuple[int, ...]

    def _reshaped_copy(self, shape: Any, order: str) -> Any:
        """Copy of the shape, where no strides give it. ValueError where the sizes do not fit."""
        raise ValueError(f"cannot reshape array of shape {self._shape} into shape {shape}")

    def _geometry(self) -> Any:
        return _transfer.geometry(self.data.ptr, self._shape, self._strides, self.dtype)

    def _view(self, view: Any) -> Any:
        """Array on the same memory with the geometry of a NumPy view of `_geometry()`."""
        offset = _transfer.address(view) - _transfer.address(self._geometry()) if view.size else 0
        result = type(self)(view.shape, view.dtype, self.data + offset, view.strides)  # type: ignore[call-arg]
        result.base = self if self.base is None else self.base
        return result

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        shape = shape[0] if len(shape) == 1 else shape
        try:
            return self._view(self._geometry().reshape(shape, order=order, copy=False))
        except ValueError:
            return self._reshaped_copy(shape, order)

    def transpose(self, *axes: Any) -> Any:
        return self._view(self._geometry().transpose(*axes))

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        return self._view(self._geometry().swapaxes(axis1, axis2))

    def squeeze(self, axis: Any = None) -> Any:
        return self._view(self._geometry().squeeze(axis))

    def ravel(self, order: str = "C") -> Any:
        return self.reshape(-1, order=order)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        return self._view(self._geometry() if dtype is None else self._geometry().view(dtype))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        return self._view(self._geometry().diagonal(offset, axis1, axis2))
