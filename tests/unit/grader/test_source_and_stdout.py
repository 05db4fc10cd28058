"""Forbidden names in sources, and comparison of printed lines."""

import time

import pytest

from grader.checkers.source import Use, find_forbidden, strip_cpp
from grader.checkers.stdout import Mismatch, compare_stdout
from grader.contract.exercise_types import Tolerance


@pytest.mark.parametrize(
    ("source", "use"),
    [
        ("int a;\ncudaFoo();", Use("cudaFoo", 2)),
        ("// cudaFoo()\nint a;", None),
        ("/* x\ncudaFoo */ int a; cudaFoo();", Use("cudaFoo", 2)),
        ('const char *s = "cudaFoo \\" cudaFoo";', None),
        ('auto s = R"x(cudaFoo " )" )x"; cudaFoo();', Use("cudaFoo", 1)),
        ("int mycudaFoo, cudaFooBar;", None),
        ("char c = '\"'; cudaFoo(); // \"", Use("cudaFoo", 1)),
        ("// comment \\\ncudaFoo\n", None),
        ("x = a / b; cudaFoo(); /", Use("cudaFoo", 1)),
        ("/* never closed cudaFoo", None),
    ],
)
def test_cpp(source: str, use: Use | None) -> None:
    assert find_forbidden(source, "cpp", ("cudaFoo",)) == use


def test_stripping_keeps_line_numbers() -> None:
    source = 'a /*\n\n*/ "x\\\ny" // z\nb'
    assert strip_cpp(source).count("\n") == source.count("\n")


@pytest.mark.parametrize(
    ("source", "token"),
    [
        ("import numpy as np\nnp.dot(a, b)", "numpy.dot"),
        ("from numpy import dot\n", "numpy.dot"),
        ("from numpy import dot as d\n\nd(a, b)", "numpy.dot"),
        ("import numpy\nf = numpy.dot", "numpy.dot"),
        ("a.conv(b)", "conv"),
        ("import torch.nn", "torch"),
        ("import torch\n", "torch"),
        ("from torch.nn import functional", "torch"),
        ("eval('1')", "eval"),
        ("import numpy as np\nprint(f'{np.dot(a, b)}')", "numpy.dot"),
        ("import numpy as np; np . dot (a)", "numpy.dot"),
        ("from numpy import (linalg, dot as d)\nx = d", "numpy.dot"),
        ("if x:\n    import numpy as q\n    q.dot", "numpy.dot"),
    ],
)
def test_python(source: str, token: str) -> None:
    use = find_forbidden(source, "python", (token,))
    assert use is not None
    assert use.token == token


@pytest.mark.parametrize("source", ["# numpy.dot\n'numpy.dot'\n", "import numpy as np\nnp.dotted", "dot = 1\nx.dot"])
def test_python_that_is_allowed(source: str) -> None:
    assert find_forbidden(source, "python", ("numpy.dot",)) is None


def test_time_is_in_proportion_to_the_source() -> None:
    started = time.monotonic()
    for source in (
        "import " + "a." * 100_000 + "a",
        "a" + ".b" * 120_000,
        "(" * 200_000,
        "-" * 250_000,
        "a " * 120_000,
    ):
        assert find_forbidden(source, "python", ("numpy.dot",)) is None
    assert time.monotonic() - started < 20


def test_python_that_does_not_parse_is_looked_at_by_words() -> None:
    assert find_forbidden("def f(:\n  torch\n", "python", ("torch",)) == Use("torch", 2)


def test_first_use_is_reported() -> None:
    assert find_forbidden("b()\na()\n", "python", ("a", "b")) == Use("b", 1)
    assert find_forbidden("anything", "cpp", ()) is None


@pytest.mark.parametrize(
    ("expected", "yours", "how", "line"),
    [
        ("a\nb", "a\nb\n\n", "exact", None),
        ("a  b", "a b", "exact", 1),
        ("a  b", "a b", "tokens", None),
        ("1.0", "1", "tokens", 1),
        ("1.0 x", "1.00009 x", "numbers", None),
        ("1.0 x", "1.001 x", "numbers", 1),
        ("nan inf", "NaN inf", "numbers", None),
        ("nan", "1", "numbers", 1),
        ("1", "1.", "numbers", None),
        ("x1", "x1.0", "numbers", 1),
        ("a\nb", "a", "exact", 2),
        ("a", "a\nb", "exact", 2),
        ("", "", "exact", None),
        ("a ", "a", "exact", None),
    ],
)
def test_stdout(expected: str, yours: str, how: str, line: int | None) -> None:
    got = compare_stdout(expected, yours, how)  # type: ignore[arg-type]
    assert (got.line if got else None) == line


def test_mismatch_has_both_texts() -> None:
    assert compare_stdout("a\nb", "a\nc", "exact") == Mismatch(2, "b", "c")
    assert compare_stdout("10", "11", "numbers", Tolerance(0.2, 0)) is None
