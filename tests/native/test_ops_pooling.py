"""Pooling against loops in NumPy, and against PyTorch where it is installed."""

import itertools
import json
from collections.abc import Sequence

import numpy as np
import pytest

from grader.paths import ROOT
from tests.native.h200.session import DOUBLE, FLOAT, INT8, Array
from tests.native.ops import FLOATS, LAYOUTS, Ops, check, session

MAX, INCLUDE, EXCLUDE, DETERMINISTIC = range(4)
Ints = Sequence[int]
RECORD = ROOT / "lessons" / "records" / "h200-layers.json"


def windows(x: Ints, window: Ints, pad: Ints, stride: Ints) -> list[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Every output place with the part of the input under its window."""
    counts = [1 + (d + 2 * p - w) // t for d, w, p, t in zip(x, window, pad, stride, strict=True)]
    found = []
    for place in itertools.product(*map(range, counts)):
        starts = [o * t - p for o, t, p in zip(place, stride, pad, strict=True)]
        found.append(
            (place, tuple(slice(max(b, 0), max(min(b + w, d), 0)) for b, w, d in zip(starts, window, x, strict=True)))
        )
    return found


def forward(x: Array, mode: int, window: Ints, pad: Ints, stride: Ints) -> Array:
    places = windows(x.shape[2:], window, pad, stride)
    y = np.zeros((*x.shape[:2], *(d + 1 for d in places[-1][0])))
    for place, part in places:
        values = x[(slice(None), slice(None), *part)].reshape(*x.shape[:2], -1)
        count = int(np.prod(window)) if mode == INCLUDE else values.shape[2]
        y[(slice(None), slice(None), *place)] = values.max(2) if mode in (MAX, DETERMINISTIC) else values.sum(2) / count
    return y


def backward(x: Array, dy: Array, mode: int, window: Ints, pad: Ints, stride: Ints) -> Array:
    dx = np.zeros(x.shape)
    for (n, c), (place, part) in itertools.product(np.ndindex(*x.shape[:2]), windows(x.shape[2:], window, pad, stride)):
        target, values, up = dx[(n, c, *part)], x[(n, c, *part)], dy[(n, c, *place)]
        if mode in (MAX, DETERMINISTIC):
            target[np.unravel_index(values.argmax(), values.shape)] += up
        else:
            target += up / (int(np.prod(window)) if mode == INCLUDE else values.size)
    return dx


def pooling(s: Ops, mode: int, window: Ints, pad: Ints, stride: Ints) -> int:
    desc = s.create("Pooling")
    s.ok("cudnnSetPoolingNdDescriptor", desc, mode, 0, len(window), s.ints(window), s.ints(pad), s.ints(stride))
    return desc


def random_problem(s: Ops, spatial: int) -> tuple[tuple[int, ...], list[int], list[int], list[int]]:
    window = [int(v) for v in s.random.integers(1, 4, spatial)]
    pad = [int(s.random.integers(0, w)) for w in window]
    stride = [int(v) for v in s.random.integers(1, 4, spatial)]
    x = (2, 3, *(int(s.random.integers(w, w + 5)) for w in window))
    return x, window, pad, stride


@pytest.mark.parametrize(
    ("mode", "dtype", "layout", "spatial"), list(itertools.product(range(4), FLOATS, LAYOUTS, (2, 3)))
)
def test_pooling(mode: int, dtype: int, layout: str, spatial: int) -> None:
    s = session(mode * 100 + dtype * 10 + spatial)
    for _ in range(3):
        dims, *how = random_problem(s, spatial)
        desc = pooling(s, mode, *how)
        x = s.draw(dims, dtype, layout)
        expected = forward(x.values, mode, *how)
        y, dy, dx = (s.draw(d, dtype, layout) for d in (expected.shape, expected.shape, dims))
        s.ok(
            "cudnnPoolingForward", s.handle, desc, s.scalar(2, dtype), x.desc, x.at, s.scalar(0.5, dtype), y.desc, y.at
        )
        check(s.fetch(y), 2 * expected + 0.5 * y.values, dtype)
        s.ok(
            "cudnnPoolingBackward",
            s.handle,
            desc,
            s.scalar(2, dtype),
            y.desc,
            y.at,
            dy.desc,
            dy.at,
            x.desc,
            x.at,
            s.scalar(0.5, dtype),
            dx.desc,
            dx.at,
        )
        check(s.fetch(dx), 2 * backward(x.values, dy.values, mode, *how) + 0.5 * dx.values, dtype)


@pytest.mark.parametrize("mode", range(4))
def test_int8_pooling_rounds(mode: int) -> None:
    s = session(mode)
    x = s.draw((2, 4, 6, 6), INT8, "nhwc")
    y = s.blank((2, 4, 3, 3), INT8, "nhwc")
    desc = pooling(s, mode, (2, 2), (0, 0), (2, 2))
    s.ok("cudnnPoolingForward", s.handle, desc, s.scalar(1), x.desc, x.at, s.scalar(0), y.desc, y.at)
    check(s.fetch(y), forward(x.values, mode, (2, 2), (0, 0), (2, 2)), INT8)


@pytest.mark.parametrize(("mode", "dtype"), list(itertools.product((MAX, INCLUDE, EXCLUDE), (FLOAT, DOUBLE))))
def test_pooling_as_pytorch(mode: int, dtype: int) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; NumPy references check the same")
    s = session(mode)
    for _ in range(4):
        dims, *how = random_problem(s, 2)
        how[1] = [min(p, w // 2) for p, w in zip(how[1], how[0], strict=True)]  # PyTorch pads at most half a window
        x = s.draw(dims, dtype)
        source = torch.tensor(x.values, requires_grad=True)
        window, pad, stride = how
        functional = torch.nn.functional
        if mode == MAX:
            out = functional.max_pool2d(source, window, stride, pad)
        else:
            out = functional.avg_pool2d(source, window, stride, pad, count_include_pad=mode == INCLUDE)
        dy = s.draw(out.shape, dtype)
        out.backward(torch.tensor(dy.values))
        y, dx = s.blank(dy.dims, dtype), s.blank(dims, dtype)
        desc, one, zero = pooling(s, mode, *how), s.scalar(1, dtype), s.scalar(0, dtype)
        s.ok("cudnnPoolingForward", s.handle, desc, one, x.desc, x.at, zero, y.desc, y.at)
        check(s.fetch(y), out.detach().numpy(), dtype)
        s.ok(
            "cudnnPoolingBackward",
            s.handle,
            desc,
            one,
            y.desc,
            y.at,
            dy.desc,
            dy.at,
            x.desc,
            x.at,
            zero,
            dx.desc,
            dx.at,
        )
        check(s.fetch(dx), source.grad.numpy(), dtype)


@pytest.mark.parametrize("row", json.loads(RECORD.read_text("utf-8"))["single calls"]["pooling outputs"])
def test_an_output_of_another_size_is_filled_as_on_an_h200(row: dict[str, int | str]) -> None:
    """The record counts what holds a number afterwards, in memory that was all NaN before."""
    s, size = session(1), row["described size"]
    assert isinstance(size, int)
    mode = ("MAX", "AVERAGE_INCLUDE_PADDING", "AVERAGE_EXCLUDE_PADDING", "MAX_DETERMINISTIC").index(str(row["mode"]))
    x, y = s.random_buffer(2 * 3 * 8 * 8), s.filled(512, FLOAT, float("nan"))
    desc = pooling(s, mode, (2, 2), (0, 0), (2, 2))
    xd, yd = s.tensor(FLOAT, (2, 3, 8, 8)), s.tensor(FLOAT, (2, 3, size, size))
    status = s.lib.cudnnPoolingForward(s.handle, desc, s.scalar(1), xd, x.address, s.scalar(0), yd, y.address)
    assert status == row["status"]
    assert int((~np.isnan(s.download(y))).sum()) == row["elements written"]
