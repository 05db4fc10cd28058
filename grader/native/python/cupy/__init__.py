"""Stand-in for CuPy over the simulated CUDA runtime: the same names, arrays in simulated device memory.

Elements are computed by NumPy on the host, so results are right and times mean nothing. What it lacks says so.
"""

from typing import Any

import numpy as np
from cupy import _creation, _functions, cuda, linalg, random, testing
from cupy._memory import get_default_memory_pool, get_default_pinned_memory_pool
from cupy._operators import ndarray

__version__ = "14.0.0+simulated"
is_simulated = True
"""Real CuPy has no such name."""

pi, e, inf, nan, newaxis, euler_gamma = np.pi, np.e, np.inf, np.nan, np.newaxis, np.euler_gamma
bool_, int8, int16, int32, int64 = np.bool_, np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64, complex64, complex128 = np.float16, np.float32, np.float64, np.complex64, np.complex128
dtype, finfo, iinfo, isscalar, s_, index_exp = np.dtype, np.finfo, np.iinfo, np.isscalar, np.s_, np.index_exp
number, integer, floating, generic = np.number, np.integer, np.floating, np.generic

ONLY_REAL = {"ElementwiseKernel", "RawKernel", "RawModule", "ReductionKernel", "fuse", "fft", "sparse", "polynomial",
             "prof", "show_config", "vectorize", "cublas", "from_dlpack"}  # fmt: skip
"""Names of real CuPy, beside NumPy's, that have no counterpart here."""


def _public(module: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("_") and callable(value)}


for _module in (_functions, _creation):
    globals().update({name: value for name, value in _public(_module).items() if name not in ("Any", "Callable")})


def __getattr__(name: str) -> Any:
    if name in ONLY_REAL or (not name.startswith("_") and hasattr(np, name)):
        raise AttributeError(
            f"this stand-in for CuPy, which serves where there is no GPU, lacks cupy.{name}; "
            "real CuPy on a GPU has it. Compute it with NumPy on array.get(), or from the functions that are there"
        )
    raise AttributeError(f"module 'cupy' has no attribute {name!r}")


__all__ = [name for name in globals() if not name.startswith("_")]
_ = (cuda, get_default_memory_pool, get_default_pinned_memory_pool, linalg, ndarray, random, testing)
