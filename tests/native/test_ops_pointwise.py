"""Activation, softmax and dropout against NumPy; gradients also against differences."""

import itertools

import numpy as np
import pytest

from tests.native.h200.session import DOUBLE, FLOAT, HALF, Array
from tests.native.ops import BAD_PARAM, FLOATS, LAYOUTS, check, session

SIGMOID, RELU, TANH, CLIPPED, ELU, IDENTITY, SWISH = range(7)
MODES = (SIGMOID, RELU, TANH, CLIPPED, ELU, SWISH)
DIMS = (3, 4, 5, 6)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def activation(mode: int, x: Array, coef: float = 0.75) -> Array:
    functions = {
        SIGMOID: sigmoid,
        RELU: lambda v: np.maximum(v, 0),
        TANH: np.tanh,
        CLIPPED: lambda v: np.clip(v, 0, coef),
        ELU: lambda v: np.where(v < 0, coef * np.expm1(v), v),
        SWISH: lambda v: v * sigmoid(v),
    }
    result: Array = functions[mode](x)
    return result


@pytest.mark.parametrize(("mode", "dtype"), list(itertools.product(MODES, FLOATS)))
def test_activation_forward(mode: int, dtype: int) -> None:
    s = session(mode * 10 + dtype)
    act = s.activation(mode, 0.75)
    for (xl, yl), beta in itertools.product(itertools.product(LAYOUTS, LAYOUTS), (0, 0.5)):
        x = s.draw(DIMS, dtype, xl, -3, 3)
        y = s.draw(DIMS, dtype, yl) if beta else s.blank(DIMS, dtype, yl)
        s.ok(
            "cudnnActivationForward",
            s.handle,
            act,
            s.scalar(2, dtype),
            x.desc,
            x.at,
            s.scalar(beta, dtype),
            y.desc,
            y.at,
        )
        check(s.fetch(y), 2 * activation(mode, x.values) + (0.5 * y.values if beta else 0), dtype)


@pytest.mark.parametrize(("mode", "dtype", "layout"), list(itertools.product(MODES, FLOATS, LAYOUTS)))
def test_activation_backward(mode: int, dtype: int, layout: str) -> None:
    s = session(mode * 10 + dtype)
    act = s.activation(mode, 0.75)
    x, dy, dx = s.draw(DIMS, dtype, layout, -3, 3), s.draw(DIMS, dtype, layout), s.draw(DIMS, dtype, layout)
    y = s.make(activation(mode, x.values), dtype, layout)
    s.ok(
        "cudnnActivationBackward",
        s.handle,
        act,
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
    step = 1e-6
    slope = (activation(mode, x.values + step) - activation(mode, x.values - step)) / (2 * step)
    smooth = (np.abs(x.values) > 1e-3) & (np.abs(x.values - 0.75) > 1e-3)
    expected = 2 * dy.values * slope + 0.5 * dx.values
    check(np.where(smooth, s.fetch(dx), expected), expected, dtype, 2 if dtype != DOUBLE else 1e3)


def softmax(x: Array, mode: int) -> Array:
    axes = (1,) if mode else tuple(range(1, x.ndim))
    e = np.exp(x - x.max(axes, keepdims=True))
    result: Array = e / e.sum(axes, keepdims=True)
    return result


@pytest.mark.parametrize(
    ("algo", "mode", "dtype", "layout"), list(itertools.product(range(3), range(2), FLOATS, LAYOUTS))
)
def test_softmax(algo: int, mode: int, dtype: int, layout: str) -> None:
    s = session(algo * 2 + mode)
    x, y = s.draw(DIMS, dtype, layout, -4, 4), s.draw(DIMS, dtype, layout)
    s.ok(
        "cudnnSoftmaxForward",
        s.handle,
        algo,
        mode,
        s.scalar(2, dtype),
        x.desc,
        x.at,
        s.scalar(0.5, dtype),
        y.desc,
        y.at,
    )
    p = softmax(x.values, mode)
    check(s.fetch(y), 2 * (np.log(p) if algo == 2 else p) + 0.5 * y.values, dtype)
    out, dy, dx = (
        s.make(np.log(p) if algo == 2 else p, dtype, layout),
        s.draw(DIMS, dtype, layout),
        s.draw(DIMS, dtype, layout),
    )
    s.ok(
        "cudnnSoftmaxBackward",
        s.handle,
        algo,
        mode,
        s.scalar(2, dtype),
        out.desc,
        out.at,
        dy.desc,
        dy.at,
        s.scalar(0.5, dtype),
        dx.desc,
        dx.at,
    )
    axes = (1,) if mode else (1, 2, 3)
    if algo == 2:
        gradient = dy.values - np.exp(out.values) * dy.values.sum(axes, keepdims=True)
    else:
        gradient = out.values * (dy.values - (dy.values * out.values).sum(axes, keepdims=True))
    check(s.fetch(dx), 2 * gradient + 0.5 * dx.values, dtype)


def test_softmax_of_large_inputs_needs_the_accurate_algorithm() -> None:
    s = session()
    x, y = s.make(np.array([1000.0, 0]).reshape(1, 2, 1, 1), FLOAT), s.blank((1, 2, 1, 1), FLOAT)
    s.ok("cudnnSoftmaxForward", s.handle, 0, 1, s.scalar(1), x.desc, x.at, s.scalar(0), y.desc, y.at)
    assert np.isnan(s.fetch(y).ravel()[0])
    s.ok("cudnnSoftmaxForward", s.handle, 1, 1, s.scalar(1), x.desc, x.at, s.scalar(0), y.desc, y.at)
    assert s.fetch(y).ravel().tolist() == [1, 0]


def test_in_place_activation_needs_equal_strides() -> None:
    s = session()
    x = s.draw(DIMS, FLOAT)
    relu, one, zero = s.activation(RELU), s.scalar(1), s.scalar(0)
    other = s.tensor(FLOAT, DIMS, 1)
    assert s.lib.cudnnActivationForward(s.handle, relu, one, x.desc, x.at, zero, other, x.at) == BAD_PARAM
    s.ok("cudnnActivationForward", s.handle, relu, one, x.desc, x.at, zero, x.desc, x.at)
    check(s.fetch(x), np.maximum(x.values, 0), FLOAT)


@pytest.mark.parametrize(("dtype", "rate"), list(itertools.product((FLOAT, DOUBLE, HALF), (0.0, 0.25, 0.5, 0.9, 1.0))))
def test_dropout(dtype: int, rate: float) -> None:
    s = session()
    states = 6488064
    memory, desc = s.space(states), s.create("Dropout")
    s.ok("cudnnSetDropoutDescriptor", desc, s.handle, rate, memory, states, 7)
    x, y = s.make(np.full((2, 8, 50, 50), 3.0), dtype), s.blank((2, 8, 50, 50), dtype)
    reserve = s.filled(5000, 6, 0)
    s.ok("cudnnDropoutForward", s.handle, desc, x.desc, x.at, y.desc, y.at, reserve.address, 5000)
    found = s.fetch(y).ravel()
    kept = np.unpackbits(s.download(reserve).astype(np.uint8), bitorder="little").astype(bool)
    assert abs(kept.mean() - (1 - rate)) < 0.02
    check(found, np.where(kept, 3 / (1 - float(np.float32(rate))) if rate < 1 else 0, 0), dtype)
    dx = s.blank(x.dims, dtype)
    s.ok("cudnnDropoutBackward", s.handle, desc, x.desc, x.at, dx.desc, dx.at, reserve.address, 5000)
    assert (s.fetch(dx).ravel() == found).all()


def test_dropout_masks_come_from_seed_and_state() -> None:
    s = session()
    states = 6488064
    memory, desc = s.space(states), s.create("Dropout")
    x, reserve = s.make(np.ones((1, 1, 32, 32)), FLOAT), s.filled(128, 6, 0)

    def mask() -> list[float]:
        s.ok("cudnnDropoutForward", s.handle, desc, x.desc, x.at, x.desc, s.filled(1024).address, reserve.address, 128)
        return list(s.download(reserve))

    s.ok("cudnnSetDropoutDescriptor", desc, s.handle, 0.5, memory, states, 1)
    first, second = mask(), mask()
    s.ok("cudnnSetDropoutDescriptor", desc, s.handle, 0.5, memory, states, 1)
    assert mask() == first != second
    s.ok("cudnnRestoreDropoutDescriptor", desc, s.handle, 0.5, memory, states, 1)
    assert mask() == second, "restoring a descriptor goes on where the states are"
