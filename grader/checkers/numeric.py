"""Compares one output with the float64 reference, element by element.

NaN and infinity: an element is right where the reference is NaN and yours is too, or both are the same infinity;
every other NaN or infinity is wrong. An element that still holds the start pattern counts as "untouched".
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.checkers.axes import Axes
from grader.checkers.pattern import find_pattern
from grader.contract.exercise_types import Tolerance
from grader.contract.verdict import BadElement, Comparison

MAX_ROWS = 20
MAX_HEAT = 16_384
INFINITE_RATIO = 1e9
Floats = NDArray[np.float64]


def ratios(expected: Floats, yours: Floats, tolerance: Tolerance) -> Floats:
    """|difference| ÷ tolerance of each element; 0 where equal, 1e9 for NaN and infinity that should not be."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        allowed = tolerance.atol + tolerance.rtol * np.abs(expected)
        difference = np.abs(yours - expected)
        ratio = np.where(difference == 0, 0.0, difference / allowed)
    same = (expected == yours) | (np.isnan(expected) & np.isnan(yours))
    broken = ~np.isfinite(expected) | ~np.isfinite(yours)
    ratio = np.where(broken, INFINITE_RATIO, np.minimum(ratio, INFINITE_RATIO))
    return np.where(same, 0.0, ratio)


def compare(
    name: str,
    dtype: str,
    expected: Floats,
    yours: Floats,
    tolerance: Tolerance,
    *,
    shown: bool = True,
    untouched: NDArray[np.bool_] | None = None,
    axes: Axes | None = None,
) -> Comparison:
    """Comparison of arrays of the same shape.

    axes: axis of images, channels, rows and columns, where the array has them.
    untouched: elements whose bits are still those from before the learner's code.
    shown: whether rows, heat and pattern data may be given to the learner.
    """
    ratio = ratios(expected, yours, tolerance)
    bad = ratio > 1.0
    exact = tolerance.rtol == tolerance.atol == 0
    largest, mean = _differences(expected, yours)
    count = int(np.count_nonzero(bad))
    worst = int(np.argmax(ratio)) if ratio.size else 0
    pattern, data = find_pattern(expected, yours, bad, untouched, axes or {}, exact=exact) if count else ("", {})
    return Comparison(
        name=name,
        dtype=dtype,
        shape=list(expected.shape),
        count=int(expected.size),
        bad=count,
        max_abs_err=largest,
        mean_abs_err=mean,
        worst_index=[int(i) for i in np.unravel_index(worst, expected.shape)],
        rtol=tolerance.rtol,
        atol=tolerance.atol,
        nan_count=int(np.count_nonzero(np.isnan(yours) & ~np.isnan(expected))),
        inf_count=int(np.count_nonzero(np.isinf(yours) & ~np.isinf(expected))),
        rows=rows(expected, yours, ratio, bad, dtype) if shown else [],
        heat=heat(ratio) if shown else "",
        pattern=pattern,
        pattern_data=data if shown else {},
    )


def _differences(expected: Floats, yours: Floats) -> tuple[float, float]:
    """Largest and mean difference, of the elements where it is finite; the largest twice where they sum to infinity."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(yours - expected)
        finite = np.where(np.isfinite(difference), difference, 0.0)
        largest = float(finite.max(initial=0.0))
        mean = float(finite.mean()) if finite.size else 0.0
    return largest, mean if np.isfinite(mean) else largest


def rows(expected: Floats, yours: Floats, ratio: Floats, bad: NDArray[np.bool_], dtype: str) -> list[BadElement]:
    """The first elements beyond the tolerance, in row-major order."""
    found: list[BadElement] = []
    for position in np.flatnonzero(bad)[:MAX_ROWS]:
        index = np.unravel_index(int(position), expected.shape)
        want, have = float(expected[index]), float(yours[index])
        found.append(
            BadElement(
                index=[int(i) for i in index],
                expected=text(want, dtype),
                yours=text(have, dtype),
                difference=text(have - want, dtype),
                ratio=float(ratio[index]),
            )
        )
    return found


_DIGITS = {"float64": 15, "float32": 7, "float16": 5, "bfloat16": 4}


def text(value: float, dtype: str) -> str:
    """A value in as many digits as its type holds: "0.25", "nan", "-inf"."""
    if dtype not in _DIGITS and np.isfinite(value):
        return str(int(value)) if value == int(value) else f"{value:.7g}"
    return f"{value:.{_DIGITS.get(dtype, 7)}g}"


def heat(ratio: Floats) -> str:
    """One digit an element: 0 within half the tolerance, 1 within it, 2..9 beyond it on a log scale to 1e6."""
    if ratio.size > MAX_HEAT:
        return ""
    flat = ratio.reshape(-1)
    with np.errstate(divide="ignore"):
        beyond = 2 + np.floor(np.log10(np.maximum(flat, 1.0)) * 7 / 6)
    digits = np.where(flat <= 0.5, 0, np.where(flat <= 1.0, 1, np.clip(beyond, 2, 9)))
    return "".join(map(str, digits.astype(int).tolist()))


def problem(name: str, dtype: str, shape: tuple[int, ...], code: str, data: dict[str, Any]) -> Comparison:
    """An output that cannot be compared: missing, of another shape or type; or an input that was changed."""
    return Comparison(name, dtype, list(shape), 0, 0, 0.0, 0.0, [], 0.0, 0.0, problem=code, pattern_data=data)
