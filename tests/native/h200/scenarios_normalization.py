"""cudnnNormalization…, LRN, divisive normalisation."""

import ctypes
import itertools
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, NAMES, NCHW, NHWC, Session

EPS = 1e-3


def normalization(s: Session) -> None:
    relu = s.activation(1)
    for mode, ops, algo, dtype, layout, groups in itertools.product(
        range(2), range(3), range(2), (FLOAT, HALF), (NCHW, NHWC), (1, 2)
    ):
        dims = (4, 8, 4, 5)
        key = f"mode {mode} ops {ops} algo {algo} {NAMES[dtype]} layout {layout} groups {groups}"
        d, sb, mv = s.tensor(dtype, dims, layout), s.create("Tensor"), s.create("Tensor")
        if s.call(f"{key} derive", "cudnnDeriveNormTensorDescriptor", sb, mv, d, mode, groups):
            continue
        for name, desc in {"sb": sb, "mv": mv}.items():
            got = [ctypes.c_int(77) for _ in range(2)], [(ctypes.c_int * 4)() for _ in range(2)]
            s.lib.cudnnGetTensorNdDescriptor(desc, 4, *map(ctypes.byref, got[0]), *got[1])
            s.put(f"{key} {name}", [[g.value for g in got[0]], [list(a) for a in got[1]]])
        z, act = d if ops == 2 else None, relu if ops else None
        forward = norm_size(
            s,
            f"{key} forward size",
            "cudnnGetNormalizationForwardTrainingWorkspaceSize",
            (s.handle, mode, ops, algo, d, z, d, sb, act, mv),
            groups,
        )
        back = norm_size(
            s,
            f"{key} backward size",
            "cudnnGetNormalizationBackwardWorkspaceSize",
            (s.handle, mode, ops, algo, d, d, d, z, d, sb, act, mv),
            groups,
        )
        reserve = norm_size(
            s,
            f"{key} reserve size",
            "cudnnGetNormalizationTrainingReserveSpaceSize",
            (s.handle, mode, ops, algo, act, d),
            groups,
        )
        x, zb, y, dy, dx, dz = (s.random_buffer(640, dtype, -2, 2) for _ in range(6))
        scale, bias, rm, rv, sm, sv, ds, db = (s.random_buffer(160, FLOAT, 0.5, 2) for _ in range(8))
        space, kept = s.space(max(forward, back)), s.space(reserve)
        one, zero = s.scalar(1), s.scalar(0)
        first = (s.handle, mode, ops, algo, one, zero, d, x.address, sb, scale.address, bias.address, mv)
        second = (rm.address, rv.address, z, zb.address if z else None, act, d, y.address, EPS, groups)
        status = s.call(f"{key} inference", "cudnnNormalizationForwardInference", *first, *second)
        s.output(f"{key} inference", status, y)
        first = (s.handle, mode, ops, algo, one, zero, d, x.address, sb, scale.address, bias.address, 0.5, mv)
        second = (rm.address, rv.address, EPS, sm.address, sv.address, act, z, zb.address if z else None, d)
        third = (y.address, space, forward, kept, reserve, groups)
        status = s.call(key, "cudnnNormalizationForwardTraining", *first, *second, *third)
        for name, buffer in {"y": y, "running mean": rm, "saved inverse": sv}.items():
            s.output(f"{key} {name}", status, buffer)
        if status:
            continue
        first = (s.handle, mode, ops, algo, one, zero, one, zero, d, x.address, d if ops else None)
        second = (y.address if ops else None, d, dy.address, z, dz.address if z else None, d, dx.address, sb)
        third = (scale.address, bias.address, ds.address, db.address, EPS, mv, sm.address, sv.address, act, space)
        fourth = (back, kept, reserve, groups)
        status = s.call(f"{key} backward", "cudnnNormalizationBackward", *first, *second, *third, *fourth)
        for name, buffer in {"dx": dx, "dscale": ds, "dbias": db}.items():
            s.output(f"{key} {name}", status, buffer)


def norm_size(s: Session, key: str, function: str, arguments: tuple[Any, ...], groups: int) -> int:
    size = ctypes.c_size_t(12345)
    status = s.call(f"{key} status", function, *arguments, ctypes.byref(size), groups)
    s.put(key, size.value)
    return size.value if status == 0 else 0


def lrn(s: Session) -> None:
    for n, dtype in itertools.product((1, 2, 3, 4, 5, 8, 16), (FLOAT, DOUBLE, HALF, BF16)):
        run_lrn(s, f"n {n} {NAMES[dtype]}", (n, 0.5, 0.75, 2.0), (dtype, (2, 7, 3, 4), NCHW))
    run_lrn(s, "nhwc", (5, 0.5, 0.75, 2.0), (FLOAT, (2, 7, 3, 4), NHWC))
    run_lrn(s, "strided", (5, 0.5, 0.75, 2.0), (FLOAT, (2, 3, 4, 5), (80, 25, 6, 1)))
    run_lrn(s, "beta 0.5", (5, 1.0, 0.5, 1.0), (FLOAT, (2, 7, 3, 4), NCHW))
    run_lrn(s, "rank 5", (5, 1.0, 0.5, 1.0), (FLOAT, (2, 7, 3, 4, 2), NCHW))
    run_lrn(s, "rank 3", (5, 1.0, 0.5, 1.0), (FLOAT, (2, 7, 3), NCHW))
    run_lrn(s, "int8", (5, 1.0, 0.5, 1.0), (INT8, (2, 7, 3, 4), NCHW))
    desc = s.create("LRN")
    got = ctypes.c_uint(9), ctypes.c_double(9), ctypes.c_double(9), ctypes.c_double(9)
    s.call("get fresh", "cudnnGetLRNDescriptor", desc, *map(ctypes.byref, got))
    s.put("fresh", [g.value for g in got])
    s.call("get nulls", "cudnnGetLRNDescriptor", desc, None, None, None, None)
    for arguments in (
        (0, 1.0, 0.75, 1.0),
        (1, 1.0, 0.75, 1.0),
        (16, 1.0, 0.75, 1.0),
        (17, 1.0, 0.75, 1.0),
        (5, -1.0, 0.75, 1.0),
        (5, 1.0, 0.01, 1.0),
        (5, 1.0, 0.009, 1.0),
        (5, 1.0, 0.75, 1e-5),
        (5, 1.0, 0.75, 9e-6),
        (5, 1.0, -1.0, 1.0),
    ):
        s.call(f"set {arguments}", "cudnnSetLRNDescriptor", desc, *arguments)
    s.lib.cudnnSetLRNDescriptor(desc, 5, 1.0, 0.75, 1.0)
    x, y = s.random_buffer(168), s.filled(168)
    d = s.tensor(FLOAT, (2, 7, 3, 4))
    good = [s.handle, desc, 0, s.scalar(1), d, x.address, s.scalar(0), d, y.address]
    for i in (0, 1, 3, 4, 5, 6, 7, 8):
        s.call(f"null {i}", "cudnnLRNCrossChannelForward", *[None if i == j else v for j, v in enumerate(good)])
    s.call("mode 1", "cudnnLRNCrossChannelForward", *[1 if j == 2 else v for j, v in enumerate(good)])
    for name, odd in {
        "nhwc": s.tensor(FLOAT, (2, 7, 3, 4), NHWC),
        "half": s.tensor(HALF, (2, 7, 3, 4)),
        "dims": s.tensor(FLOAT, (2, 7, 4, 3)),
    }.items():
        s.call(f"y {name}", "cudnnLRNCrossChannelForward", *[odd if j == 7 else v for j, v in enumerate(good)])
    good = [
        s.handle,
        desc,
        0,
        s.scalar(1),
        d,
        y.address,
        d,
        x.address,
        d,
        x.address,
        s.scalar(0),
        d,
        s.filled(168).address,
    ]
    for i in (0, 1, *range(3, 13)):
        s.call(
            f"backward null {i}", "cudnnLRNCrossChannelBackward", *[None if i == j else v for j, v in enumerate(good)]
        )


def run_lrn(s: Session, key: str, parameters: tuple[int, float, float, float], t: Any) -> None:
    desc, d, dtype = s.create("LRN"), s.tensor(*t), t[0]
    s.lib.cudnnSetLRNDescriptor(desc, *parameters)
    x, y, z = s.random_buffer(512, dtype, -3, 3), s.random_buffer(512, dtype), s.filled(512, dtype)
    first = (s.handle, desc, 0, s.scalar(2, dtype), d, x.address, s.scalar(0.5, dtype), d, y.address)
    status = s.call(key, "cudnnLRNCrossChannelForward", *first)
    s.output(key, status, y)
    if status:
        return
    s.lib.cudnnLRNCrossChannelForward(
        s.handle, desc, 0, s.scalar(1, dtype), d, x.address, s.scalar(0, dtype), d, z.address
    )
    dy, dx = s.random_buffer(512, dtype), s.random_buffer(512, dtype)
    first = (s.handle, desc, 0, s.scalar(2, dtype), d, z.address, d, dy.address, d, x.address)
    second = (s.scalar(0.5, dtype), d, dx.address)
    status = s.call(f"{key} backward", "cudnnLRNCrossChannelBackward", *first, *second)
    s.output(f"{key} backward", status, dx)


def divisive(s: Session) -> None:
    for n, dtype, means in itertools.product((3, 5), (FLOAT, DOUBLE, HALF), (True, False)):
        desc, dims = s.create("LRN"), (2, 3, 6, 5)
        s.lib.cudnnSetLRNDescriptor(desc, n, 0.5, 0.75, 2.0)
        x, m, y, dy, dx, dm, t1, t2 = (s.random_buffer(180, dtype) for _ in range(8))
        d = s.tensor(dtype, dims)
        key = f"n {n} {NAMES[dtype]} means {means}"
        first = (s.handle, desc, 0, s.scalar(2, dtype), d, x.address, m.address if means else None, t1.address)
        second = (t2.address, s.scalar(0.5, dtype), d, y.address)
        status = s.call(key, "cudnnDivisiveNormalizationForward", *first, *second)
        s.output(key, status, y)
        first = (s.handle, desc, 0, s.scalar(2, dtype), d, x.address, m.address if means else None, dy.address)
        second = (t1.address, t2.address, s.scalar(0.5, dtype), d, dx.address, dm.address if means else None)
        status = s.call(f"{key} backward", "cudnnDivisiveNormalizationBackward", *first, *second)
        s.output(f"{key} dx", status, dx)
        if means:
            s.output(f"{key} dmeans", status, dm)


SCENARIOS = [normalization, lrn, divisive]
