"""What the errors look like: a hint code where they have a shape that tells what went wrong.

Each test is a small function over (expected, yours, bad, untouched); the first that fits gives the code.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Found = dict[str, Any] | None
"""Data of a pattern that fits; None where it does not."""


def _close(a: Floats, b: Floats) -> bool:
    return bool(np.allclose(a, b, rtol=1e-2, atol=1e-2 * float(np.abs(b).mean() + 1e-12)))


def untouched(_: Floats, yours: Floats, bad: Mask, same_bits: Mask | None) -> Found:
    """At least every tenth element was never written."""
    if same_bits is None:
        return None
    count = int(np.count_nonzero(same_bits & bad))
    return {"elements": count, "of": int(yours.size)} if count * 10 >= yours.size else None


def not_a_number(_: Floats, yours: Floats, bad: Mask, __: Mask | None) -> Found:
    """Most of what is wrong is NaN that was computed: some NaN went into the computation."""
    count = int(np.count_nonzero(np.isnan(yours) & bad))
    return {"elements": count, "of": int(yours.size)} if count * 2 >= int(np.count_nonzero(bad)) else None


def all_zero(_: Floats, yours: Floats, __: Mask, ___: Mask | None) -> Found:
    """A single 0 may be a value like any other."""
    return {} if yours.size > 1 and not np.any(yours) else None


def scaled(expected: Floats, yours: Floats, _: Mask, __: Mask | None) -> Found:
    """Every element is the same multiple of what it should be."""
    if not np.all(np.isfinite(yours)) or expected.size < 2:
        return None
    norm = float(np.vdot(expected, expected))
    factor = float(np.vdot(expected, yours)) / norm if norm > 0 else 0.0
    if abs(factor) < 1e-6 or abs(factor - 1.0) < 1e-6:
        return None
    residual = float(np.linalg.norm(yours - factor * expected))
    limit = 1e-2 * abs(factor) * norm**0.5
    return {"factor": float(f"{factor:.4g}")} if residual <= limit and _distinct(expected) else None


def _distinct(expected: Floats) -> bool:
    return bool(np.ptp(expected) > 1e-9 * max(1.0, float(np.abs(expected).max())))


def transposed(expected: Floats, yours: Floats, _: Mask, __: Mask | None) -> Found:
    """Right values in another order of axes: the last two swapped, or NHWC order in an NCHW output."""
    if expected.ndim < 2 or not np.all(np.isfinite(yours)) or not _distinct(expected):
        return None
    orders: list[tuple[str, tuple[int, ...]]] = []
    axes = tuple(range(expected.ndim))
    orders.append(("last_two", (*axes[:-2], axes[-1], axes[-2])))
    if expected.ndim == 4:
        orders += [("nhwc", (0, 2, 3, 1)), ("nchw", (0, 3, 1, 2)), ("first_two", (1, 0, 2, 3))]
    for name, order in orders:
        moved = np.transpose(expected, order).reshape(-1)
        if not np.array_equal(moved, expected.reshape(-1)) and _close(yours.reshape(-1), moved):
            return {"order": name}
    return None


def flipped(expected: Floats, yours: Floats, _: Mask, __: Mask | None) -> Found:
    """Outputs mirrored in both image axes; a flipped filter shows so where the input is symmetric enough."""
    if expected.ndim < 3 or not np.all(np.isfinite(yours)):
        return None
    mirrored = expected[..., ::-1, ::-1]
    return {} if not np.array_equal(mirrored, expected) and _close(yours, mirrored) else None


def _only(bad: Mask, region: Mask) -> bool:
    """All errors lie in the region, most of the region is wrong, and there is something outside it."""
    inside = int(np.count_nonzero(bad & region))
    outside = int(np.count_nonzero(bad & ~region))
    return outside == 0 and inside * 2 >= int(np.count_nonzero(region)) and not bool(region.all())


def _edge(bad: Mask, axis: int) -> Mask:
    region = np.zeros(bad.shape, bool)
    index: list[Any] = [slice(None)] * bad.ndim
    index[axis] = -1
    region[tuple(index)] = True
    return region


def last_column(_: Floats, __: Floats, bad: Mask, ___: Mask | None) -> Found:
    return {} if bad.ndim >= 2 and _only(bad, _edge(bad, -1)) else None


def last_row(_: Floats, __: Floats, bad: Mask, ___: Mask | None) -> Found:
    return {} if bad.ndim >= 2 and _only(bad, _edge(bad, -2)) else None


def border(_: Floats, __: Floats, bad: Mask, ___: Mask | None) -> Found:
    """Errors only in the frame of each image, the inside right: padding."""
    if bad.ndim < 2 or min(bad.shape[-2:]) < 3:
        return None
    region = np.ones(bad.shape, bool)
    region[..., 1:-1, 1:-1] = False
    return {} if _only(bad, region) else None


def _one(bad: Mask, axis: int) -> Found:
    if bad.ndim <= axis or bad.shape[axis] < 2:
        return None
    axes = tuple(i for i in range(bad.ndim) if i != axis)
    hit = np.flatnonzero(bad.any(axis=axes))
    if len(hit) != 1:
        return None
    region = np.zeros(bad.shape, bool)
    region[tuple([slice(None)] * axis + [int(hit[0])])] = True
    return {"index": int(hit[0])} if _only(bad, region) else None


def one_image(_: Floats, __: Floats, bad: Mask, ___: Mask | None) -> Found:
    return _one(bad, 0) if bad.ndim >= 3 else None


def one_channel(_: Floats, __: Floats, bad: Mask, ___: Mask | None) -> Found:
    return _one(bad, 1) if bad.ndim >= 3 else None


TESTS: tuple[tuple[str, Callable[[Floats, Floats, Mask, Mask | None], Found]], ...] = (
    ("untouched", untouched),
    ("not_a_number", not_a_number),
    ("all_zero", all_zero),
    ("last_column", last_column),
    ("last_row", last_row),
    ("border", border),
    ("one_image", one_image),
    ("one_channel", one_channel),
    ("scaled", scaled),
    ("transposed", transposed),
    ("flipped_filter", flipped),
)


def find_pattern(expected: Floats, yours: Floats, bad: Mask, same_bits: Mask | None) -> tuple[str, dict[str, Any]]:
    """Hint code and data of the first pattern that fits; ("", {}) where none does."""
    for code, test in TESTS:
        with np.errstate(all="ignore"):  # numbers of any size, as the learner's code left them
            found = test(expected, yours, bad, same_bits)
        if found is not None:
            return code, found
    return "", {}
