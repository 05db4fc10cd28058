"""Arithmetic in exercise files: what it computes, and that nothing else gets through."""

import numpy as np
import pytest

from grader.contract.expressions import ExpressionError, evaluate, names_in


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(H + 2*pad - R)//stride + 1", 4),
        ("-7 // 2", -4),
        ("7 % 4 + 7 / 2", 6.5),
        ("max(H, R, 3) - min(1, pad)", 7),
        ("abs(-3)", 3),
        ("1 < H <= 8", True),
        ("1 < H < 8", False),
        ("2 if pad == 1 else 5", 2),
        ("+H", 8),
        ("mode", "CUDNN_CONVOLUTION"),
    ],
)
def test_value(text: str, value: object) -> None:
    assert evaluate(text, {"H": 8, "R": 3, "pad": 1, "stride": 2, "mode": "CUDNN_CONVOLUTION"}) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "H.__class__",
        "(lambda: 1)()",
        "[x for x in (1, 2)]",
        "H ** 9",
        "open('x')",
        "H[0]",
        "{1: 2}",
        "f'{H}'",
        "H and 1",
        "None",
        "np.__loader__",
        "(1).real()",
        "H +",
        "1 // 0",
        "unknown + 1",
        "H if 'x' in 'xy' else 1",
        "~H",
        "'9' * H * H * 'x'",
        "1 + " * 300 + "1",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, {"H": 8})


def test_numpy_only_where_it_is_given() -> None:
    rng = np.random.default_rng(0)
    made = evaluate("rng.normal(0, 2, shape) + np.arange(3)", {"shape": (2, 3)}, {"np": np, "rng": rng})
    assert made.shape == (2, 3)
    with pytest.raises(ExpressionError, match="may not be called"):
        evaluate("np.__dict__()", {}, {"np": np})
    with pytest.raises(ExpressionError):
        evaluate("np.arange(3)", {})


def test_names() -> None:
    assert names_in("max(A, b) + np.zeros(c)") == {"A", "b", "c", "np"}


def test_message_names_what_is_known() -> None:
    with pytest.raises(ExpressionError, match=r"unknown name 'Z'; known names: A, B"):
        evaluate("Z", {"A": 1, "B": 2})
