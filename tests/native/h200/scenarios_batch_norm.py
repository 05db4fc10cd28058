"""Batch normalisation, with Ex."""

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, NAMES, NCHW, NHWC, Session, count_of

X = (4, 3, 4, 5)
EPS = 1e-3
PARAMS = {0: (1, 3, 4, 5), 1: (1, 3, 1, 1), 2: (1, 3, 1, 1)}


def kind_of(dtype: int) -> int:
    return DOUBLE if dtype == DOUBLE else FLOAT


def derive(s: Session) -> None:
    for dtype, mode, dims in itertools.product(
        (FLOAT, DOUBLE, HALF, BF16, INT8), range(-1, 4), (X, (4, 3, 4), (4, 3, 4, 5, 2), (4, 3, 4, 5, 2, 2))
    ):
        for layout in (NCHW, NHWC):
            desc = s.create("Tensor")
            key = f"{NAMES[dtype]} mode {mode} {len(dims)} layout {layout}"
            s.call(key, "cudnnDeriveBNTensorDescriptor", desc, s.tensor(dtype, dims, layout), mode)
            got = [ctypes.c_int(77) for _ in range(2)], [(ctypes.c_int * 8)() for _ in range(2)]
            s.lib.cudnnGetTensorNdDescriptor(desc, 8, *map(ctypes.byref, got[0]), *got[1])
            s.put(f"{key} got", [[g.value for g in got[0]], [list(a) for a in got[1]]])
    s.call("null out", "cudnnDeriveBNTensorDescriptor", None, s.tensor(FLOAT, X), 1)
    s.call("null x", "cudnnDeriveBNTensorDescriptor", s.create("Tensor"), None, 1)
    s.call("unset x", "cudnnDeriveBNTensorDescriptor", s.create("Tensor"), s.create("Tensor"), 1)


def inference(s: Session) -> None:
    for mode, dtype, layout in itertools.product(range(3), (FLOAT, DOUBLE, HALF, BF16, INT8), (NCHW, NHWC)):
        k = kind_of(dtype)
        run_inference(
            s,
            f"mode {mode} {NAMES[dtype]} layout {layout}",
            mode,
            (dtype, X, layout),
            (dtype, X, layout),
            (k, PARAMS[mode], NCHW),
        )
    cases: dict[str, Any] = {
        "layouts differ": (1, (FLOAT, X, NCHW), (FLOAT, X, NHWC), (FLOAT, PARAMS[1])),
        "y half": (1, (FLOAT, X, NCHW), (HALF, X, NCHW), (FLOAT, PARAMS[1])),
        "y dims": (1, (FLOAT, X, NCHW), (FLOAT, (4, 3, 5, 4), NCHW), (FLOAT, PARAMS[1])),
        "half params": (1, (HALF, X, NCHW), (HALF, X, NCHW), (HALF, PARAMS[1])),
        "double params": (1, (FLOAT, X, NCHW), (FLOAT, X, NCHW), (DOUBLE, PARAMS[1])),
        "param c": (1, (FLOAT, X, NCHW), (FLOAT, X, NCHW), (FLOAT, (1, 4, 1, 1))),
        "param of per activation": (1, (FLOAT, X, NCHW), (FLOAT, X, NCHW), (FLOAT, PARAMS[0])),
        "param of spatial": (0, (FLOAT, X, NCHW), (FLOAT, X, NCHW), (FLOAT, PARAMS[1])),
        "rank 5": (1, (FLOAT, (4, 3, 4, 5, 2), NCHW), (FLOAT, (4, 3, 4, 5, 2), NCHW), (FLOAT, (1, 3, 1, 1, 1))),
        "rank 3": (1, (FLOAT, (4, 3, 4), NCHW), (FLOAT, (4, 3, 4), NCHW), (FLOAT, (1, 3, 1))),
        "param rank": (1, (FLOAT, (4, 3, 4, 5, 2), NCHW), (FLOAT, (4, 3, 4, 5, 2), NCHW), (FLOAT, (1, 3, 1, 1))),
        "strided": (1, (FLOAT, X, (80, 25, 6, 1)), (FLOAT, X, (80, 25, 6, 1)), (FLOAT, PARAMS[1])),
        "mode 3": (3, (FLOAT, X, NCHW), (FLOAT, X, NCHW), (FLOAT, PARAMS[1])),
    }
    for key, (mode, x, y, p) in cases.items():
        run_inference(s, key, mode, x, y, (*p, NCHW))
    x, y, p = s.random_buffer(240), s.filled(240), s.random_buffer(3, FLOAT, 0.5, 2)
    d, pd = s.tensor(FLOAT, X), s.tensor(FLOAT, PARAMS[1])
    good = [
        s.handle,
        1,
        s.scalar(1),
        s.scalar(0),
        d,
        x.address,
        d,
        y.address,
        pd,
        p.address,
        p.address,
        p.address,
        p.address,
        EPS,
    ]
    for i in (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):
        s.call(
            f"null {i}", "cudnnBatchNormalizationForwardInference", *[None if i == j else v for j, v in enumerate(good)]
        )
    for eps in (0.0, -1.0, 1e-12, float("nan")):
        s.call(f"eps {eps}", "cudnnBatchNormalizationForwardInference", *good[:13], eps)
    big = s.tensor(FLOAT, (70000, 1, 1, 1))
    many = s.filled(70000)
    first = (s.handle, 0, s.scalar(1), s.scalar(0), big, many.address, big, many.address)
    second = (s.tensor(FLOAT, (1, 1, 1, 1)), p.address, p.address, p.address, p.address, EPS)
    s.call("n 70000 per activation", "cudnnBatchNormalizationForwardInference", *first, *second)


def run_inference(s: Session, key: str, mode: int, x: Any, y: Any, p: Any) -> None:
    xb, yb = s.random_buffer(512, x[0], -2, 2), s.random_buffer(512, y[0])
    params = [s.random_buffer(240, p[0], 0.5, 2) for _ in range(4)]
    first = (s.handle, mode, s.scalar(2, x[0]), s.scalar(0.5, x[0]), s.tensor(*x), xb.address, s.tensor(*y))
    second = (yb.address, s.tensor(*p), *[b.address for b in params], EPS)
    status = s.call(key, "cudnnBatchNormalizationForwardInference", *first, *second)
    s.output(key, status, yb)


def training(s: Session) -> None:
    for mode, dtype, layout in itertools.product(range(3), (FLOAT, DOUBLE, HALF, BF16), (NCHW, NHWC)):
        for factor in (1.0, 0.25):
            run_training(
                s, f"mode {mode} {NAMES[dtype]} layout {layout} factor {factor}", mode, dtype, X, layout, factor
            )
    run_training(s, "rank 5", 1, FLOAT, (4, 3, 4, 5, 2), NCHW, 0.5)
    run_training(s, "one image", 1, FLOAT, (1, 3, 4, 5), NCHW, 0.5)
    run_training(s, "one image per activation", 0, FLOAT, (1, 3, 4, 5), NCHW, 0.5)
    run_training(s, "one value", 1, FLOAT, (1, 3, 1, 1), NCHW, 0.5)
    run_training(s, "strided", 1, FLOAT, X, (80, 25, 6, 1), 0.5)
    run_training(s, "no running", 1, FLOAT, X, NCHW, 0.5, running=False)
    run_training(s, "no saved", 1, FLOAT, X, NCHW, 0.5, saved=False)
    run_training(s, "scaled", 1, FLOAT, X, NCHW, 0.5, scaling=(2, 0.5))
    x, y = s.random_buffer(240), s.filled(240)
    a, b, rm, rv, sm, sv = (s.random_buffer(60, FLOAT, 0.5, 2) for _ in range(6))
    d, pd = s.tensor(FLOAT, X), s.tensor(FLOAT, PARAMS[1])
    good = [
        s.handle,
        1,
        s.scalar(1),
        s.scalar(0),
        d,
        x.address,
        d,
        y.address,
        pd,
        a.address,
        b.address,
        0.5,
        rm.address,
        rv.address,
        EPS,
        sm.address,
        sv.address,
    ]
    for i in (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16):
        s.call(
            f"null {i}", "cudnnBatchNormalizationForwardTraining", *[None if i == j else v for j, v in enumerate(good)]
        )
    for factor in (0.0, -0.5, 1.5):
        s.call(
            f"factor {factor}",
            "cudnnBatchNormalizationForwardTraining",
            *[factor if j == 11 else v for j, v in enumerate(good)],
        )
    for eps in (0.0, -1.0):
        s.call(
            f"eps {eps}", "cudnnBatchNormalizationForwardTraining", *[eps if j == 14 else v for j, v in enumerate(good)]
        )
    for name, (place, desc) in {
        "y layout": (6, s.tensor(FLOAT, X, NHWC)),
        "y half": (6, s.tensor(HALF, X)),
        "y dims": (6, s.tensor(FLOAT, (4, 3, 5, 4))),
        "param c": (8, s.tensor(FLOAT, (1, 4, 1, 1))),
        "param full": (8, s.tensor(FLOAT, PARAMS[0])),
        "param half": (8, s.tensor(HALF, PARAMS[1])),
        "int8": (4, s.tensor(INT8, X)),
    }.items():
        s.call(name, "cudnnBatchNormalizationForwardTraining", *[desc if place == j else v for j, v in enumerate(good)])


def run_training(
    s: Session,
    key: str,
    mode: int,
    dtype: int,
    dims: Sequence[int],
    layout: Any,
    factor: float,
    running: bool = True,
    saved: bool = True,
    scaling: tuple[float, float] = (1, 0),
) -> None:
    k = kind_of(dtype)
    params = (1, *dims[1:]) if mode == 0 else (1, dims[1], *[1] * (len(dims) - 2))
    n = count_of(params)
    x, y, dx = s.random_buffer(512, dtype, -2, 2), s.random_buffer(512, dtype), s.random_buffer(512, dtype)
    scale, bias, rm, rv, sm, sv, ds, db = (s.random_buffer(n, k, 0.5, 2) for _ in range(8))
    d, pd = s.tensor(dtype, dims, layout), s.tensor(k, params)
    first = (s.handle, mode, s.scalar(scaling[0], dtype), s.scalar(scaling[1], dtype), d, x.address, d, y.address)
    second = (pd, scale.address, bias.address, factor, rm.address if running else None)
    third = (rv.address if running else None, EPS, sm.address if saved else None, sv.address if saved else None)
    status = s.call(key, "cudnnBatchNormalizationForwardTraining", *first, *second, *third)
    for name, buffer in {
        "y": y,
        "running mean": rm,
        "running variance": rv,
        "saved mean": sm,
        "saved inverse": sv,
    }.items():
        s.output(f"{key} {name}", status, buffer)
    dy = s.random_buffer(512, dtype)
    one, half = s.scalar(1, dtype), s.scalar(0.5, dtype)
    first = (s.handle, mode, s.scalar(2, dtype), half, one, half, d, x.address, d, dy.address, d, dx.address, pd)
    second = (scale.address, ds.address, db.address, EPS, sm.address if saved else None)
    third = (sv.address if saved else None,)
    status = s.call(f"{key} backward", "cudnnBatchNormalizationBackward", *first, *second, *third)
    for name, buffer in {"dx": dx, "dscale": ds, "dbias": db}.items():
        s.output(f"{key} {name}", status, buffer)


def batch_norm_backward_edges(s: Session) -> None:
    x, dy, dx = (s.random_buffer(240) for _ in range(3))
    scale, ds, db, sm, sv = (s.random_buffer(60, FLOAT, 0.5, 2) for _ in range(5))
    d, pd = s.tensor(FLOAT, X), s.tensor(FLOAT, PARAMS[1])
    good = [
        s.handle,
        1,
        s.scalar(1),
        s.scalar(0),
        s.scalar(1),
        s.scalar(0),
        d,
        x.address,
        d,
        dy.address,
        d,
        dx.address,
        pd,
        scale.address,
        ds.address,
        db.address,
        EPS,
        sm.address,
        sv.address,
    ]
    for i in (0, *range(2, 16), 17, 18):
        s.call(f"null {i}", "cudnnBatchNormalizationBackward", *[None if i == j else v for j, v in enumerate(good)])
    for eps in (0.0, -1.0, 1.0):
        s.call(f"eps {eps}", "cudnnBatchNormalizationBackward", *[eps if j == 16 else v for j, v in enumerate(good)])
    for name, (place, desc) in {
        "dy layout": (8, s.tensor(FLOAT, X, NHWC)),
        "dx layout": (10, s.tensor(FLOAT, X, NHWC)),
        "dy half": (8, s.tensor(HALF, X)),
        "dy dims": (8, s.tensor(FLOAT, (4, 3, 5, 4))),
        "dx dims": (10, s.tensor(FLOAT, (4, 3, 5, 4))),
        "param c": (12, s.tensor(FLOAT, (1, 4, 1, 1))),
        "param half": (12, s.tensor(HALF, PARAMS[1])),
    }.items():
        s.call(name, "cudnnBatchNormalizationBackward", *[desc if place == j else v for j, v in enumerate(good)])


def batch_norm_ex(s: Session) -> None:
    relu = s.activation(1)
    shapes = (X, (4, 8, 4, 5), (2, 64, 7, 7))
    for mode, ops, dtype, layout, dims in itertools.product(
        range(3), range(3), (FLOAT, HALF, DOUBLE, BF16), (NCHW, NHWC), shapes
    ):
        params = (1, *dims[1:]) if mode == 0 else (1, dims[1], 1, 1)
        key = f"mode {mode} ops {ops} {NAMES[dtype]} layout {layout} c {dims[1]}"
        d, pd = s.tensor(dtype, dims, layout), s.tensor(kind_of(dtype), params)
        z = d if ops == 2 else None
        act = relu if ops else None
        first = (s.handle, mode, ops, d, z, d, pd, act)
        forward = s.size(f"{key} forward size", "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", *first)
        first = (s.handle, mode, ops, d, d if ops else None, d, z, d, pd, act)
        back = s.size(f"{key} backward size", "cudnnGetBatchNormalizationBackwardExWorkspaceSize", *first)
        reserve = s.size(
            f"{key} reserve size", "cudnnGetBatchNormalizationTrainingExReserveSpaceSize", s.handle, mode, ops, act, d
        )
        if dims[1] == 64:
            continue
        n, p, k = count_of(dims), count_of(params), kind_of(dtype)
        x, zb, y, dy, dx, dz = (s.random_buffer(n, dtype, -2, 2) for _ in range(6))
        scale, bias, rm, rv, sm, sv, ds, db = (s.random_buffer(p, k, 0.5, 2) for _ in range(8))
        space, kept = s.space(max(forward, back)), s.space(reserve)
        first = (s.handle, mode, ops, s.scalar(1, dtype), s.scalar(0, dtype), d, x.address, z)
        second = (zb.address if z else None, d, y.address, pd, scale.address, bias.address, 0.5, rm.address)
        third = (rv.address, EPS, sm.address, sv.address, act, space, forward, kept, reserve)
        status = s.call(key, "cudnnBatchNormalizationForwardTrainingEx", *first, *second, *third)
        for name, buffer in {
            "y": y,
            "running mean": rm,
            "running variance": rv,
            "saved mean": sm,
            "saved inverse": sv,
        }.items():
            s.output(f"{key} {name}", status, buffer)
        if status:
            continue
        one, zero = s.scalar(1, dtype), s.scalar(0, dtype)
        first = (s.handle, mode, ops, one, zero, one, zero, d, x.address, d if ops else None)
        second = (y.address if ops else None, d, dy.address, z, dz.address if z else None, d, dx.address, pd)
        third = (scale.address, bias.address, ds.address, db.address, EPS, sm.address, sv.address, act, space)
        fourth = (back, kept, reserve)
        status = s.call(f"{key} backward", "cudnnBatchNormalizationBackwardEx", *first, *second, *third, *fourth)
        for name, buffer in {"dx": dx, "dscale": ds, "dbias": db}.items():
            s.output(f"{key} {name}", status, buffer)
        if z:
            s.output(f"{key} dz", status, dz)
        less_space(
            s,
            key,
            (mode, ops, dtype),
            (d, pd, z, act),
            (x, zb, y, scale, bias, rm, rv, sm, sv),
            (space, forward, kept, reserve),
        )


def less_space(
    s: Session,
    key: str,
    kind: tuple[int, int, int],
    descs: tuple[int, int, int | None, int | None],
    buffers: tuple[Any, ...],
    spaces: tuple[Any, ...],
) -> None:
    """The fused forward pass with a byte less of each space."""
    (mode, ops, dtype), (d, pd, z, act), (space, forward, kept, reserve) = kind, descs, spaces
    x, zb, y, scale, bias, rm, rv, sm, sv = (b.address for b in buffers)
    first = (s.handle, mode, ops, s.scalar(1, dtype), s.scalar(0, dtype), d, x, z, zb if z else None, d, y)
    second = (pd, scale, bias, 0.5, rm, rv, EPS, sm, sv, act)
    name = "cudnnBatchNormalizationForwardTrainingEx"
    if reserve:
        s.call(f"{key} less reserve", name, *first, *second, space, forward, kept, reserve - 1)
    if forward:
        s.call(f"{key} less space", name, *first, *second, space, forward - 1, kept, reserve)


SCENARIOS = [derive, inference, training, batch_norm_backward_edges, batch_norm_ex]
