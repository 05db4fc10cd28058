"""Pooling: descriptors, output dimensions, forward, backward."""

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

from tests.native.h200.session import (
    BF16,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT8X4,
    INT32,
    NAMES,
    NCHW,
    NHWC,
    UINT8,
    Session,
    count_of,
)

X = (2, 3, 7, 6)
Ints = Sequence[int]


def pooling(s: Session, mode: int, window: Ints, pad: Ints, stride: Ints, propagate: int = 0) -> int:
    desc = s.create("Pooling")
    s.lib.cudnnSetPoolingNdDescriptor(desc, mode, propagate, len(window), s.ints(window), s.ints(pad), s.ints(stride))
    return desc


def out_dims(x: Ints, window: Ints, pad: Ints, stride: Ints) -> tuple[int, ...]:
    return (*x[:2], *(1 + (d + 2 * p - w) // t for d, w, p, t in zip(x[2:], window, pad, stride, strict=True)))


CONFIGS: dict[str, tuple[Ints, Ints, Ints]] = {
    "2x2": ((2, 2), (0, 0), (2, 2)),
    "3x3 pad 1": ((3, 3), (1, 1), (2, 2)),
    "3x2 pad 2,1": ((3, 2), (2, 1), (1, 2)),
    "global": ((7, 6), (0, 0), (1, 1)),
    "pad = window": ((2, 2), (2, 2), (1, 1)),
    "stride > window": ((1, 2), (0, 0), (3, 3)),
    "pad > window": ((2, 2), (3, 3), (2, 2)),
    "pad < 0": ((2, 2), (-1, -1), (1, 1)),
}


def run_forward(
    s: Session,
    key: str,
    desc: int,
    x: tuple[int, Ints, Any],
    y: tuple[int, Ints, Any],
    alpha: float = 2,
    beta: float = 0.5,
) -> None:
    xb, yb = (
        s.random_buffer(count_of(x[1]) * (4 if x[0] == INT8X4 else 1), x[0]),
        s.random_buffer(count_of(y[1]) * (4 if y[0] == INT8X4 else 1), y[0]),
    )
    first = (s.handle, desc, s.scalar(alpha, x[0]), s.tensor(*x), xb.address, s.scalar(beta, x[0]), s.tensor(*y))
    second = (yb.address,)
    status = s.call(key, "cudnnPoolingForward", *first, *second)
    s.output(key, status, yb)


def pooling_forward(s: Session) -> None:
    for (name, config), mode in itertools.product(CONFIGS.items(), range(4)):
        y = out_dims(X, *config)
        for dtype, layout in (
            ((FLOAT, NCHW), (FLOAT, NHWC))
            if name != "2x2"
            else itertools.product((FLOAT, DOUBLE, HALF, BF16, INT8, INT32, UINT8), (NCHW, NHWC))
        ):
            run_forward(
                s,
                f"{name} mode {mode} {NAMES[dtype]} layout {layout}",
                pooling(s, mode, *config),
                (dtype, X, layout),
                (dtype, y, layout),
            )
    two = pooling(s, 0, (2, 2), (0, 0), (2, 2))
    y = (2, 3, 3, 3)
    cases = {
        "mixed layouts": ((FLOAT, X, NCHW), (FLOAT, y, NHWC)),
        "float to half": ((FLOAT, X, NCHW), (HALF, y, NCHW)),
        "half to float": ((HALF, X, NCHW), (FLOAT, y, NCHW)),
        "y h": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 4, 3), NCHW)),
        "y h smaller": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 2, 3), NCHW)),
        "y c": ((FLOAT, X, NCHW), (FLOAT, (2, 4, 3, 3), NCHW)),
        "y n": ((FLOAT, X, NCHW), (FLOAT, (1, 3, 3, 3), NCHW)),
        "y rank": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 3, 3, 1), NCHW)),
        "x rank 3": ((FLOAT, (2, 3, 7), NCHW), (FLOAT, (2, 3, 3), NCHW)),
        "int8 to float": ((INT8, X, NHWC), (FLOAT, y, NHWC)),
        "strided x": ((FLOAT, X, (252, 84, 12, 2)), (FLOAT, y, NCHW)),
    }
    for key, (xs, ys) in cases.items():
        xb, yb = s.random_buffer(1000, xs[0]), s.random_buffer(300, ys[0])
        first = (s.handle, two, s.scalar(1), s.tensor(*xs), xb.address, s.scalar(0), s.tensor(*ys), yb.address)
        status = s.call(key, "cudnnPoolingForward", *first)
        s.output(key, status, yb)
    for mode in range(4):
        three = ((2, 2, 2), (0, 1, 0), (2, 1, 1))
        run_forward(
            s,
            f"3d mode {mode}",
            pooling(s, mode, *three),
            (FLOAT, (2, 2, 4, 3, 4), NCHW),
            (FLOAT, out_dims((2, 2, 4, 3, 4), *three), NCHW),
        )
        run_forward(
            s,
            f"3d nhwc mode {mode}",
            pooling(s, mode, *three),
            (FLOAT, (2, 2, 4, 3, 4), NHWC),
            (FLOAT, out_dims((2, 2, 4, 3, 4), *three), NHWC),
        )
        run_forward(
            s, f"1d mode {mode}", pooling(s, mode, (2,), (0,), (2,)), (FLOAT, (2, 2, 4), NCHW), (FLOAT, (2, 2, 2), NCHW)
        )
        four = ((2, 2, 2, 2), (0,) * 4, (1,) * 4)
        run_forward(
            s,
            f"4d mode {mode}",
            pooling(s, mode, *four),
            (FLOAT, (2, 2, 3, 3, 3, 3), NCHW),
            (FLOAT, (2, 2, 2, 2, 2, 2), NCHW),
        )
        int8 = pooling(s, mode, (2, 2), (0, 0), (2, 2))
        run_forward(s, f"int8x4 mode {mode}", int8, (INT8X4, (2, 8, 4, 4), 2), (INT8X4, (2, 8, 2, 2), 2), 1, 0)
        run_forward(s, f"int8 alpha 1 mode {mode}", int8, (INT8, (2, 8, 4, 4), NHWC), (INT8, (2, 8, 2, 2), NHWC), 1, 0)
    pooling_forward_edges(s, two, y)


def pooling_forward_edges(s: Session, two: int, y: Ints) -> None:
    nan = float("nan")
    x = s.upload([nan, 1, -2, 3, nan, -4, 0.5] * 36)
    low = s.filled(252, FLOAT, -float("inf"))
    for (name, source), mode, propagate in itertools.product((("nan", x), ("-inf", low)), range(4), (0, 1)):
        yb = s.filled(54)
        key = f"{name} mode {mode} propagate {propagate}"
        first = (s.handle, pooling(s, mode, (2, 2), (0, 0), (2, 2), propagate), s.scalar(1), s.tensor(FLOAT, X))
        second = (source.address, s.scalar(0), s.tensor(FLOAT, y), yb.address)
        status = s.call(key, "cudnnPoolingForward", *first, *second)
        s.output(key, status, yb)
    x, yb = s.random_buffer(252), s.filled(54)
    good = [s.handle, two, s.scalar(1), s.tensor(FLOAT, X), x.address, s.scalar(0), s.tensor(FLOAT, y), yb.address]
    for i in range(8):
        s.call(f"null {i}", "cudnnPoolingForward", *[None if i == j else v for j, v in enumerate(good)])
    s.call("unset pooling", "cudnnPoolingForward", s.handle, s.create("Pooling"), *good[2:])
    s.call("big window", "cudnnPoolingForward", s.handle, pooling(s, 0, (300, 300), (150, 150), (1, 1)), *good[2:])


def pooling_backward(s: Session) -> None:
    for (name, config), mode in itertools.product(CONFIGS.items(), range(4)):
        for dtype, layout in (
            ((FLOAT, NCHW), (FLOAT, NHWC))
            if name != "3x3 pad 1"
            else itertools.product((FLOAT, DOUBLE, HALF, BF16, INT8), (NCHW, NHWC))
        ):
            backward(s, f"{name} mode {mode} {NAMES[dtype]} layout {layout}", mode, config, dtype, layout, X)
    for mode in range(4):
        backward(s, f"3d mode {mode}", mode, ((2, 2, 2), (0, 1, 0), (2, 1, 1)), FLOAT, NCHW, (2, 2, 4, 3, 4))
        backward(s, f"ties mode {mode}", mode, CONFIGS["3x3 pad 1"], FLOAT, NCHW, X, ties=True)
    two = pooling(s, 3, (2, 2), (0, 0), (2, 2))
    y, dx = s.random_buffer(54), s.random_buffer(252)
    yd, xd = s.tensor(FLOAT, (2, 3, 3, 3)), s.tensor(FLOAT, X)
    good = [
        s.handle,
        two,
        s.scalar(1),
        yd,
        y.address,
        yd,
        y.address,
        xd,
        s.random_buffer(252).address,
        s.scalar(0),
        xd,
        dx.address,
    ]
    for i in range(12):
        s.call(f"null {i}", "cudnnPoolingBackward", *[None if i == j else v for j, v in enumerate(good)])
    for i, (name, layout) in itertools.product((3, 5, 7, 10), (("nhwc", NHWC), ("half", NCHW))):
        odd = s.tensor(HALF if name == "half" else FLOAT, (2, 3, 3, 3) if i < 6 else X, layout)
        s.call(f"{name} at {i}", "cudnnPoolingBackward", *[odd if i == j else v for j, v in enumerate(good)])
    for i, dims in ((3, (2, 3, 4, 3)), (5, (2, 3, 4, 3)), (7, (2, 3, 8, 6)), (10, (2, 3, 8, 6))):
        odd = s.tensor(FLOAT, dims)
        s.call(f"dims at {i}", "cudnnPoolingBackward", *[odd if i == j else v for j, v in enumerate(good)])


def backward(
    s: Session,
    key: str,
    mode: int,
    config: tuple[Ints, Ints, Ints],
    dtype: int,
    layout: int,
    dims: Ints,
    ties: bool = False,
) -> None:
    desc, out = pooling(s, mode, *config), out_dims(dims, *config)
    xd, yd = s.tensor(dtype, dims, layout), s.tensor(dtype, out, layout)
    x = (
        s.upload([float(v % 2) for v in range(count_of(dims))], dtype)
        if ties
        else s.random_buffer(count_of(dims), dtype)
    )
    y, dy, dx = (
        s.filled(count_of(out), dtype),
        s.random_buffer(count_of(out), dtype),
        s.random_buffer(count_of(dims), dtype),
    )
    s.lib.cudnnPoolingForward(s.handle, desc, s.scalar(1, dtype), xd, x.address, s.scalar(0, dtype), yd, y.address)
    first = (s.handle, desc, s.scalar(2, dtype), yd, y.address, yd, dy.address, xd, x.address)
    second = (s.scalar(0.5, dtype), xd, dx.address)
    status = s.call(key, "cudnnPoolingBackward", *first, *second)
    s.output(key, status, dx)


def pooling_descriptor(s: Session) -> None:
    for key, arguments in {
        "good": (0, 0, 2, 3, 1, 0, 2, 1),
        "mode 4": (4, 0, 2, 2, 0, 0, 1, 1),
        "mode -1": (-1, 0, 2, 2, 0, 0, 1, 1),
        "nan 2": (0, 2, 2, 2, 0, 0, 1, 1),
        "window 0": (0, 0, 0, 2, 0, 0, 1, 1),
        "stride 0": (0, 0, 2, 2, 0, 0, 0, 1),
        "pad -1": (0, 0, 2, 2, -1, -1, 1, 1),
        "pad 9": (1, 1, 2, 2, 9, 9, 1, 1),
    }.items():
        desc = s.create("Pooling")
        s.call(f"{key} set", "cudnnSetPooling2dDescriptor", desc, *arguments)
        out = [ctypes.c_int(77) for _ in range(8)]
        s.call(f"{key} get", "cudnnGetPooling2dDescriptor", desc, *map(ctypes.byref, out))
        s.put(f"{key} got", [o.value for o in out])
        dims = [ctypes.c_int(77) for _ in range(4)]
        s.call(f"{key} out", "cudnnGetPooling2dForwardOutputDim", desc, s.tensor(FLOAT, X), *map(ctypes.byref, dims))
        s.put(f"{key} out got", [d.value for d in dims])
    for count in (-1, 0, 1, 2, 3, 6, 7, 8, 9):
        desc = s.create("Pooling")
        ones = s.ints([2] * 9)
        s.call(f"nd {count} set", "cudnnSetPoolingNdDescriptor", desc, 0, 0, count, ones, s.ints([0] * 9), ones)
        head, arrays = [ctypes.c_int(77) for _ in range(3)], [(ctypes.c_int * 9)(*[77] * 9) for _ in range(3)]
        s.call(f"nd {count} get", "cudnnGetPoolingNdDescriptor", desc, 4, *map(ctypes.byref, head), *arrays)
        s.put(f"nd {count} got", [[h.value for h in head], [list(a) for a in arrays]])
        for rank in (3, 4, 5):
            out = (ctypes.c_int * 9)(*[77] * 9)
            s.call(
                f"nd {count} out {rank}",
                "cudnnGetPoolingNdForwardOutputDim",
                desc,
                s.tensor(FLOAT, (2, 3, 8, 8, 8)[:rank]),
                rank,
                out,
            )
            s.put(f"nd {count} out {rank} got", list(out))
            out4 = [ctypes.c_int(77) for _ in range(4)]
            s.call(
                f"nd {count} out2d {rank}",
                "cudnnGetPooling2dForwardOutputDim",
                desc,
                s.tensor(FLOAT, (2, 3, 8, 8, 8)[:rank]),
                *map(ctypes.byref, out4),
            )
            s.put(f"nd {count} out2d {rank} got", [o.value for o in out4])
        two = [ctypes.c_int(77) for _ in range(8)]
        s.call(f"nd {count} get2d", "cudnnGetPooling2dDescriptor", desc, *map(ctypes.byref, two))
        s.put(f"nd {count} got2d", [t.value for t in two])
    desc = pooling(s, 0, (9, 9), (0, 0), (1, 1))
    out = (ctypes.c_int * 9)(*[77] * 9)
    s.call("does not fit", "cudnnGetPoolingNdForwardOutputDim", desc, s.tensor(FLOAT, X), 4, out)
    s.put("does not fit got", list(out))
    s.call(
        "rank differs",
        "cudnnGetPoolingNdForwardOutputDim",
        pooling(s, 0, (2, 2), (0, 0), (1, 1)),
        s.tensor(FLOAT, X),
        5,
        out,
    )
    s.call("null pooling", "cudnnGetPoolingNdForwardOutputDim", None, s.tensor(FLOAT, X), 4, out)
    s.call("null tensor", "cudnnGetPoolingNdForwardOutputDim", desc, None, 4, out)
    s.call(
        "null out",
        "cudnnGetPoolingNdForwardOutputDim",
        pooling(s, 0, (2, 2), (0, 0), (1, 1)),
        s.tensor(FLOAT, X),
        4,
        None,
    )
    s.call("nd null window", "cudnnSetPoolingNdDescriptor", desc, 0, 0, 2, None, s.ints([0, 0]), s.ints([1, 1]))
    s.call("nd null pad", "cudnnSetPoolingNdDescriptor", desc, 0, 0, 2, s.ints([1, 1]), None, s.ints([1, 1]))


SCENARIOS = [pooling_forward, pooling_backward, pooling_descriptor]
