"""Comparison with the reference: tolerance, NaN policy, rows, heat, patterns."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from grader.arrays import decode, unwritten
from grader.checkers.axes import axes_of
from grader.checkers.numeric import compare, heat, problem, ratios, text
from grader.checkers.pattern import find_pattern
from grader.checkers.tolerance import default_tolerance, widest
from grader.contract.exercise_types import Tolerance

LOOSE = Tolerance(0.0, 0.5)
rng = np.random.default_rng(1)


def test_tolerance_is_inclusive_and_relative_to_the_reference() -> None:
    expected, yours = np.array([100.0, 100.0, 0.0]), np.array([101.0, 101.5, 0.25])
    ratio = ratios(expected, yours, Tolerance(0.01, 0.25))
    np.testing.assert_allclose(ratio, [0.8, 1.2, 1.0])


@pytest.mark.parametrize(
    ("expected", "yours", "wrong"),
    [
        (np.nan, np.nan, False),
        (np.nan, 1.0, True),
        (1.0, np.nan, True),
        (np.inf, np.inf, False),
        (np.inf, -np.inf, True),
        (np.inf, 1e308, True),
        (0.0, np.inf, True),
        (0.0, -0.0, False),
    ],
)
def test_nan_and_infinity(expected: float, yours: float, wrong: bool) -> None:
    got = compare("y", "float32", np.array([expected]), np.array([yours]), LOOSE)
    assert (got.bad == 1) is wrong
    json.dumps(asdict(got), allow_nan=False)


def test_zero_tolerance_is_exact() -> None:
    got = compare("y", "int32", np.array([1.0, 2.0]), np.array([1.0, 3.0]), default_tolerance("int32"))
    assert (got.bad, got.rows[0].expected, got.rows[0].yours, got.rows[0].difference) == (1, "2", "3", "1")


def test_rows_are_the_first_twenty() -> None:
    got = compare("y", "float32", np.zeros((10, 10)), np.ones((10, 10)), LOOSE)
    assert [row.index for row in got.rows] == [[i // 10, i % 10] for i in range(20)]
    assert (got.bad, got.max_abs_err, got.mean_abs_err) == (100, 1.0, 1.0)


def test_hidden_case_has_counts_only() -> None:
    got = compare("y", "float32", np.zeros((4, 4)), np.ones((4, 4)), LOOSE, shown=False)
    assert (got.rows, got.heat, got.pattern_data) == ([], "", {})
    assert got.bad == 16


def test_heat_digits() -> None:
    ratio = np.array([0.0, 0.5, 0.51, 1.0, 1.01, 7.0, 1e3, 1e6, 1e9])
    assert heat(ratio) == "001122599"
    assert heat(np.zeros(16_385)) == ""


def test_values_as_text() -> None:
    assert text(0.1, "float16") == "0.1"
    assert text(1 / 3, "float32") == "0.3333333"
    assert text(float("-inf"), "float64") == "-inf"
    assert text(float("nan"), "int8") == "nan"
    assert text(-7.0, "int8") == "-7"


def test_problem() -> None:
    got = problem("y", "float32", (2,), "shape", {"expected": [2], "yours": [3]})
    assert (got.problem, got.pattern_data["yours"]) == ("shape", [3])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_default_tolerance_takes_honest_rounding_and_no_wrong_product(dtype: str) -> None:
    length = 576
    a, b = rng.standard_normal((200, length)), rng.standard_normal((length, 50))
    unit = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": np.float32}[dtype]
    a, b = a.astype(unit).astype(np.float64), b.astype(unit).astype(np.float64)
    accumulator = np.float64 if dtype == "float64" else np.float32
    honest = (a.astype(accumulator) @ b.astype(accumulator)).astype(unit).astype(np.float64)
    if dtype == "bfloat16":
        honest = honest * (1 + 2.0**-9)
    tolerance = default_tolerance(dtype, length)
    assert ratios(a @ b, honest, tolerance).max() < 1
    without_last = a[:, :-1] @ b[:-1]
    assert np.median(ratios(a @ b, without_last, tolerance)) > 1 or dtype == "bfloat16"


def test_tf32_is_allowed_only_where_it_happens() -> None:
    a, b = rng.standard_normal((300, 64)), rng.standard_normal((64, 300))
    tf32 = (np.round(a * 2**10) / 2**10) @ (np.round(b * 2**10) / 2**10)
    assert ratios(a @ b, tf32, default_tolerance("float32", 64, tf32=True)).max() < 1
    assert ratios(a @ b, tf32, default_tolerance("float32", 64)).max() > 1
    assert widest(Tolerance(1, 2), Tolerance(3, 0)) == Tolerance(3, 2)


NCHW = ("N", "K", "P", "Q")


def pattern(
    expected: np.ndarray, yours: np.ndarray, untouched: np.ndarray | None = None, shape: tuple[str, ...] = ()
) -> tuple[str, dict]:
    bad = ratios(expected, yours, Tolerance(1e-6, 1e-6)) > 1
    return find_pattern(expected, yours, bad, untouched, axes_of(shape))


def changed(x: np.ndarray, *index: object) -> np.ndarray:
    y = x.copy()
    y[index] += rng.uniform(1, 2, y[index].shape)
    return y


def test_patterns() -> None:
    x = rng.standard_normal((2, 3, 5, 4))
    assert pattern(x, np.zeros_like(x))[0] == "all_zero"
    assert pattern(np.ones(1), np.zeros(1)) == ("", {})
    assert pattern(x, 2.5 * x) == ("scaled", {"factor": 2.5})
    assert pattern(np.array([1e6, 2e6]), np.array([0.5e6, 1e6]))[0] == "scaled"
    bits, bad = np.array([1e6, 2e6]), np.array([True, True])
    assert find_pattern(bits, bits / 2, bad, None, {}, exact=True) == ("", {})
    assert pattern(x, x * rng.uniform(0.998, 1.003, x.shape)) == ("", {})  # sums that were rounded coarsely
    assert pattern(x, changed(x, 0, 1, 2, 3), shape=NCHW) == ("", {})
    assert pattern(x, rng.standard_normal(x.shape), shape=NCHW) == ("", {})


@pytest.mark.parametrize(
    ("shape", "order"),
    [
        (NCHW, (0, 1, 2, 3)),
        (("N", "H", "W", "wide"), (0, 2, 3, 1)),
        (("C", "P", "Q"), (1, 2, 3)),
        (("H", "W"), (2, 3)),
    ],
)
def test_patterns_of_images(shape: tuple[str, ...], order: tuple[int, ...]) -> None:
    """x[n, c, p, q] in another order of axes, or without some of them, has its rows and columns elsewhere."""
    full = rng.standard_normal((2, 3, 5, 4))

    def seen(array: np.ndarray) -> np.ndarray:
        return np.transpose(array[(0,) * (4 - len(order))], np.argsort(np.argsort(order)))

    def found(yours: np.ndarray) -> tuple[str, dict]:
        return pattern(seen(full), seen(yours), shape=shape)

    assert found(changed(full, ..., -1))[0] == "last_column"
    assert found(changed(full, ..., -1, slice(None)))[0] == "last_row"
    assert found(full[..., ::-1, ::-1])[0] == "flipped_filter"
    frame = full + 1
    frame[..., 1:-1, 1:-1] = full[..., 1:-1, 1:-1]
    assert found(frame)[0] == "border"
    if 1 in order:
        assert found(changed(full, slice(None) if 0 in order else 0, 2)) == ("one_channel", {"index": 2})
    if 0 in order:
        assert found(changed(full, 1)) == ("one_image", {"index": 1})


def test_nhwc_and_nchw_are_told_apart() -> None:
    x = rng.standard_normal((2, 3, 5, 4))
    last, first = np.transpose(x, (0, 2, 3, 1)), np.transpose(x, (0, 3, 1, 2))
    assert pattern(x, last.reshape(x.shape), shape=NCHW) == ("transposed", {"order": "nhwc"})
    assert pattern(x, first.reshape(x.shape), shape=("N", "P", "Q", "K")) == ("transposed", {"order": "nchw"})
    assert pattern(x, last.reshape(x.shape), shape=("K", "C", "R", "S")) == ("", {})


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        (("B", "H"), (4, 5)),
        (("N", "C"), (4, 5)),
        (("T", "B", "H"), (3, 4, 5)),
        (("K", "C", "R", "S"), (2, 4, 3, 3)),
        (("M", "O"), (4, 5)),
    ],
)
def test_states_sequences_filters_and_matrices_have_no_rows_columns_or_images(
    shape: tuple[str, ...], sizes: tuple[int, ...]
) -> None:
    x = rng.standard_normal(sizes)
    frame = x + 1
    frame[..., 1:-1, 1:-1] = x[..., 1:-1, 1:-1]
    wrong = [changed(x, ..., -1), changed(x, ..., -1, slice(None)), changed(x, -1), changed(x, slice(None), -1), frame]
    assert [pattern(x, yours, shape=shape) for yours in wrong] == [("", {})] * 5
    assert pattern(x, x[..., ::-1, ::-1], shape=shape) == ("", {})


def test_untouched_elements_are_told_by_their_bits() -> None:
    x = rng.standard_normal((4, 5))
    y = np.where(np.arange(20).reshape(4, 5) < 10, np.nan, x)
    assert pattern(x, y, np.isnan(y)) == ("untouched", {"elements": 10, "of": 20})
    assert pattern(x, y, np.zeros_like(x, bool)) == ("not_a_number", {"elements": 10, "of": 20})


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_computed_nan_is_not_taken_for_one_that_was_never_written(dtype: str) -> None:
    before = unwritten((8,), dtype)
    stored = before.view(np.float32) if dtype == "bfloat16" else before
    with np.errstate(invalid="ignore"):
        quiet = stored + 1  # as a blend with beta = 1 gives
    assert (quiet.view(np.uint8) != stored.view(np.uint8)).any()
    assert np.isnan(decode(before, dtype)).all()


@pytest.mark.filterwarnings("error")
def test_a_large_element_that_is_right_belies_a_common_factor() -> None:
    expected = np.array([480.0, 240.0, 756.0, 1512.0])
    assert pattern(expected, expected * [1, 1, 1.016, 1.016])[0] == ""
    assert pattern(expected, expected * 1.016)[0] == "scaled"


def test_patterns_of_huge_numbers_make_no_noise() -> None:
    x = rng.standard_normal((2, 3, 5, 4))
    for yours in (np.full_like(x, 1e308), x * 1e300, np.where(x > 0, np.inf, x), np.where(x > 0, np.nan, -1e308)):
        find_pattern(x, yours, np.ones_like(x, bool), np.zeros_like(x, bool), axes_of(NCHW))
        compare("y", "float64", x * 1e307, yours, LOOSE)
