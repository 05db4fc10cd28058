"""Pooling as cuDNN defines it: sizes are rounded down, padding never wins a maximum."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[int, int]
Mode = Literal["max", "average_include_padding", "average_exclude_padding"]


def _sizes(x: Floats, window: Pair, padding: Pair, stride: Pair) -> Pair:
    p, q = ((x.shape[2 + i] + 2 * padding[i] - window[i]) // stride[i] + 1 for i in (0, 1))
    if p < 1 or q < 1:
        raise ValueError(f"a window of {window} does not fit into {x.shape[2:]} with padding {padding}")
    return p, q


def _windows(x: Floats, window: Pair, padding: Pair, stride: Pair) -> Iterator[tuple[int, int, slice, slice]]:
    """(p, q, rows, columns) of every window, cut to the image."""
    p_count, q_count = _sizes(x, window, padding, stride)
    for p in range(p_count):
        top = p * stride[0] - padding[0]
        rows = slice(max(top, 0), min(top + window[0], x.shape[2]))
        for q in range(q_count):
            left = q * stride[1] - padding[1]
            yield p, q, rows, slice(max(left, 0), min(left + window[1], x.shape[3]))


def _weight(mode: Mode, window: Pair, patch: Floats) -> float:
    """What each element of an average counts."""
    count = window[0] * window[1] if mode == "average_include_padding" else patch.shape[2] * patch.shape[3]
    return 1.0 / count


def pooling_forward(
    x: Floats, window: Pair, *, padding: Pair = (0, 0), stride: Pair | None = None, mode: Mode = "max"
) -> Floats:
    """x: [N, C, H, W] → [N, C, P, Q] with P = (H + 2·pad - window) // stride + 1. stride None: the window's size."""
    step = stride or window
    y = np.empty((*x.shape[:2], *_sizes(x, window, padding, step)))
    for p, q, rows, columns in _windows(x, window, padding, step):
        patch = x[:, :, rows, columns]
        y[:, :, p, q] = (
            patch.max(axis=(2, 3)) if mode == "max" else patch.sum(axis=(2, 3)) * _weight(mode, window, patch)
        )
    return y


def pooling_backward(
    x: Floats, dy: Floats, window: Pair, *, padding: Pair = (0, 0), stride: Pair | None = None, mode: Mode = "max"
) -> Floats:
    """Gradient with respect to x. max: the gradient goes to the first largest element of each window, row by row."""
    dx = np.zeros_like(x)
    for p, q, rows, columns in _windows(x, window, padding, stride or window):
        patch = x[:, :, rows, columns]
        gradient = dy[:, :, p, q, None, None]
        if mode == "max":
            flat = patch.reshape(*patch.shape[:2], -1)
            first = np.zeros_like(flat)
            np.put_along_axis(first, flat.argmax(axis=2)[..., None], 1.0, axis=2)
            dx[:, :, rows, columns] += first.reshape(patch.shape) * gradient
        else:
            dx[:, :, rows, columns] += gradient * _weight(mode, window, patch)
    return dx
