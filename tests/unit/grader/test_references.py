"""The shared reference operations against loops that follow the formulas word by word, and against differences."""

import itertools

import numpy as np
import pytest

from grader import references

rng = np.random.default_rng(3)
GEOMETRIES = [
    {"n": 2, "c": 4, "h": 7, "w": 6, "k": 6, "r": 3, "s": 2}
    | {"groups": g, "padding": p, "stride": s, "dilation": d, "flip": f}
    for g, p, s, d, f in [
        (1, (0, 0), (1, 1), (1, 1), False),
        (2, (1, 2), (2, 1), (1, 1), True),
        (1, (2, 1), (3, 2), (2, 3), False),
        (2, (0, 3), (1, 3), (3, 2), True),
    ]
]  # fmt: skip


def keywords(case: dict) -> dict:
    return {key: case[key] for key in ("padding", "stride", "dilation", "groups", "flip")}


def arrays(case: dict) -> tuple[np.ndarray, np.ndarray]:
    x = rng.standard_normal((case["n"], case["c"], case["h"], case["w"]))
    return x, rng.standard_normal((case["k"], case["c"] // case["groups"], case["r"], case["s"]))


def by_loops(x: np.ndarray, w: np.ndarray, case: dict) -> np.ndarray:
    (ph, pw), (sh, sw), (dh, dw) = case["padding"], case["stride"], case["dilation"]
    n, _, h, width = x.shape
    k, per_group, r, s = w.shape
    p, q = (h + 2 * ph - ((r - 1) * dh + 1)) // sh + 1, (width + 2 * pw - ((s - 1) * dw + 1)) // sw + 1
    y = np.zeros((n, k, p, q))
    for index in itertools.product(range(n), range(k), range(p), range(q), range(per_group), range(r), range(s)):
        b, out, a, e, channel, i, j = index
        row, column = a * sh - ph + i * dh, e * sw - pw + j * dw
        if 0 <= row < h and 0 <= column < width:
            tap = w[out, channel, r - 1 - i, s - 1 - j] if case["flip"] else w[out, channel, i, j]
            y[b, out, a, e] += tap * x[b, out // (k // case["groups"]) * per_group + channel, row, column]
    return y


@pytest.mark.parametrize("case", GEOMETRIES)
def test_convolution_forward(case: dict) -> None:
    x, w = arrays(case)
    np.testing.assert_allclose(references.convolution_forward(x, w, **keywords(case)), by_loops(x, w, case), atol=1e-12)


@pytest.mark.parametrize("case", GEOMETRIES)
def test_convolution_gradients_are_adjoints(case: dict) -> None:
    x, w = arrays(case)
    y = references.convolution_forward(x, w, **keywords(case))
    dy = rng.standard_normal(y.shape)
    dx = references.convolution_backward_data(dy, w, x.shape, **keywords(case))
    dw = references.convolution_backward_filter(x, dy, w.shape, **keywords(case))
    # The convolution is linear in x and in w: <conv(x, w), dy> = <x, dx> = <w, dw>.
    assert np.vdot(y, dy) == pytest.approx(np.vdot(x, dx))
    assert np.vdot(y, dy) == pytest.approx(np.vdot(w, dw))
    np.testing.assert_allclose(references.convolution_backward_bias(dy)[0, :, 0, 0], dy.sum((0, 2, 3)))


@pytest.mark.parametrize(("channels", "groups", "size"), [(3, 2, 5), (2, 1, 2)])
def test_convolution_refuses_what_does_not_fit(channels: int, groups: int, size: int) -> None:
    with pytest.raises(ValueError, match="fit"):
        references.convolution_forward(np.ones((1, channels, size, size)), np.ones((2, 2, 3, 3)), groups=groups)


@pytest.mark.parametrize("mode", ["max", "average_include_padding", "average_exclude_padding"])
@pytest.mark.parametrize(("window", "padding", "stride"), [((2, 2), (0, 0), (2, 2)), ((3, 2), (1, 1), (2, 1))])
def test_pooling(mode: str, window: tuple[int, int], padding: tuple[int, int], stride: tuple[int, int]) -> None:
    x = rng.standard_normal((2, 3, 7, 5))
    y = references.pooling_forward(x, window, padding=padding, stride=stride, mode=mode)
    for n, c, p, q in np.ndindex(y.shape):
        inside = [
            x[n, c, row, column]
            for row in range(p * stride[0] - padding[0], p * stride[0] - padding[0] + window[0])
            for column in range(q * stride[1] - padding[1], q * stride[1] - padding[1] + window[1])
            if 0 <= row < 7 and 0 <= column < 5
        ]
        count = window[0] * window[1] if mode == "average_include_padding" else len(inside)
        assert y[n, c, p, q] == pytest.approx(max(inside) if mode == "max" else sum(inside) / count)
    dy = rng.standard_normal(y.shape)
    dx = references.pooling_backward(x, dy, window, padding=padding, stride=stride, mode=mode)
    check_gradient(
        lambda v: references.pooling_forward(v, window, padding=padding, stride=stride, mode=mode), x, dy, dx
    )


def check_gradient(function, x: np.ndarray, dy: np.ndarray, dx: np.ndarray) -> None:
    """Central differences in a few places."""
    for index in [tuple(rng.integers(size) for size in x.shape) for _ in range(12)]:
        up, down = x.copy(), x.copy()
        up[index] += 1e-6
        down[index] -= 1e-6
        slope = np.vdot(function(up) - function(down), dy) / 2e-6
        assert dx[index] == pytest.approx(slope, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("mode", sorted(references.ACTIVATIONS))
def test_activation_gradients(mode: str) -> None:
    x, dy = rng.standard_normal((2, 3, 4, 5)), rng.standard_normal((2, 3, 4, 5))
    dx = references.activation_backward(x, dy, mode, 0.7)
    check_gradient(lambda v: references.activation_forward(v, mode, 0.7), x, dy, dx)


def test_activation_values() -> None:
    x = np.array([-2.0, 0.0, 3.0])
    expected = {
        "relu": [0, 0, 3], "clipped_relu": [0, 0, 2], "identity": [-2, 0, 3], "tanh": np.tanh(x),
        "sigmoid": 1 / (1 + np.exp(-x)), "elu": [2 * (np.exp(-2) - 1), 0, 3], "swish": x / (1 + np.exp(-2 * x)),
    }  # fmt: skip
    for mode, values in expected.items():
        np.testing.assert_allclose(references.activation_forward(x, mode, 2.0), values)


def test_softmax() -> None:
    x = rng.standard_normal((2, 3, 2, 2)) * 300
    channel = references.softmax(x)
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    np.testing.assert_allclose(references.softmax(x, "instance").sum(axis=(1, 2, 3)), 1)
    small = x / 100
    np.testing.assert_allclose(
        references.softmax(small)[1, :, 0, 1], np.exp(small[1, :, 0, 1]) / np.exp(small[1, :, 0, 1]).sum()
    )
    np.testing.assert_allclose(references.softmax(small, log=True), np.log(references.softmax(small)))


@pytest.mark.parametrize("mode", ["spatial", "per_activation"])
def test_batch_norm(mode: str) -> None:
    x = rng.standard_normal((4, 3, 2, 5))
    shape = (1, 3, 1, 1) if mode == "spatial" else (1, 3, 2, 5)
    scale, bias, mean, variance = (rng.uniform(0.5, 2, shape) for _ in range(4))
    got = references.batch_norm_training(x, scale, bias, mean, variance, factor=0.25, epsilon=1e-3, mode=mode)
    axes = (0, 2, 3) if mode == "spatial" else (0,)
    np.testing.assert_allclose(got.saved_inverse, 1 / np.sqrt(x.var(axes, keepdims=True) + 1e-3))
    np.testing.assert_allclose(got.running_mean, 0.75 * mean + 0.25 * x.mean(axes, keepdims=True))
    np.testing.assert_allclose(got.running_variance, 0.75 * variance + 0.25 * x.var(axes, ddof=1, keepdims=True))
    same = references.batch_norm_inference(
        x, scale, bias, x.mean(axes, keepdims=True), x.var(axes, keepdims=True), 1e-3
    )
    np.testing.assert_allclose(got.y, same)
    dy = rng.standard_normal(x.shape)
    dx, dscale, dbias = references.batch_norm_backward(x, dy, scale, epsilon=1e-3, mode=mode)

    def forward(v: np.ndarray, s: np.ndarray = scale, b: np.ndarray = bias) -> np.ndarray:
        return references.batch_norm_training(v, s, b, mean, variance, epsilon=1e-3, mode=mode).y

    check_gradient(forward, x, dy, dx)
    check_gradient(lambda s: forward(x, s), scale, dy, dscale)
    check_gradient(lambda b: forward(x, scale, b), bias, dy, dbias)


def test_layer_norm() -> None:
    x = rng.standard_normal((2, 3, 4))
    y = references.layer_norm(x, np.full(4, 2.0), np.ones(4), epsilon=0)
    np.testing.assert_allclose(y.mean(axis=-1), 1, atol=1e-12)
    np.testing.assert_allclose(y.std(axis=-1), 2)


def sigmoid(value: float) -> float:
    return 1 / (1 + np.exp(-value))


def test_recurrent_layers() -> None:
    steps, batch, inputs, hidden = 3, 2, 4, 2
    x = rng.standard_normal((steps, batch, inputs))
    h0, c0 = rng.standard_normal((2, batch, hidden))
    for gates, function in ((1, references.rnn), (4, references.lstm), (3, references.gru)):
        w, r = rng.standard_normal((gates * hidden, inputs)), rng.standard_normal((gates * hidden, hidden))
        b_w, b_r = rng.standard_normal((2, gates * hidden))
        start = (h0, c0) if gates == 4 else (h0,)
        y, last, *rest = function(x, *start, w, r, b_w, b_r)
        h, c = h0.copy(), c0.copy()
        for t, n in itertools.product(range(steps), range(batch)):
            a = [float(w[g] @ x[t, n] + b_w[g]) for g in range(gates * hidden)]
            b = [float(r[g] @ h[n] + b_r[g]) for g in range(gates * hidden)]
            new = h[n].copy()
            for u in range(hidden):
                gate = [(a[g * hidden + u], b[g * hidden + u]) for g in range(gates)]
                if gates == 1:
                    new[u] = np.tanh(sum(gate[0]))
                elif gates == 4:
                    i, f, g, o = (sum(pair) for pair in gate)
                    c[n, u] = sigmoid(f) * c[n, u] + sigmoid(i) * np.tanh(g)
                    new[u] = sigmoid(o) * np.tanh(c[n, u])
                else:
                    update = sigmoid(sum(gate[1]))
                    candidate = np.tanh(gate[2][0] + sigmoid(sum(gate[0])) * gate[2][1])
                    new[u] = (1 - update) * candidate + update * h[n, u]
            h[n] = new
            np.testing.assert_allclose(y[t, n], h[n])
        np.testing.assert_allclose(last, h)
        if rest:
            np.testing.assert_allclose(rest[0], c)


def test_layouts_are_inverse() -> None:
    x = rng.standard_normal((2, 3, 4, 5))
    assert references.nchw_to_nhwc(x).shape == (2, 4, 5, 3)
    np.testing.assert_array_equal(references.nhwc_to_nchw(references.nchw_to_nhwc(x)), x)
