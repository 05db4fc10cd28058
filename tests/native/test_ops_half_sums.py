"""Convolutions with compute type HALF: the sums are halves, bit for bit as an H200 makes them without Tensor Cores.

Every product is added with one rounding: channel by channel, then along the window. The order was read off results of
an H200 (cuDNN 9.19, forward algorithms 0 and 1, backward data algorithm 0), which this reference gives bit for bit.
"""

from itertools import product

import numpy as np
import pytest

from tests.native.h200.session import FLOAT, HALF, Array
from tests.native.ops import Ops, session
from tests.native.test_ops_convolution import PROBLEMS, Descriptors, Problem

NAMES = [name for name in PROBLEMS if name not in ("large", "many pixels")]
CASES = [(name, layout) for name, layout in product(NAMES, ("nchw", "nhwc")) if layout == "nchw" or name != "3d"]


def add(sums: Array, terms: Array) -> Array:
    """sums + terms, rounded once to half; products of halves are exact in float64."""
    return np.asarray((sums + terms).astype(np.float16), np.float64)


def forward(p: Problem, x: Array, w: Array) -> Array:
    """Sums of products in half: n, k, spatial."""
    parts = []
    for xg, wg in zip(p.split(p.padded(x)), np.split(w, p.groups), strict=True):
        sums = np.zeros((p.x[0], p.k // p.groups, *p.y[2:]))
        for channel in range(xg.shape[1]):
            for tap, part in p.taps():
                pixels = xg[(slice(None), channel, *part)]
                sums = add(sums, np.einsum("n...,k->nk...", pixels, wg[(slice(None), channel, *tap)]))
        parts.append(sums)
    return np.concatenate(parts, axis=1)


def backward_data(p: Problem, w: Array, dy: Array) -> Array:
    """Sums of products in half: n, c, spatial."""
    parts = []
    for wg, dyg in zip(np.split(w, p.groups), p.split(dy), strict=True):
        dx = p.padded(np.zeros((p.x[0], p.x[1] // p.groups, *p.x[2:])))
        for k in range(wg.shape[0]):
            for tap, part in p.taps():
                at = (slice(None), slice(None), *part)
                dx[at] = add(dx[at], np.einsum("n...,c->nc...", dyg[:, k], wg[(k, slice(None), *tap)]))
        parts.append(dx[(..., *(slice(p.pad, p.pad + d) for d in p.x[2:]))])
    return np.concatenate(parts, axis=1)


def run(s: Ops, name: str, *arguments: object) -> None:
    one, zero = s.scalar(1), s.scalar(0)
    first, conv, algo, result = arguments
    s.ok(name, s.handle, one, *first, conv, algo, None, 0, zero, result.desc, result.at)  # type: ignore[misc, attr-defined]


@pytest.mark.parametrize("algo", [0, 1])
@pytest.mark.parametrize(("name", "layout"), CASES)
def test_forward_adds_every_product_in_half(name: str, layout: str, algo: int) -> None:
    s, p = session(), PROBLEMS[name]
    d = Descriptors(s, p, HALF, layout, compute=HALF)
    y = s.blank(p.y, HALF, layout)
    run(s, "cudnnConvolutionForward", (d.x.desc, d.x.at, d.w.desc, d.w.at), d.conv, algo, y)
    assert np.array_equal(s.fetch(y), forward(p, d.x.values, d.w.values))


@pytest.mark.parametrize(("name", "layout"), CASES)
def test_backward_data_adds_every_product_in_half(name: str, layout: str) -> None:
    s, p = session(), PROBLEMS[name]
    d = Descriptors(s, p, HALF, layout, compute=HALF)
    dx = s.blank(p.x, HALF, layout)
    run(s, "cudnnConvolutionBackwardData", (d.w.desc, d.w.at, d.dy.desc, d.dy.at), d.conv, 0, dx)
    assert np.array_equal(s.fetch(dx), backward_data(p, d.w.values, d.dy.values))


@pytest.mark.parametrize(("compute", "sum_of_ones"), [(HALF, 2048), (FLOAT, 4096)])
def test_a_sum_of_4096_ones_stops_at_2048_in_half(compute: int, sum_of_ones: int) -> None:
    s, p = session(), Problem((1, 4096, 2, 2), 3, (1, 1))
    d = Descriptors(s, p, HALF, compute=compute)
    ones = [s.make(np.ones(dims), HALF) for dims in (p.x, p.w)]
    y = s.blank(p.y, HALF)
    run(s, "cudnnConvolutionForward", (d.x.desc, ones[0].at, d.w.desc, ones[1].at), d.conv, 0, y)
    assert np.all(s.fetch(y) == sum_of_ones)


def test_a_sum_beyond_the_largest_half_is_infinite() -> None:
    s, p = session(), Problem((1, 2, 1, 1), 2, (1, 1))
    d = Descriptors(s, p, HALF, compute=HALF)
    large = s.make(np.full(p.x, 60000.0), HALF)
    w = s.make(np.array([[1.0, 1.0], [1.0, -1.0]]).reshape(p.w), HALF)
    y = s.blank(p.y, HALF)
    run(s, "cudnnConvolutionForward", (d.x.desc, large.at, d.w.desc, w.at), d.conv, 0, y)
    assert s.fetch(y).ravel().tolist() == [np.inf, 0.0]
