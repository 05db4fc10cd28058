"""What the errors look like: a hint code where they have a shape that tells what went wrong.

Each test is a small function over the errors; the first that fits gives the code. Tests that speak of images, channels,
rows or columns fit only outputs that have them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.checkers.axes import Axes, Role

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
NEARLY = 1e-2
"""What may be left, beside the size of the outputs, once they are divided by a common factor."""
Found = dict[str, Any] | None
"""Data of a pattern that fits; None where it does not."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Arrays of one shape. bad: beyond the tolerance; same_bits: never written, None where that cannot be told."""

    expected: Floats
    yours: Floats
    bad: Mask
    same_bits: Mask | None
    axes: Axes
    """Axis of images, channels, rows and columns; empty where the output is no image."""
    exact: bool = False
    """The values are bits, counts or places: no factor between them means anything."""


def _close(a: Floats, b: Floats) -> bool:
    return bool(np.allclose(a, b, rtol=1e-2, atol=1e-2 * float(np.abs(b).mean() + 1e-12)))


def untouched(e: Errors) -> Found:
    """At least every tenth element was never written."""
    if e.same_bits is None:
        return None
    count = int(np.count_nonzero(e.same_bits & e.bad))
    return {"elements": count, "of": int(e.yours.size)} if count * 10 >= e.yours.size else None


def not_a_number(e: Errors) -> Found:
    """Most of what is wrong is NaN that was computed: some NaN went into the computation."""
    count = int(np.count_nonzero(np.isnan(e.yours) & e.bad))
    return {"elements": count, "of": int(e.yours.size)} if count * 2 >= int(np.count_nonzero(e.bad)) else None


def all_zero(e: Errors) -> Found:
    """A single 0 may be a value like any other."""
    return {} if e.yours.size > 1 and not np.any(e.yours) else None


def scaled(e: Errors) -> Found:
    """Every element is the same multiple of what it should be; one that is right and not small belies it."""
    if e.exact or not np.all(np.isfinite(e.yours)) or e.expected.size < 2 or np.any(~e.bad & _large(e.expected)):
        return None
    norm = float(np.vdot(e.expected, e.expected))
    factor = float(np.vdot(e.expected, e.yours)) / norm if norm > 0 else 0.0
    if abs(factor) < 1e-6 or abs(factor - 1.0) < NEARLY:  # the same up to rounding: no factor explains it
        return None
    residual = float(np.linalg.norm(e.yours - factor * e.expected))
    limit = NEARLY * abs(factor) * norm**0.5
    return {"factor": float(f"{factor:.4g}")} if residual <= limit and _distinct(e.expected) else None


def _large(expected: Floats) -> Mask:
    """Elements that a common factor would carry beyond any tolerance."""
    sizes = np.abs(expected)
    return np.asarray(sizes > 0.2 * float(sizes.max()), np.bool_)


def _distinct(expected: Floats) -> bool:
    return bool(np.ptp(expected) > 1e-9 * max(1.0, float(np.abs(expected).max())))


def transposed(e: Errors) -> Found:
    """Right values in another order of axes: the last two or the first two swapped, NHWC for NCHW or NCHW for NHWC."""
    if e.expected.ndim < 2 or not np.all(np.isfinite(e.yours)) or not _distinct(e.expected):
        return None
    for name, order in _orders(e.expected.ndim, e.axes):
        moved = np.transpose(e.expected, order).reshape(-1)
        if not np.array_equal(moved, e.expected.reshape(-1)) and _close(e.yours.reshape(-1), moved):
            return {"order": name}
    return None


def _orders(ndim: int, axes: Axes) -> list[tuple[str, tuple[int, ...]]]:
    every = tuple(range(ndim))
    orders = [("last_two", (*every[:-2], every[-1], every[-2]))]
    if ndim == 4 and "channel" in axes:
        orders.append(("nhwc", (0, 2, 3, 1)) if axes["channel"] == 1 else ("nchw", (0, 3, 1, 2)))
    if ndim > 2:
        orders.append(("first_two", (1, 0, *every[2:])))
    return orders


def flipped(e: Errors) -> Found:
    """Outputs mirrored in both image axes; a flipped filter shows so where the input is symmetric enough."""
    if not e.axes or not np.all(np.isfinite(e.yours)):
        return None
    mirrored = np.flip(e.expected, (e.axes["row"], e.axes["column"]))
    return {} if not np.array_equal(mirrored, e.expected) and _close(e.yours, mirrored) else None


def _only(bad: Mask, region: Mask) -> bool:
    """All errors lie in the region, most of the region is wrong, and there is something outside it."""
    inside = int(np.count_nonzero(bad & region))
    outside = int(np.count_nonzero(bad & ~region))
    return outside == 0 and inside * 2 >= int(np.count_nonzero(region)) and not bool(region.all())


def _last(e: Errors, role: Role) -> Found:
    """Errors only where the axis of this role has its last index."""
    if role not in e.axes:
        return None
    region = np.zeros(e.bad.shape, bool)
    np.moveaxis(region, e.axes[role], 0)[-1] = True
    return {} if _only(e.bad, region) else None


def last_column(e: Errors) -> Found:
    return _last(e, "column")


def last_row(e: Errors) -> Found:
    return _last(e, "row")


def border(e: Errors) -> Found:
    """Errors only in the frame of each image, the inside right: padding."""
    sides = [e.axes[role] for role in ("row", "column") if role in e.axes]
    if not sides or min(e.bad.shape[axis] for axis in sides) < 3:
        return None
    region = np.ones(e.bad.shape, bool)
    np.moveaxis(region, sides, (0, 1))[1:-1, 1:-1] = False
    return {} if _only(e.bad, region) else None


def _one(e: Errors, role: Role) -> Found:
    """All errors lie at one index of the axis of this role."""
    axis = e.axes.get(role, -1)
    if axis < 0 or e.bad.shape[axis] < 2:
        return None
    hit = np.flatnonzero(e.bad.any(axis=tuple(i for i in range(e.bad.ndim) if i != axis)))
    if len(hit) != 1:
        return None
    region = np.zeros(e.bad.shape, bool)
    np.moveaxis(region, axis, 0)[hit[0]] = True
    return {"index": int(hit[0])} if _only(e.bad, region) else None


def one_image(e: Errors) -> Found:
    return _one(e, "image")


def one_channel(e: Errors) -> Found:
    return _one(e, "channel")


TESTS: tuple[tuple[str, Callable[[Errors], Found]], ...] = (
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


def find_pattern(
    expected: Floats, yours: Floats, bad: Mask, same_bits: Mask | None, axes: Axes, *, exact: bool = False
) -> tuple[str, dict[str, Any]]:
    """Hint code and data of the first pattern that fits; ("", {}) where none does."""
    errors = Errors(expected, yours, bad, same_bits, axes, exact)
    for code, test in TESTS:
        with np.errstate(all="ignore"):  # numbers of any size, as the learner's code left them
            found = test(errors)
        if found is not None:
            return code, found
    return "", {}
