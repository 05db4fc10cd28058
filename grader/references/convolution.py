"""Convolution and its three gradients, as cuDNN defines them.

x: [N, C, H, W]. w: [K, C/groups, R, S].
y: [N, K, P, Q] with P = 1 + (H + 2·padding - ((R - 1)·dilation + 1)) // stride.
padding, stride, dilation: (vertical, horizontal). flip: CUDNN_CONVOLUTION instead of CUDNN_CROSS_CORRELATION.
Every function raises ValueError where the channels do not fit or the filter is larger than the padded input.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[int, int]
Index = tuple[slice, slice, slice, slice]


def convolution_forward(
    x: Floats,
    w: Floats,
    *,
    padding: Pair = (0, 0),
    stride: Pair = (1, 1),
    dilation: Pair = (1, 1),
    groups: int = 1,
    flip: bool = False,
) -> Floats:
    """y of x and w."""
    shape = _output_shape(x.shape, w.shape, padding, stride, dilation, groups)
    padded = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    y = np.zeros(shape)
    for rows, window, tap in _taps(w.shape, shape, stride, dilation, groups, flip):
        y[:, rows] += np.einsum("nchw,kc->nkhw", padded[window], w[rows][tap])
    return y


def convolution_backward_data(
    dy: Floats,
    w: Floats,
    x_shape: tuple[int, ...],
    *,
    padding: Pair = (0, 0),
    stride: Pair = (1, 1),
    dilation: Pair = (1, 1),
    groups: int = 1,
    flip: bool = False,
) -> Floats:
    """dx of the given shape: what dy says about x."""
    shape = _output_shape(x_shape, w.shape, padding, stride, dilation, groups)
    n, c, height, width = x_shape
    padded = np.zeros((n, c, height + 2 * padding[0], width + 2 * padding[1]))
    for rows, window, tap in _taps(w.shape, shape, stride, dilation, groups, flip):
        padded[window] += np.einsum("nkhw,kc->nchw", dy[:, rows], w[rows][tap])
    return padded[:, :, padding[0] : padding[0] + height, padding[1] : padding[1] + width]


def convolution_backward_filter(
    x: Floats,
    dy: Floats,
    w_shape: tuple[int, ...],
    *,
    padding: Pair = (0, 0),
    stride: Pair = (1, 1),
    dilation: Pair = (1, 1),
    groups: int = 1,
    flip: bool = False,
) -> Floats:
    """dw of the given shape: what dy says about w."""
    shape = _output_shape(x.shape, w_shape, padding, stride, dilation, groups)
    padded = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    dw = np.zeros(w_shape)
    for rows, window, tap in _taps(w_shape, shape, stride, dilation, groups, flip):
        dw[rows][tap] += np.einsum("nchw,nkhw->kc", padded[window], dy[:, rows])
    return dw


def convolution_backward_bias(dy: Floats) -> Floats:
    """dy: [N, K, P, Q] → [1, K, 1, 1]."""
    return np.asarray(dy.sum(axis=(0, 2, 3), keepdims=True))


def _output_shape(
    x_shape: tuple[int, ...], w_shape: tuple[int, ...], padding: Pair, stride: Pair, dilation: Pair, groups: int
) -> tuple[int, int, int, int]:
    if x_shape[1] != w_shape[1] * groups or w_shape[0] % groups:
        raise ValueError(f"{x_shape[1]} channels do not fit a filter {w_shape} with {groups} groups")
    p, q = (_places(x_shape[2 + i] + 2 * padding[i], w_shape[2 + i], stride[i], dilation[i]) for i in (0, 1))
    return x_shape[0], w_shape[0], p, q


def _places(size: int, kernel: int, stride: int, dilation: int) -> int:
    """Positions of a filter of `kernel` taps in `size` elements; what the division leaves over is dropped."""
    room = size - ((kernel - 1) * dilation + 1)
    if room < 0:
        raise ValueError(f"a filter of {kernel} with dilation {dilation} does not fit into {size} elements")
    return 1 + room // stride


def _taps(
    w_shape: tuple[int, ...], y_shape: tuple[int, ...], stride: Pair, dilation: Pair, groups: int, flip: bool
) -> Iterator[tuple[slice, Index, tuple[slice, slice, int, int]]]:
    """For each group and tap: output channels, the padded input that the tap meets, the tap in the group's filter."""
    (k, per_group, r, s), (p, q) = w_shape, y_shape[2:]
    for group in range(groups):
        rows = slice(group * (k // groups), (group + 1) * (k // groups))
        channels = slice(group * per_group, (group + 1) * per_group)
        for i in range(r):
            for j in range(s):
                top, left = i * dilation[0], j * dilation[1]
                vertical = slice(top, top + (p - 1) * stride[0] + 1, stride[0])
                horizontal = slice(left, left + (q - 1) * stride[1] + 1, stride[1])
                tap = (r - 1 - i, s - 1 - j) if flip else (i, j)
                yield rows, (slice(None), channels, vertical, horizontal), (slice(None), slice(None), *tap)
