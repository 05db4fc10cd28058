"""The same four-dimensional tensor in the two orders of memory. Also turns KCRS filters into KRSC."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def nchw_to_nhwc(x: Floats) -> Floats:
    """[N, C, H, W] → [N, H, W, C]."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def nhwc_to_nchw(x: Floats) -> Floats:
    """[N, H, W, C] → [N, C, H, W]."""
    return np.ascontiguousarray(np.moveaxis(x, -1, 1))
