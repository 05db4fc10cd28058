"""Digests of recorded results, and their comparison with what another library gave.

An array is stored as its type, length, sum and up to 16 of its values; everything else as it is.
"""

import math
from typing import Any

import numpy as np

from tests.native.h200.session import Array

SAMPLES = 16
TOLERANCE = {0: 3e-4, 1: 1e-9, 2: 8e-3, 9: 6e-2, 3: 0.0}
"""Largest difference in units of the largest magnitude of the samples, by data type; integers are exact."""


def is_array(key: str) -> bool:
    """Whether the result of this name is the contents of a buffer: [data type, values]."""
    return key.endswith("→")


def samples(values: Array) -> Array:
    return values[np.unique(np.linspace(0, len(values) - 1, SAMPLES).astype(int))]


def digest(key: str, value: Any) -> Any:
    """A result as it is stored."""
    if not is_array(key):
        return value
    values = np.array(value[1], np.float64)
    return [value[0], len(values), *(float(f"{v:.8g}") for v in (values.sum(), *samples(values)))]


def difference(key: str, expected: Any, found: Any, tolerance: dict[int, float] | None = None) -> str:
    """What differs between a digest and a result, in words; empty if nothing does."""
    if not is_array(key):
        return "" if _equal(expected, found) else f"{expected} ≠ {found}"
    got = digest(key, found)
    if got[:2] != expected[:2]:
        return f"type and length {expected[:2]} ≠ {got[:2]}"
    a, b = np.array(expected[2:]), np.array(got[2:])
    scale = np.abs(a[1:][np.isfinite(a[1:])]).max(initial=1e-30)
    limit = np.full(len(a), (tolerance or TOLERANCE).get(expected[0], 0) * scale)
    limit[0] *= max(1.0, math.sqrt(expected[1]))
    with np.errstate(invalid="ignore"):
        wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= limit))
    if not wrong.any():
        return ""
    first = int(np.argmax(wrong))
    return f"{'sum' if first == 0 else f'sample {first - 1}'}: {a[first]:.7g} ≠ {b[first]:.7g} (scale {scale:.3g})"


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))
