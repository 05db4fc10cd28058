"""ConvolutionBiasActivationForward and the backward convolutions: results, statuses, algorithm lists, workspaces."""

import ctypes
import itertools
from dataclasses import dataclass, replace
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, INT32, NAMES, NCHW, NHWC, Session, count_of


class Perf(ctypes.Structure):
    _fields_ = [
        ("algo", ctypes.c_int),
        ("status", ctypes.c_int),
        ("time", ctypes.c_float),
        ("memory", ctypes.c_size_t),
        ("determinism", ctypes.c_int),
        ("math", ctypes.c_int),
        ("reserved", ctypes.c_int * 3),
    ]


@dataclass(frozen=True)
class Config:
    """A 2-D (or Nd) convolution problem."""

    x: tuple[int, ...] = (2, 4, 8, 7)
    k: int = 6
    window: tuple[int, ...] = (3, 3)
    pad: int = 1
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    dtype: int = FLOAT
    compute: int = FLOAT
    math: int = 0
    mode: int = 1
    layout: int = NCHW
    wlayout: int | None = None
    ylayout: int | None = None
    ydtype: int | None = None

    @property
    def w(self) -> tuple[int, ...]:
        return (self.k, self.x[1] // self.groups, *self.window)

    @property
    def y(self) -> tuple[int, ...]:
        out = (
            (d + 2 * self.pad - ((w - 1) * self.dilation + 1)) // self.stride + 1
            for d, w in zip(self.x[2:], self.window, strict=True)
        )
        return (self.x[0], self.k, *out)


BASE = Config()
CONFIGS = {
    "3x3": BASE,
    "5x5": replace(BASE, window=(5, 5), pad=2),
    "1x1": replace(BASE, window=(1, 1), pad=0),
    "3x3 s2": replace(BASE, stride=2),
    "7x7 s2": replace(BASE, x=(2, 3, 23, 21), window=(7, 7), pad=3, stride=2),
    "dilation": replace(BASE, dilation=2),
    "groups": replace(BASE, groups=2),
    "depthwise": replace(BASE, groups=4, k=8),
    "flipped": replace(BASE, mode=0),
    "nhwc": replace(BASE, layout=NHWC),
    "x nchw w nhwc": replace(BASE, wlayout=NHWC),
    "y nhwc": replace(BASE, ylayout=NHWC),
    "f16": replace(BASE, dtype=HALF),
    "f16 nhwc": replace(BASE, dtype=HALF, layout=NHWC, x=(2, 8, 8, 7), k=8),
    "f16 nhwc tensor op": replace(BASE, dtype=HALF, layout=NHWC, x=(2, 8, 8, 7), k=8, math=1),
    "f16 tensor op": replace(BASE, dtype=HALF, x=(2, 8, 8, 7), k=8, math=1),
    "f16 compute f16": replace(BASE, dtype=HALF, compute=HALF),
    "bf16": replace(BASE, dtype=BF16),
    "bf16 nhwc": replace(BASE, dtype=BF16, layout=NHWC),
    "f64": replace(BASE, dtype=DOUBLE, compute=DOUBLE),
    "f64 compute f32": replace(BASE, dtype=DOUBLE),
    "fma": replace(BASE, math=3),
    "conversion": replace(BASE, math=2),
    "int8": replace(BASE, dtype=INT8, compute=INT32, layout=NHWC, k=8),
    "3d": replace(BASE, x=(2, 3, 5, 4, 6), window=(3, 3, 3)),
    "pad 3": replace(BASE, pad=3),
    "3x5": replace(BASE, window=(3, 5), pad=1),
    "larger": replace(BASE, x=(4, 16, 28, 28), k=32),
    "no pad": replace(BASE, pad=0),
    "1d": replace(BASE, x=(2, 4, 9), window=(3,)),
    "dilation nhwc": replace(BASE, layout=NHWC, dilation=2),
    "s2 nhwc f16": replace(BASE, dtype=HALF, layout=NHWC, stride=2, x=(2, 8, 8, 8), k=8),
}


@dataclass
class Problem:
    """The descriptors of a config."""

    s: Session
    c: Config

    def __post_init__(self) -> None:
        s, c = self.s, self.c
        self.ytype = c.dtype if c.ydtype is None else c.ydtype
        self.x = s.tensor(c.dtype, c.x, c.layout)
        self.w = s.filter(c.dtype, c.w, c.layout if c.wlayout is None else c.wlayout)
        self.y = s.tensor(self.ytype, c.y, c.layout if c.ylayout is None else c.ylayout)
        self.conv = s.create("Convolution")
        n = len(c.window)
        s.lib.cudnnSetConvolutionNdDescriptor(
            self.conv, n, s.ints([c.pad] * n), s.ints([c.stride] * n), s.ints([c.dilation] * n), c.mode, c.compute
        )
        s.lib.cudnnSetConvolutionGroupCount(self.conv, c.groups)
        s.lib.cudnnSetConvolutionMathType(self.conv, c.math)


def perf_list(
    s: Session, key: str, function: str, *arguments: Any, tail: tuple[Any, ...] = (), requested: int = 12
) -> None:
    perfs, count = (Perf * 12)(), ctypes.c_int(-7)
    s.call(key, function, *arguments, requested, ctypes.byref(count), perfs, *tail)
    s.put(
        f"{key} list",
        [[p.algo, p.status, p.memory, p.determinism, p.math] for p in perfs[: max(0, min(12, count.value))]],
    )
    s.put(f"{key} timed", all((p.time >= 0) == (p.status == 0) for p in perfs[: max(0, min(12, count.value))]))


def backward_data(s: Session) -> None:
    for name, c in CONFIGS.items():
        p = Problem(s, c)
        w, dy = s.random_buffer(count_of(c.w), c.dtype), s.random_buffer(count_of(c.y), c.dtype)
        for algo in range(7):
            dx = s.random_buffer(count_of(c.x), c.dtype)
            key = f"{name} algo {algo}"
            need = s.size(
                f"{key} size", "cudnnGetConvolutionBackwardDataWorkspaceSize", s.handle, p.w, p.y, p.conv, p.x, algo
            )
            head = (s.handle, s.scalar(2, c.dtype), p.w, w.address, p.y, dy.address, p.conv, algo)
            tail = (s.scalar(0.5, c.dtype), p.x, dx.address)
            if need:
                first = (*head, None, 0, s.scalar(0), p.x, s.filled(count_of(c.x), c.dtype).address)
                s.call(f"{key} no space", "cudnnConvolutionBackwardData", *first)
                first = (*head, s.space(need), need - 1, s.scalar(0), p.x)
                second = (s.filled(count_of(c.x), c.dtype).address,)
                s.call(f"{key} less space", "cudnnConvolutionBackwardData", *first, *second)
            status = s.call(key, "cudnnConvolutionBackwardData", *head, s.space(need), need, *tail)
            s.output(key, status, dx)
        if name in ("1x1", "3x3 s2", "7x7 s2", "3x5", "no pad", "pad 3"):
            continue
        perf_list(s, f"{name} get", "cudnnGetConvolutionBackwardDataAlgorithm_v7", s.handle, p.w, p.y, p.conv, p.x)
        if c.dtype != INT8:
            perf_list(s, f"{name} find", "cudnnFindConvolutionBackwardDataAlgorithm", s.handle, p.w, p.y, p.conv, p.x)


def backward_data_edges(s: Session) -> None:
    p, c = Problem(s, BASE), BASE
    w, dy, dx = s.random_buffer(count_of(c.w)), s.random_buffer(count_of(c.y)), s.random_buffer(count_of(c.x))
    count = ctypes.c_int(-7)
    s.call("max count", "cudnnGetConvolutionBackwardDataAlgorithmMaxCount", s.handle, ctypes.byref(count))
    s.put("max count got", count.value)
    good = [s.handle, s.scalar(1), p.w, w.address, p.y, dy.address, p.conv, 1, None, 0, s.scalar(0), p.x, dx.address]
    for i in (0, 1, 2, 3, 4, 5, 6, 10, 11, 12):
        s.call(f"null {i}", "cudnnConvolutionBackwardData", *[None if i == j else v for j, v in enumerate(good)])
    for name, odd in {
        "dy w": (4, s.tensor(FLOAT, (2, 6, 8, 6))),
        "dy c": (4, s.tensor(FLOAT, (2, 5, 8, 7))),
        "dy n": (4, s.tensor(FLOAT, (1, 6, 8, 7))),
        "x c": (11, s.tensor(FLOAT, (2, 3, 8, 7))),
        "half dy": (4, s.tensor(HALF, c.y)),
        "half dx": (11, s.tensor(HALF, c.x)),
    }.items():
        arguments = [odd[1] if odd[0] == j else v for j, v in enumerate(good)]
        s.call(f"{name} run", "cudnnConvolutionBackwardData", *arguments)
        first = (s.handle, p.w, arguments[4], p.conv, arguments[11], 1)
        s.size(f"{name} size", "cudnnGetConvolutionBackwardDataWorkspaceSize", *first)
        first = (s, f"{name} get", "cudnnGetConvolutionBackwardDataAlgorithm_v7", s.handle, p.w, arguments[4])
        second = (p.conv, arguments[11])
        perf_list(*first, *second)
        first = (s, f"{name} find", "cudnnFindConvolutionBackwardDataAlgorithm", s.handle, p.w, arguments[4])
        second = (p.conv, arguments[11])
        perf_list(*first, *second)
    for requested in (-1, 0, 1, 3):
        perf_list(
            s,
            f"get {requested}",
            "cudnnGetConvolutionBackwardDataAlgorithm_v7",
            s.handle,
            p.w,
            p.y,
            p.conv,
            p.x,
            requested=requested,
        )
        perf_list(
            s,
            f"find {requested}",
            "cudnnFindConvolutionBackwardDataAlgorithm",
            s.handle,
            p.w,
            p.y,
            p.conv,
            p.x,
            requested=requested,
        )
    for size in (0, 64):
        given = (p.x, dx.address, p.w, w.address, p.conv, p.y, dy.address)
        name = f"forward findex {size}"
        perf_list(s, name, "cudnnFindConvolutionForwardAlgorithmEx", s.handle, *given, tail=(s.space(size), size))
    for size in (0, 1000, 1 << 20):
        dx = s.filled(count_of(c.x))
        perf_list(
            s,
            f"findex {size}",
            "cudnnFindConvolutionBackwardDataAlgorithmEx",
            s.handle,
            p.w,
            w.address,
            p.y,
            dy.address,
            p.conv,
            p.x,
            dx.address,
            tail=(s.space(size), size),
        )
        s.output(f"findex {size} dx", 0, dx)
    s.call("size null", "cudnnGetConvolutionBackwardDataWorkspaceSize", s.handle, p.w, p.y, p.conv, p.x, 1, None)


def backward_filter(s: Session) -> None:
    for name, c in CONFIGS.items():
        p = Problem(s, c)
        x, dy = s.random_buffer(count_of(c.x), c.dtype), s.random_buffer(count_of(c.y), c.dtype)
        for algo in range(8):
            dw = s.random_buffer(count_of(c.w), c.dtype)
            key = f"{name} algo {algo}"
            need = s.size(
                f"{key} size", "cudnnGetConvolutionBackwardFilterWorkspaceSize", s.handle, p.x, p.y, p.conv, p.w, algo
            )
            head = (s.handle, s.scalar(2, c.dtype), p.x, x.address, p.y, dy.address, p.conv, algo)
            if need:
                first = (*head, None, 0, s.scalar(0), p.w, s.filled(count_of(c.w), c.dtype).address)
                s.call(f"{key} no space", "cudnnConvolutionBackwardFilter", *first)
                first = (*head, s.space(need), need - 1, s.scalar(0), p.w)
                second = (s.filled(count_of(c.w), c.dtype).address,)
                s.call(f"{key} less space", "cudnnConvolutionBackwardFilter", *first, *second)
            first = (*head, s.space(need), need, s.scalar(0.5, c.dtype), p.w, dw.address)
            status = s.call(key, "cudnnConvolutionBackwardFilter", *first)
            s.output(key, status, dw)
        if name in ("1x1", "3x3 s2", "7x7 s2", "3x5", "no pad", "pad 3"):
            continue
        perf_list(s, f"{name} get", "cudnnGetConvolutionBackwardFilterAlgorithm_v7", s.handle, p.x, p.y, p.conv, p.w)
        if c.dtype != INT8:
            perf_list(s, f"{name} find", "cudnnFindConvolutionBackwardFilterAlgorithm", s.handle, p.x, p.y, p.conv, p.w)


def backward_filter_edges(s: Session) -> None:
    p, c = Problem(s, BASE), BASE
    x, dy, dw = s.random_buffer(count_of(c.x)), s.random_buffer(count_of(c.y)), s.random_buffer(count_of(c.w))
    count = ctypes.c_int(-7)
    s.call("max count", "cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", s.handle, ctypes.byref(count))
    s.put("max count got", count.value)
    good = [s.handle, s.scalar(1), p.x, x.address, p.y, dy.address, p.conv, 0, None, 0, s.scalar(0), p.w, dw.address]
    for i in (0, 1, 2, 3, 4, 5, 6, 10, 11, 12):
        s.call(f"null {i}", "cudnnConvolutionBackwardFilter", *[None if i == j else v for j, v in enumerate(good)])
    for name, odd in {
        "dy w": (4, s.tensor(FLOAT, (2, 6, 8, 6))),
        "dy c": (4, s.tensor(FLOAT, (2, 5, 8, 7))),
        "w c": (11, s.filter(FLOAT, (6, 3, 3, 3))),
        "half dy": (4, s.tensor(HALF, c.y)),
        "half dw": (11, s.filter(HALF, c.w)),
    }.items():
        arguments = [odd[1] if odd[0] == j else v for j, v in enumerate(good)]
        s.call(f"{name} run", "cudnnConvolutionBackwardFilter", *arguments)
        first = (s.handle, p.x, arguments[4], p.conv, arguments[11], 1)
        s.size(f"{name} size", "cudnnGetConvolutionBackwardFilterWorkspaceSize", *first)
        first = (s, f"{name} get", "cudnnGetConvolutionBackwardFilterAlgorithm_v7", s.handle, p.x, arguments[4])
        second = (p.conv, arguments[11])
        perf_list(*first, *second)
        first = (s, f"{name} find", "cudnnFindConvolutionBackwardFilterAlgorithm", s.handle, p.x, arguments[4])
        second = (p.conv, arguments[11])
        perf_list(*first, *second)
    for size in (0, 1000, 1 << 20):
        dw = s.filled(count_of(c.w))
        perf_list(
            s,
            f"findex {size}",
            "cudnnFindConvolutionBackwardFilterAlgorithmEx",
            s.handle,
            p.x,
            x.address,
            p.y,
            dy.address,
            p.conv,
            p.w,
            dw.address,
            tail=(s.space(size), size),
        )
        s.output(f"findex {size} dw", 0, dw)


def backward_bias(s: Session) -> None:
    dims = {"4d": (2, 3, 4, 5), "5d": (2, 3, 4, 5, 2), "3d": (2, 3, 4)}
    for (name, y), (dtype, btype), layout in itertools.product(
        dims.items(),
        ((FLOAT, FLOAT), (DOUBLE, DOUBLE), (HALF, HALF), (BF16, BF16), (HALF, FLOAT), (INT8, INT8), (INT8, FLOAT)),
        (NCHW, NHWC),
    ):
        dy, db = s.random_buffer(count_of(y), dtype), s.random_buffer(3, btype)
        key = f"{name} {NAMES[dtype]} {NAMES[btype]} layout {layout}"
        first = (s.handle, s.scalar(2, dtype), s.tensor(dtype, y, layout), dy.address, s.scalar(0.5, dtype))
        second = (s.tensor(btype, (1, 3, *[1] * (len(y) - 2))), db.address)
        status = s.call(key, "cudnnConvolutionBackwardBias", *first, *second)
        s.output(key, status, db)
    dy, db = s.random_buffer(120), s.random_buffer(120)
    yd, bd = s.tensor(FLOAT, dims["4d"]), s.tensor(FLOAT, (1, 3, 1, 1))
    good = [s.handle, s.scalar(1), yd, dy.address, s.scalar(0), bd, db.address]
    for i in range(7):
        s.call(f"null {i}", "cudnnConvolutionBackwardBias", *[None if i == j else v for j, v in enumerate(good)])
    for shape in ((1, 2, 1, 1), (2, 3, 1, 1), (1, 3, 4, 5), (1, 1, 1, 1), (1, 3, 1), (3, 1, 1, 1), (1, 3, 1, 5)):
        s.call(f"bias {shape}", "cudnnConvolutionBackwardBias", *good[:5], s.tensor(FLOAT, shape), db.address)


SCENARIOS = [backward_data, backward_data_edges, backward_filter, backward_filter_edges, backward_bias]
