"""Backward convolutions and the fused forward one against NumPy, and against PyTorch where it is installed."""

import ctypes
import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from tests.native.h200.session import DOUBLE, FLOAT, HALF, INT8, INT32, Array
from tests.native.ops import BAD_PARAM, FLOATS, NOT_SUPPORTED, SUCCESS, Ops, Tensor, check, session, strides_of
from tests.native.simulator import Perf


@dataclass(frozen=True)
class Problem:
    """One convolution: dimensions and hyperparameters, the same for every spatial dimension but the window."""

    x: tuple[int, ...]
    k: int
    window: tuple[int, ...]
    pad: int = 0
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    flipped: bool = False

    @property
    def w(self) -> tuple[int, ...]:
        return (self.k, self.x[1] // self.groups, *self.window)

    @property
    def y(self) -> tuple[int, ...]:
        sizes = zip(self.x[2:], self.window, strict=True)
        return (
            self.x[0],
            self.k,
            *((d + 2 * self.pad - (w - 1) * self.dilation - 1) // self.stride + 1 for d, w in sizes),
        )

    def taps(self) -> list[tuple[tuple[int, ...], tuple[slice, ...]]]:
        """Every tap of the filter with the padded input that it meets, for all outputs at once."""
        found = []
        for tap in np.ndindex(*self.window):
            place = [w - 1 - t if self.flipped else t for w, t in zip(self.window, tap, strict=True)]
            part = [
                slice(p * self.dilation, p * self.dilation + (n - 1) * self.stride + 1, self.stride)
                for p, n in zip(place, self.y[2:], strict=True)
            ]
            found.append((tap, tuple(part)))
        return found

    def padded(self, x: Array) -> Array:
        return np.pad(x, [(0, 0), (0, 0), *[(self.pad, self.pad)] * len(self.window)])

    def split(self, values: Array) -> list[Array]:
        return np.split(values, self.groups, axis=1)


def forward(p: Problem, x: Array, w: Array) -> Array:
    parts = []
    for xg, wg in zip(p.split(p.padded(x)), np.split(w, p.groups), strict=True):
        terms = [np.einsum("nc...,kc->nk...", xg[(..., *part)], wg[(..., *tap)]) for tap, part in p.taps()]
        parts.append(sum(terms))
    return np.concatenate(parts, axis=1)


def gradients(p: Problem, x: Array, w: Array, dy: Array) -> tuple[Array, Array]:
    """(dx, dw): the adjoints of `forward`, tap by tap."""
    dx, dw = p.padded(np.zeros(p.x)), np.zeros(p.w)
    groups = zip(
        p.split(p.padded(x)), p.split(dx), np.split(w, p.groups), np.split(dw, p.groups), p.split(dy), strict=True
    )
    for xg, dxg, wg, dwg, dyg in groups:
        for tap, part in p.taps():
            dxg[(..., *part)] += np.einsum("nk...,kc->nc...", dyg, wg[(..., *tap)])
            flat = xg[(..., *part)].reshape(*xg.shape[:2], -1)
            dwg[(..., *tap)] = np.einsum("nkp,ncp->kc", dyg.reshape(*dyg.shape[:2], -1), flat)
    inside = tuple(slice(p.pad, p.pad + d) for d in p.x[2:])
    return dx[(..., *inside)], dw


PROBLEMS = {
    "1x1": Problem((2, 3, 5, 6), 4, (1, 1)),
    "3x3": Problem((2, 4, 9, 8), 6, (3, 3), pad=1),
    "stride": Problem((2, 3, 11, 10), 5, (5, 3), pad=2, stride=2),
    "dilation": Problem((2, 3, 12, 11), 4, (3, 3), pad=2, dilation=2),
    "groups": Problem((2, 6, 7, 8), 4, (3, 3), pad=1, groups=2),
    "depthwise": Problem((2, 4, 7, 8), 8, (3, 3), pad=1, groups=4),
    "flipped": Problem((2, 3, 7, 8), 4, (3, 2), flipped=True),
    "3d": Problem((2, 3, 5, 4, 6), 4, (3, 2, 3), pad=1, stride=2),
    "large": Problem((2, 24, 20, 21), 40, (3, 3), pad=1),
    "wide padding": Problem((1, 2, 5, 5), 3, (3, 3), pad=4),
    "skipped places": Problem((2, 3, 9, 10), 4, (1, 2), stride=3),
    "stride and dilation": Problem((2, 4, 17, 16), 6, (3, 4), pad=3, stride=4, dilation=2, groups=2),
    "odd stride, flipped": Problem((1, 3, 13, 14), 4, (4, 5), pad=2, stride=3, dilation=2, flipped=True),
    "far taps": Problem((2, 2, 4, 3), 3, (3, 3), pad=9, dilation=9),
    "many pixels": Problem((1, 3, 40, 37), 34, (3, 3), pad=1, stride=2),
}


class Descriptors:
    """A problem on the simulator: x, w, dy and the convolution descriptor."""

    def __init__(self, s: Ops, p: Problem, dtype: int, layout: str = "nchw", compute: int | None = None) -> None:
        self.conv = s.create("Convolution")
        n = len(p.window)
        compute = compute if compute is not None else DOUBLE if dtype == DOUBLE else FLOAT
        s.ok(
            "cudnnSetConvolutionNdDescriptor",
            self.conv,
            n,
            s.ints([p.pad] * n),
            s.ints([p.stride] * n),
            s.ints([p.dilation] * n),
            0 if p.flipped else 1,
            compute,
        )
        s.ok("cudnnSetConvolutionGroupCount", self.conv, p.groups)
        self.x, self.dy = s.draw(p.x, dtype, layout), s.draw(p.y, dtype, layout)
        values = s.draw(p.w, dtype, layout)
        self.w = Tensor(
            s.filter(dtype, p.w, layout == "nhwc"), values.buffer, p.w, strides_of(p.w, layout), values.values
        )

    def like_filter(self, s: Ops, dtype: int, layout: str) -> Tensor:
        other = s.draw(self.w.dims, dtype, layout)
        return Tensor(self.w.desc, other.buffer, other.dims, other.strides, other.values)


CASES = [
    (name, dtype, layout)
    for name, dtype, layout in itertools.product(PROBLEMS, FLOATS, ("nchw", "nhwc"))
    if layout == "nchw" or (dtype != DOUBLE and name != "3d")
]


@pytest.mark.parametrize(("name", "dtype", "layout"), CASES)
def test_gradients(name: str, dtype: int, layout: str) -> None:
    s, p = session(len(name)), PROBLEMS[name]
    d = Descriptors(s, p, dtype, layout)
    dx, dw = gradients(p, d.x.values, d.w.values, d.dy.values)
    got, old = s.draw(p.x, dtype, layout), d.like_filter(s, dtype, layout)
    alpha, beta = s.scalar(2, dtype), s.scalar(0.5, dtype)
    space = s.space(1 << 24)
    s.ok(
        "cudnnConvolutionBackwardData",
        s.handle,
        alpha,
        d.w.desc,
        d.w.at,
        d.dy.desc,
        d.dy.at,
        d.conv,
        1,
        space,
        1 << 24,
        beta,
        got.desc,
        got.at,
    )
    check(s.fetch(got), 2 * dx + 0.5 * got.values, dtype, 2)
    s.ok(
        "cudnnConvolutionBackwardFilter",
        s.handle,
        alpha,
        d.x.desc,
        d.x.at,
        d.dy.desc,
        d.dy.at,
        d.conv,
        1,
        space,
        1 << 24,
        beta,
        old.desc,
        old.at,
    )
    check(s.fetch(old), 2 * dw + 0.5 * old.values, dtype, 4)


@pytest.mark.parametrize("dtype", [FLOAT, DOUBLE, HALF])
@pytest.mark.parametrize("layout", ["nchw", "nhwc", "strided"])
def test_bias_gradient(dtype: int, layout: str) -> None:
    s = session(dtype)
    dy, db = s.draw((4, 5, 6, 7), dtype, layout), s.draw((1, 5, 1, 1), dtype)
    s.ok(
        "cudnnConvolutionBackwardBias",
        s.handle,
        s.scalar(2, dtype),
        dy.desc,
        dy.at,
        s.scalar(0.5, dtype),
        db.desc,
        db.at,
    )
    check(s.fetch(db), 2 * dy.values.sum((0, 2, 3), keepdims=True) + 0.5 * db.values, dtype, 2)


@pytest.mark.parametrize("backward", ["Data", "Filter"])
def test_every_supported_algorithm_gives_the_same_bits_each_time(backward: str) -> None:
    s, p = session(), PROBLEMS["3x3"]
    d = Descriptors(s, p, FLOAT)
    answers = []
    source, target = (d.w, d.x) if backward == "Data" else (d.x, d.w)
    for algo, _ in itertools.product(range(7), range(2)):
        out = s.blank(target.dims, FLOAT)
        function = getattr(s.lib, f"cudnnConvolutionBackward{backward}")
        status = function(
            s.handle,
            s.scalar(1),
            source.desc,
            source.at,
            d.dy.desc,
            d.dy.at,
            d.conv,
            algo,
            s.space(1 << 22),
            1 << 22,
            s.scalar(0),
            target.desc,
            out.at,
        )
        assert status in (SUCCESS, NOT_SUPPORTED)
        if status == SUCCESS:
            answers.append(s.fetch(out).tolist())
    assert len(answers) == 10
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("backward", ["Data", "Filter"])
def test_search_writes_to_the_output_and_reports_a_small_workspace(backward: str) -> None:
    s, p = session(), PROBLEMS["3x3"]
    d = Descriptors(s, p, FLOAT)
    source, target = (d.w, d.x) if backward == "Data" else (d.x, d.w)
    perfs, count = (Perf * 8)(), ctypes.c_int()
    out = s.blank(target.dims, FLOAT)
    s.ok(
        f"cudnnFindConvolutionBackward{backward}AlgorithmEx",
        s.handle,
        source.desc,
        source.at,
        d.dy.desc,
        d.dy.at,
        d.conv,
        target.desc,
        out.at,
        8,
        ctypes.byref(count),
        perfs,
        s.space(64),
        64,
    )
    assert not np.isnan(s.fetch(out)).any(), "a search overwrites its output"
    found = {p.algo: p for p in perfs[: count.value]}
    scattered = {"Data": {0}, "Filter": {0, 3}}[backward]
    assert {algo for algo, perf in found.items() if perf.determinism == 0} == scattered
    assert found[2].status not in (SUCCESS, NOT_SUPPORTED)
    assert found[2].memory > 64
    times = [perf.time for perf in perfs[: count.value] if perf.status == SUCCESS]
    assert times == sorted(times)
    assert all(perf.time == -1 for perf in perfs[: count.value] if perf.status != SUCCESS)


@pytest.mark.parametrize(("name", "dtype", "mode"), list(itertools.product(PROBLEMS, FLOATS, ("relu", "identity"))))
def test_fused_forward(name: str, dtype: int, mode: str) -> None:
    s, p = session(len(name)), PROBLEMS[name]
    d = Descriptors(s, p, dtype)
    z, bias, y = s.draw(p.y, dtype), s.draw((1, p.k, *[1] * len(p.window)), dtype), s.blank(p.y, dtype)
    algo = 1
    s.ok(
        "cudnnConvolutionBiasActivationForward",
        s.handle,
        s.scalar(2, dtype),
        d.x.desc,
        d.x.at,
        d.w.desc,
        d.w.at,
        d.conv,
        algo,
        s.space(1 << 22),
        1 << 22,
        s.scalar(0.5, dtype),
        z.desc,
        z.at,
        bias.desc,
        bias.at,
        s.activation(1 if mode == "relu" else 5),
        y.desc,
        y.at,
    )
    expected = 2 * forward(p, d.x.values, d.w.values) + 0.5 * z.values + bias.values
    check(s.fetch(y), np.maximum(expected, 0) if mode == "relu" else expected, dtype, 4)


@pytest.mark.parametrize("output", [INT8, FLOAT])
def test_fused_int8(output: int) -> None:
    s, p = session(output), Problem((2, 8, 6, 6), 8, (3, 3), pad=1)
    d = Descriptors(s, p, INT8, "nhwc", INT32)
    bias, y = s.draw((1, 8, 1, 1), FLOAT), s.blank(p.y, output, "nhwc")
    s.ok(
        "cudnnConvolutionBiasActivationForward",
        s.handle,
        s.scalar(0.125),
        d.x.desc,
        d.x.at,
        d.w.desc,
        d.w.at,
        d.conv,
        1,
        s.space(1 << 20),
        1 << 20,
        s.scalar(0),
        y.desc,
        y.at,
        bias.desc,
        bias.at,
        s.activation(1),
        y.desc,
        y.at,
    )
    check(s.fetch(y), np.maximum(0.125 * forward(p, d.x.values, d.w.values) + bias.values, 0), output)


def test_statuses() -> None:
    s, p = session(), PROBLEMS["3x3"]
    d = Descriptors(s, p, FLOAT)
    wrong, half = s.draw((2, 6, 9, 7), FLOAT), s.draw(p.y, HALF)
    run, one = s.lib.cudnnConvolutionBackwardData, s.scalar(1)
    tail = (d.conv, 1, None, 0, one, d.x.desc, d.x.at)
    assert run(s.handle, one, d.w.desc, d.w.at, wrong.desc, wrong.at, *tail) == BAD_PARAM
    assert run(s.handle, one, d.w.desc, d.w.at, half.desc, half.at, *tail) == NOT_SUPPORTED
    assert run(s.handle, one, d.w.desc, None, d.dy.desc, d.dy.at, *tail) == BAD_PARAM
    fft = (d.conv, 2, None, 0, one, d.x.desc, d.x.at)
    assert run(s.handle, one, d.w.desc, d.w.at, d.dy.desc, d.dy.at, *fft) == BAD_PARAM, "no workspace"


@pytest.mark.parametrize("name", [name for name, problem in PROBLEMS.items() if not problem.flipped])
def test_gradients_as_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; NumPy references check the same")
    s, p = session(len(name)), PROBLEMS[name]
    d = Descriptors(s, p, DOUBLE)
    x, w = (torch.tensor(t.values, requires_grad=True) for t in (d.x, d.w))
    convolve = torch.nn.functional.conv3d if len(p.window) == 3 else torch.nn.functional.conv2d
    convolve(x, w, None, p.stride, p.pad, p.dilation, p.groups).backward(torch.tensor(d.dy.values))
    dx, dw = gradients(p, d.x.values, d.w.values, d.dy.values)
    np.testing.assert_allclose(dx, x.grad.numpy(), atol=1e-12)
    np.testing.assert_allclose(dw, w.grad.numpy(), atol=1e-12)
