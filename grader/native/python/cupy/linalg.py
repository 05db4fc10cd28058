"""Linear algebra, computed by NumPy on the host."""

import numpy as np
from cupy._array import compute

NAMES = ("cholesky", "det", "eigh", "eigvalsh", "inv", "lstsq", "matrix_power", "matrix_rank", "norm", "pinv", "qr",
         "slogdet", "solve", "svd")  # fmt: skip


def _function(name: str) -> object:
    numpy_function = getattr(np.linalg, name)
    return lambda *args, **keywords: compute(numpy_function, *args, **keywords)


globals().update({name: _function(name) for name in NAMES})
