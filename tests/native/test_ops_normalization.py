"""Batch normalisation, its gradients, and local response normalisation against NumPy and, where installed, PyTorch."""

import itertools

import numpy as np
import pytest

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, Array
from tests.native.ops import BAD_PARAM, FLOATS, LAYOUTS, NOT_SUPPORTED, Ops, Tensor, check, session

PER_ACTIVATION, SPATIAL, PERSISTENT = range(3)
MODES = (PER_ACTIVATION, SPATIAL, PERSISTENT)
EPSILON = 1e-3
Pointers = tuple[int | None, int | None]


def axes(mode: int, rank: int) -> tuple[int, ...]:
    return (0,) if mode == PER_ACTIVATION else (0, *range(2, rank))


def param_dims(mode: int, dims: tuple[int, ...]) -> tuple[int, ...]:
    return (1, *dims[1:]) if mode == PER_ACTIVATION else (1, dims[1], *[1] * (len(dims) - 2))


def param_type(dtype: int) -> int:
    return DOUBLE if dtype == DOUBLE else FLOAT


class Norm:
    """Tensors of one normalisation: x, y and every parameter, drawn at random."""

    def __init__(self, s: Ops, mode: int, dtype: int, layout: str, dims: tuple[int, ...]) -> None:
        self.s, self.mode, self.dtype, self.dims, self.layout = s, mode, dtype, dims, layout
        self.x, self.y = s.draw(dims, dtype, layout, -2, 3), s.draw(dims, dtype, layout)
        self.params = {
            name: s.draw(param_dims(mode, dims), param_type(dtype), "nchw", 0.5, 2)
            for name in ("scale", "bias", "mean", "variance", "saved mean", "saved inverse", "dscale", "dbias")
        }

    def __getitem__(self, name: str) -> Tensor:
        return self.params[name]

    @property
    def desc(self) -> int:
        return self["scale"].desc

    def statistics(self) -> tuple[Array, Array]:
        over = axes(self.mode, len(self.dims))
        return self.x.values.mean(over, keepdims=True), self.x.values.var(over, keepdims=True)

    def fetch(self, name: str) -> Array:
        return self.s.fetch(self[name])

    def train(self, factor: float) -> None:
        """Gives y, the running statistics and the saved ones."""
        scalars = (self.s.scalar(1, self.dtype), self.s.scalar(0, self.dtype))
        arrays = (self.x.desc, self.x.at, self.y.desc, self.y.at, self.desc, self["scale"].at, self["bias"].at)
        running, saved = (self["mean"].at, self["variance"].at), (self["saved mean"].at, self["saved inverse"].at)
        head = (self.s.handle, self.mode, *scalars, *arrays)
        self.s.ok("cudnnBatchNormalizationForwardTraining", *head, factor, *running, EPSILON, *saved)

    def backward(self, dy: Tensor, dx: Tensor, dscale: Tensor, dbias: Tensor, saved: Pointers, beta: float) -> None:
        """Adds each gradient to beta times what is there. saved: mean and inverse deviation, or nulls."""
        scalars = (self.s.scalar(1, self.dtype), self.s.scalar(beta, self.dtype)) * 2
        arrays = (self.x.desc, self.x.at, dy.desc, dy.at, dx.desc, dx.at)
        params = (self.desc, self["scale"].at, dscale.at, dbias.at)
        head = (self.s.handle, self.mode, *scalars, *arrays, *params)
        self.s.ok("cudnnBatchNormalizationBackward", *head, EPSILON, *saved)


@pytest.mark.parametrize(("mode", "dtype", "layout"), list(itertools.product(MODES, FLOATS, LAYOUTS)))
def test_inference(mode: int, dtype: int, layout: str) -> None:
    s = session(mode * 10 + dtype)
    for dims in ((3, 4, 5, 6), (2, 3, 2, 4, 3)):
        n = Norm(s, mode, dtype, layout, dims)
        s.ok(
            "cudnnBatchNormalizationForwardInference",
            s.handle,
            mode,
            s.scalar(2, dtype),
            s.scalar(0.5, dtype),
            n.x.desc,
            n.x.at,
            n.y.desc,
            n.y.at,
            n.desc,
            n["scale"].at,
            n["bias"].at,
            n["mean"].at,
            n["variance"].at,
            EPSILON,
        )
        hat = (n.x.values - n["mean"].values) / np.sqrt(n["variance"].values + EPSILON)
        check(s.fetch(n.y), 2 * (n["scale"].values * hat + n["bias"].values) + 0.5 * n.y.values, dtype)


@pytest.mark.parametrize(("mode", "dtype", "layout"), list(itertools.product(MODES, FLOATS, LAYOUTS)))
def test_training_and_gradient(mode: int, dtype: int, layout: str) -> None:
    s = session(mode * 10 + dtype)
    n = Norm(s, mode, dtype, layout, (5, 4, 3, 6))
    n.train(0.25)
    mean, variance = n.statistics()
    count = n.x.values.size / mean.size
    inverse = 1 / np.sqrt(variance + EPSILON)
    hat = (n.x.values - mean) * inverse
    kind = param_type(dtype)
    check(s.fetch(n.y), n["scale"].values * hat + n["bias"].values, dtype)
    check(n.fetch("saved mean"), mean, kind)
    check(n.fetch("saved inverse"), inverse, kind)
    check(n.fetch("mean"), 0.75 * n["mean"].values + 0.25 * mean, kind)
    check(n.fetch("variance"), 0.75 * n["variance"].values + 0.25 * variance * count / (count - 1), kind)

    dy, dx = s.draw(n.dims, dtype, layout), s.draw(n.dims, dtype, layout)
    over = axes(mode, 4)
    dscale, dbias = (dy.values * hat).sum(over, keepdims=True), dy.values.sum(over, keepdims=True)
    gradient = n["scale"].values * inverse * (dy.values - dbias / count - hat * dscale / count)
    saved = ((n["saved mean"].at, n["saved inverse"].at), (None, None))
    for given in saved:
        target = s.make(dx.values, dtype, layout)
        results = [s.make(n[name].values, kind) for name in ("dscale", "dbias")]
        n.backward(dy, target, *results, saved=given, beta=0.5)
        check(s.fetch(target), gradient + 0.5 * dx.values, dtype, 2)
        check(s.fetch(results[0]), dscale + 0.5 * n["dscale"].values, kind, 2)
        check(s.fetch(results[1]), dbias + 0.5 * n["dbias"].values, kind, 2)


@pytest.mark.parametrize(("adds", "dtype"), list(itertools.product((False, True), (FLOAT, HALF, BF16))))
def test_fused_relu_and_addition(adds: bool, dtype: int) -> None:
    s = session(dtype)
    n = Norm(s, PERSISTENT, dtype, "nhwc", (4, 8, 3, 5))
    ops, relu = 2 if adds else 1, s.activation(1)
    z, dy, dx, dz = (s.draw(n.dims, dtype, "nhwc", -2, 2) for _ in range(4))
    one, zero = s.scalar(1), s.scalar(0)
    space = s.space(1 << 16)
    added = (z.desc, z.at) if adds else (None, None)
    s.ok(
        "cudnnBatchNormalizationForwardTrainingEx",
        s.handle,
        PERSISTENT,
        ops,
        one,
        zero,
        n.x.desc,
        n.x.at,
        *added,
        n.y.desc,
        n.y.at,
        n.desc,
        n["scale"].at,
        n["bias"].at,
        1.0,
        None,
        None,
        EPSILON,
        n["saved mean"].at,
        n["saved inverse"].at,
        relu,
        space,
        1 << 16,
        space,
        1 << 16,
    )
    mean, variance = n.statistics()
    hat = (n.x.values - mean) / np.sqrt(variance + EPSILON)
    y = np.maximum(n["scale"].values * hat + n["bias"].values + (z.values if adds else 0), 0)
    check(s.fetch(n.y), y, dtype, 2)
    out = (dz.desc, dz.at) if adds else (None, None)
    s.ok(
        "cudnnBatchNormalizationBackwardEx",
        s.handle,
        PERSISTENT,
        ops,
        one,
        zero,
        one,
        zero,
        n.x.desc,
        n.x.at,
        n.y.desc,
        n.y.at,
        dy.desc,
        dy.at,
        *out,
        dx.desc,
        dx.at,
        n.desc,
        n["scale"].at,
        n["bias"].at,
        n["dscale"].at,
        n["dbias"].at,
        EPSILON,
        n["saved mean"].at,
        n["saved inverse"].at,
        relu,
        space,
        1 << 16,
        space,
        1 << 16,
    )
    up = dy.values * (s.fetch(n.y) > 0)
    count = n.x.values.size / 8
    dscale, dbias = (up * hat).sum((0, 2, 3), keepdims=True), up.sum((0, 2, 3), keepdims=True)
    expected = n["scale"].values / np.sqrt(variance + EPSILON) * (up - dbias / count - hat * dscale / count)
    check(s.fetch(dx), expected, dtype, 2)
    check(n.fetch("dscale"), dscale, FLOAT, 2)
    if adds:
        check(s.fetch(dz), up, dtype)


def test_statuses() -> None:
    s = session()
    n = Norm(s, SPATIAL, FLOAT, "nchw", (2, 3, 4, 5))
    one, zero, run = s.scalar(1), s.scalar(0), s.lib.cudnnBatchNormalizationForwardInference
    head = (s.handle, SPATIAL, one, zero, n.x.desc, n.x.at, n.y.desc, n.y.at)
    params = [n["scale"].at] * 4
    assert run(*head, n.desc, *params, -1e-9) == BAD_PARAM
    assert run(*head, s.tensor(HALF, (1, 3, 1, 1)), *params, EPSILON) == BAD_PARAM, "parameters of half data are float"
    assert run(*head, s.tensor(FLOAT, (1, 3, 4, 5)), *params, EPSILON) == BAD_PARAM, "that is per activation"
    many = s.tensor(FLOAT, (65536, 3, 1, 1))
    big = s.filled(65536 * 3)
    ask = (s.handle, SPATIAL, one, zero, many, big.address, many, big.address, n.desc, *params, EPSILON)
    assert run(*ask) == NOT_SUPPORTED


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
def test_training_as_pytorch(layout: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; NumPy references check the same")
    s = session()
    n = Norm(s, SPATIAL, DOUBLE, layout, (5, 4, 3, 6))
    x = torch.tensor(n.x.values, requires_grad=True)
    scale, bias = (torch.tensor(n[k].values.ravel(), requires_grad=True) for k in ("scale", "bias"))
    mean, variance = (torch.tensor(n[k].values.ravel()) for k in ("mean", "variance"))
    y = torch.nn.functional.batch_norm(x, mean, variance, scale, bias, True, 0.25, EPSILON)
    dy, dx = s.draw(n.dims, DOUBLE, layout), s.blank(n.dims, DOUBLE, layout)
    y.backward(torch.tensor(dy.values))
    n.train(0.25)
    n.backward(dy, dx, n["dscale"], n["dbias"], saved=(n["saved mean"].at, n["saved inverse"].at), beta=0)
    check(s.fetch(n.y), y.detach().numpy(), DOUBLE, 10)
    check(s.fetch(dx), x.grad.numpy(), DOUBLE, 10)
    for name, expected in {"mean": mean, "variance": variance, "dscale": scale.grad, "dbias": bias.grad}.items():
        check(n.fetch(name).ravel(), expected.detach().numpy(), DOUBLE, 10)


def lrn(x: Array, n: int, alpha: float, beta: float, k: float) -> Array:
    y = np.empty(x.shape)
    for c in range(x.shape[1]):
        first = c - (n - 1) // 2
        part = x[:, max(first, 0) : first + n]
        y[:, c] = x[:, c] * (k + alpha / n * (part**2).sum(1)) ** -beta
    return y


@pytest.mark.parametrize(
    ("n", "dtype", "layout"), list(itertools.product((1, 2, 3, 4, 5, 16), (FLOAT, DOUBLE, HALF), LAYOUTS))
)
def test_lrn(n: int, dtype: int, layout: str) -> None:
    s = session(n)
    desc, how = s.create("LRN"), (n, 0.5, 0.75, 1.5)
    s.ok("cudnnSetLRNDescriptor", desc, *how)
    x, y, dy, dx = (s.draw((2, 7, 3, 4), dtype, layout, -2, 2) for _ in range(4))
    alpha, beta = s.scalar(2, dtype), s.scalar(0.5, dtype)
    s.ok("cudnnLRNCrossChannelForward", s.handle, desc, 0, alpha, x.desc, x.at, beta, y.desc, y.at)
    check(s.fetch(y), 2 * lrn(x.values, *how) + 0.5 * y.values, dtype)
    s.ok(
        "cudnnLRNCrossChannelBackward",
        s.handle,
        desc,
        0,
        alpha,
        y.desc,
        y.at,
        dy.desc,
        dy.at,
        x.desc,
        x.at,
        beta,
        dx.desc,
        dx.at,
    )
    gradient, step = np.zeros(x.dims), 1e-5
    for c in range(7):
        moved = np.zeros(x.dims)
        moved[:, c] = step
        change = (lrn(x.values + moved, *how) - lrn(x.values - moved, *how)) / (2 * step)
        gradient[:, c] = (change * dy.values).sum(1)
    check(s.fetch(dx), 2 * gradient + 0.5 * dx.values, dtype, 1e4 if dtype == DOUBLE else 2)
