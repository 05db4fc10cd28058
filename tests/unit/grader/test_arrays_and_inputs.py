"""Element types and the random inputs of a case."""

import numpy as np
import pytest

from grader.arrays import decode, encode, from_bytes, storage_dtype, unwritten
from grader.contract.exercise_types import Argument, Case, Exercise
from grader.contract.expressions import ExpressionError
from grader.inputs import CaseInputs, fill, scalar_text


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_rounding_is_to_nearest_even(dtype: str) -> None:
    values = np.array([1.0, -2.5, 0.1, 3.14159, 65504.0, 0.0])
    back = decode(encode(values, dtype), dtype)
    unit = {"float64": 2**-53, "float32": 2**-24, "float16": 2**-11, "bfloat16": 2**-8}[dtype]
    assert np.all(np.abs(back - values) <= unit * np.abs(values))


def test_bfloat16_ties() -> None:
    ties = np.array([1 + 2**-8, 1 + 3 * 2**-8])
    np.testing.assert_array_equal(decode(encode(ties, "bfloat16"), "bfloat16"), [1.0, 1 + 2**-6])


def test_integers_are_rounded_and_kept_in_range() -> None:
    np.testing.assert_array_equal(encode(np.array([1.6, -300.0, 300.0, 2.5]), "int8"), [2, -128, 127, 2])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_unwritten_output_is_nan(dtype: str) -> None:
    assert np.isnan(decode(unwritten((2, 3), dtype), dtype)).all()


def test_bytes_must_fit() -> None:
    assert from_bytes(b"\0" * 24, "float32", (2, 3)).shape == (2, 3)
    with pytest.raises(ValueError, match="cannot reshape"):
        from_bytes(b"\0" * 20, "float32", (2, 3))
    with pytest.raises(ValueError, match="unknown element type"):
        storage_dtype("float8")


def exercise() -> Exercise:
    arguments = (
        Argument("x", "input", "float32", ("N",)),
        Argument("y", "output", "float32", ("2 * N",)),
        Argument("alpha", "scalar", type="float", value="alpha / 2"),
    )
    case = Case("a", True, {"N": 4, "alpha": 3})
    return Exercise("e", None, "function", {}, "", ("cpp",), (case,), "f", arguments)  # type: ignore[arg-type]


def test_same_seed_same_inputs_whatever_the_order() -> None:
    first, again = (CaseInputs(exercise(), exercise().cases[0], 5) for _ in range(2))
    other = CaseInputs(exercise(), Case("b", True, {"N": 4, "alpha": 3}), 5)
    np.testing.assert_array_equal(first.arrays["x"], again.arrays["x"])
    assert not np.array_equal(first.arrays["x"], other.arrays["x"])
    assert first.arrays["y"].shape == (8,)
    assert first.scalars == {"alpha": "1.5"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("ones", [1, 1, 1, 1]),
        ("zeros", [0, 0, 0, 0]),
        ("arange", [0, 1, 2, 3]),
        ("np.arange(4) * N", [0, 4, 8, 12]),
        ("7", [7, 7, 7, 7]),
    ],
)
def test_fills(kind: str, expected: list[float]) -> None:
    argument = Argument("x", "input", "float64", ("N",), kind)
    np.testing.assert_array_equal(fill(argument, (4,), {"N": 4}, np.random.default_rng(0)), expected)


def test_random_fills_have_their_range() -> None:
    rng = np.random.default_rng(0)
    uniform = fill(Argument("x", "input", "float32", (), "uniform"), (1000,), {}, rng)
    assert -1 <= uniform.min() < -0.9 < 0.9 < uniform.max() <= 1
    small = fill(Argument("x", "input", "int8", ()), (1000,), {}, rng)
    assert set(small) == set(range(-4, 5))
    with pytest.raises(ExpressionError):
        fill(Argument("x", "input", "float32", (), "rng._secret()"), (2,), {}, rng)


def test_scalars_as_text() -> None:
    mode = Argument("m", "scalar", type="cudnnConvolutionMode_t", value="mode")
    assert scalar_text(mode, {"mode": "CUDNN_CROSS_CORRELATION"}) == "CUDNN_CROSS_CORRELATION=1"
    named = Argument("m", "scalar", type="cudnnConvolutionMode_t", value="CUDNN_CONVOLUTION")
    assert scalar_text(named, {}) == "CUDNN_CONVOLUTION=0"
    assert scalar_text(Argument("n", "scalar", type="size_t", value="n * 2"), {"n": 4}) == "8"
    assert scalar_text(Argument("n", "scalar", type="bool", value="n > 2"), {"n": 4}) == "1"
    assert scalar_text(Argument("n", "scalar", type="double", value="n"), {"n": 0.1}) == "0.1"
    with pytest.raises(ValueError, match="has no 'nonsense'"):
        scalar_text(mode, {"mode": "nonsense"})
