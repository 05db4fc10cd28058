"""How far an output may be from the float64 reference, by element type, and why.

Inputs are rounded to their type before the reference sees them, so only two errors remain:

- rounding of the result to its own type: at most one half unit in the last place, relative to its size → `rtol`.
  Four units are allowed, since an intermediate result may be rounded too (bias, activation, beta·y).
- rounding while summing L products. Each partial sum is rounded to the accumulator's type; the errors behave like a
  random walk, so they grow with √L, and they do not shrink where the sum happens to be near zero → `atol` ∝ √L.
  Fast algorithms (Winograd, FFT) have a larger constant; 64 units cover the ones cuDNN has.

float16 and bfloat16 are summed in float32, so that only the first kind shows, except near zero. float32 on Tensor Cores
(TF32) rounds its inputs to 11 significant bits: then the second kind is 2^-11 for each product. Integers are exact.
"""

import math
from dataclasses import dataclass

from grader.contract.exercise_types import Tolerance

DEFAULT_LENGTH = 256
"""Sum length that is assumed where an exercise gives no `accumulate`: 256 products, e.g. 28 channels of 3x3."""
TF32_UNIT = 2.0**-11


@dataclass(frozen=True, slots=True)
class _Type:
    """Unit roundoff of the stored result, and of the accumulator that made it."""

    result: float
    accumulator: float


_TYPES = {
    "float64": _Type(2.0**-53, 2.0**-53),
    "float32": _Type(2.0**-24, 2.0**-24),
    "float16": _Type(2.0**-11, 2.0**-24),
    "bfloat16": _Type(2.0**-8, 2.0**-24),
}
_FAST_ALGORITHM = 64.0
_TF32_SPREAD = 8.0
"""Largest of a few thousand random-walk errors, in units of one product's rounding times √L (about six deviations)."""


def default_tolerance(dtype: str, length: int | None = None, *, tf32: bool = False) -> Tolerance:
    """Tolerance of one output. length: products summed into one element; tf32: inputs may be rounded to TF32."""
    if dtype not in _TYPES:
        return Tolerance(0.0, 0.0)
    kind = _TYPES[dtype]
    walk = math.sqrt(max(length or DEFAULT_LENGTH, 1))
    atol = _FAST_ALGORITHM * kind.accumulator * walk
    rtol = 8.0 * kind.result + 4.0 * kind.accumulator
    if dtype in ("float16", "bfloat16"):
        atol = max(atol, kind.result)  # results near zero after a sum of terms near one
    if dtype == "float32":
        rtol = max(rtol, 1e-5)
        if tf32:
            atol, rtol = _TF32_SPREAD * TF32_UNIT * walk, max(rtol, 2 * TF32_UNIT)
    return Tolerance(rtol, atol)


def widest(first: Tolerance, second: Tolerance) -> Tolerance:
    return Tolerance(max(first.rtol, second.rtol), max(first.atol, second.atol))
