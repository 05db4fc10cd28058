"""Float64 NumPy operations that exercises' reference.py files share. They are written for clearness, not for speed."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[int, int]


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
    """Forward convolution as cuDNN defines it.

    x: [N, C, H, W]. w: [K, C/groups, R, S].
    Returns [N, K, P, Q] with P = 1 + (H + 2·padding - ((R - 1)·dilation + 1)) // stride.
    padding, stride, dilation: (vertical, horizontal). flip: CUDNN_CONVOLUTION instead of CUDNN_CROSS_CORRELATION.
    Raises ValueError where the channels do not fit or the filter is larger than the padded input.
    """
    k, per_group, r, s = w.shape
    if x.shape[1] != per_group * groups or k % groups:
        raise ValueError(f"{x.shape[1]} channels do not fit a filter {w.shape} with {groups} groups")
    taps = w[:, :, ::-1, ::-1] if flip else w
    padded = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    p, q = (_places(padded.shape[2 + i], w.shape[2 + i], stride[i], dilation[i]) for i in (0, 1))
    y = np.zeros((x.shape[0], k, p, q))
    for group in range(groups):
        rows = slice(group * (k // groups), (group + 1) * (k // groups))
        channels = padded[:, group * per_group : (group + 1) * per_group]
        for i in range(r):
            for j in range(s):
                top, left = i * dilation[0], j * dilation[1]
                window = channels[:, :, top : top + p * stride[0] : stride[0], left : left + q * stride[1] : stride[1]]
                y[:, rows] += np.einsum("nchw,kc->nkhw", window, taps[rows, :, i, j])
    return y


def _places(size: int, kernel: int, stride: int, dilation: int) -> int:
    """Positions of a filter of `kernel` taps in `size` elements; what the division leaves over is dropped."""
    room = size - ((kernel - 1) * dilation + 1)
    if room < 0:
        raise ValueError(f"a filter of {kernel} with dilation {dilation} does not fit into {size} elements")
    return 1 + room // stride
