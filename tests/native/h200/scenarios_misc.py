"""Tensor transforms, TransformFilter, Im2Col, filter reordering, spatial transformer."""

import ctypes
import itertools

from tests.native.h200.session import DOUBLE, FLOAT, HALF, INT8, INT8X4, INT32, NAMES, NCHW, NHWC, Session

X = (2, 6, 4, 5)


def transform_desc(
    s: Session,
    key: str,
    nb: int,
    fmt: int,
    before: list[int] | None,
    after: list[int] | None,
    fold: list[int] | None,
    direction: int,
) -> int:
    desc = s.create("TensorTransform")
    s.call(
        f"{key} set",
        "cudnnSetTensorTransformDescriptor",
        desc,
        nb,
        fmt,
        *(s.ints(v) if v is not None else None for v in (before, after, fold)),
        direction,
    )
    return desc


def transforms(s: Session) -> None:
    cases = {
        "plain": (4, NHWC, None, None, None, 0),
        "pad": (4, NCHW, [0, 1, 1, 0], [0, 0, 2, 1], None, 0),
        "pad nhwc": (4, NHWC, [0, 0, 1, 1], [0, 0, 1, 1], None, 0),
        "crop": (4, NCHW, [0, 0, -1, 0], [0, 0, 0, -1], None, 0),
        "fold": (4, NCHW, None, None, [2, 1], 0),
        "fold both": (4, NCHW, None, None, [2, 5], 0),
        "unfold": (4, NCHW, None, None, [1, 2], 1),
        "fold and pad": (4, NCHW, [0, 0, 0, 1], [0, 0, 0, 0], [2, 2], 0),
        "fold 3": (4, NCHW, None, None, [3, 1], 0),
        "fold 0": (4, NCHW, None, None, [0, 1], 0),
        "rank 3": (3, NCHW, None, None, None, 0),
        "rank 5": (5, NCHW, None, None, None, 0),
        "rank 2": (2, NCHW, None, None, None, 0),
        "rank 9": (9, NCHW, None, None, None, 0),
        "format 2": (4, 2, None, None, None, 0),
        "format 9": (4, 9, None, None, None, 0),
        "direction 2": (4, NCHW, None, None, None, 2),
    }
    for key, arguments in cases.items():
        desc = transform_desc(s, key, *arguments)
        src, dst, size = s.tensor(FLOAT, X), s.create("Tensor"), ctypes.c_size_t(12345)
        status = s.call(f"{key} init", "cudnnInitTransformDest", desc, src, dst, ctypes.byref(size))
        got = [ctypes.c_int(77) for _ in range(2)], [(ctypes.c_int * 5)() for _ in range(2)]
        s.lib.cudnnGetTensorNdDescriptor(dst, 5, *map(ctypes.byref, got[0]), *got[1])
        s.put(f"{key} dest", [size.value, [g.value for g in got[0]], [list(a) for a in got[1]]])
        if status:
            continue
        x, y = s.random_buffer(240), s.random_buffer(size.value // 4)
        status = s.call(
            key, "cudnnTransformTensorEx", s.handle, desc, s.scalar(2), src, x.address, s.scalar(0.5), dst, y.address
        )
        s.output(key, status, y)
        fmt, fold = ctypes.c_int(77), [(ctypes.c_int * 5)(*[77] * 5) for _ in range(3)]
        direction = ctypes.c_int(77)
        s.call(
            f"{key} get",
            "cudnnGetTensorTransformDescriptor",
            desc,
            4,
            ctypes.byref(fmt),
            *fold,
            ctypes.byref(direction),
        )
        s.put(f"{key} got", [fmt.value, [list(f) for f in fold], direction.value])


def transform_filter(s: Session) -> None:
    for dtype, (source, target) in itertools.product(
        (FLOAT, HALF, DOUBLE, INT8), ((NCHW, NHWC), (NHWC, NCHW), (NCHW, NCHW))
    ):
        desc = transform_desc(s, f"{NAMES[dtype]} {source} {target}", 4, target, None, None, None, 0)
        a, b = s.random_buffer(360, dtype), s.random_buffer(360, dtype)
        key = f"{NAMES[dtype]} {source} to {target}"
        first = (s.handle, desc, s.scalar(2, dtype), s.filter(dtype, (6, 5, 4, 3), source), a.address)
        second = (s.scalar(0.5, dtype), s.filter(dtype, (6, 5, 4, 3), target), b.address)
        status = s.call(key, "cudnnTransformFilter", *first, *second)
        s.output(key, status, b)


def im2col(s: Session) -> None:
    for name, (dtype, window, pad, stride, dilation, layout, mode) in {
        "plain": (FLOAT, 3, 1, 1, 1, NCHW, 1),
        "stride": (FLOAT, 3, 0, 2, 1, NCHW, 1),
        "dilation": (FLOAT, 2, 1, 1, 2, NCHW, 1),
        "flipped": (FLOAT, 3, 1, 1, 1, NCHW, 0),
        "nhwc": (FLOAT, 3, 1, 1, 1, NHWC, 1),
        "half": (HALF, 3, 1, 1, 1, NCHW, 1),
        "double": (DOUBLE, 3, 1, 1, 1, NCHW, 1),
        "int8": (INT8, 3, 1, 1, 1, NCHW, 1),
    }.items():
        conv = s.create("Convolution")
        first = (conv, pad, pad, stride, stride, dilation, dilation, mode)
        second = (DOUBLE if dtype == DOUBLE else INT32 if dtype == INT8 else FLOAT,)
        s.lib.cudnnSetConvolution2dDescriptor(*first, *second)
        x = s.random_buffer(60, dtype)
        column = s.filled(2 * 3 * window * window * 30, dtype, 7)
        first = (s.handle, s.tensor(dtype, (2, 2, 3, 5), layout), x.address)
        second = (s.filter(dtype, (4, 2, window, window), layout), conv, column.address)
        status = s.call(name, "cudnnIm2Col", *first, *second)
        s.output(name, status, column)


def reorder(s: Session) -> None:
    for kind in (0, 1):
        f, r = s.random_buffer(32 * 32 * 4, INT8), s.filled(32 * 32 * 4, INT8, 0)
        b, rb = s.random_buffer(32), s.filled(32, FLOAT, 0)
        desc = s.filter(8, (32, 32, 2, 2), 2)
        first = (s.handle, desc, kind, f.address, r.address, 1, b.address, rb.address)
        status = s.call(f"kind {kind}", "cudnnReorderFilterAndBias", *first)
        s.output(f"kind {kind} bias", status, rb)
    first = (s.handle, s.filter(FLOAT, (32, 32, 2, 2)), 0, f.address, r.address, 1, b.address, rb.address)
    s.call("float", "cudnnReorderFilterAndBias", *first)
    first = (s.handle, s.filter(INT8X4, (32, 32, 2, 2), 2), 0, f.address, r.address, 1, b.address, rb.address)
    s.call("int8x4", "cudnnReorderFilterAndBias", *first)


def spatial(s: Session) -> None:
    for dtype in (FLOAT, DOUBLE, HALF):
        desc, dims = s.create("SpatialTransformer"), (2, 3, 4, 5)
        s.call(f"set {NAMES[dtype]}", "cudnnSetSpatialTransformerNdDescriptor", desc, 0, dtype, 4, s.ints(dims))
        theta, grid = s.upload([1, 0.2, 0.1, -0.1, 0.9, 0.3, 0.7, 0, 0, 0.1, 1.4, -0.2], dtype), s.filled(80, dtype)
        key = f"grid {NAMES[dtype]}"
        s.output(
            key, s.call(key, "cudnnSpatialTfGridGeneratorForward", s.handle, desc, theta.address, grid.address), grid
        )
        x, y = s.random_buffer(2 * 3 * 6 * 7, dtype), s.random_buffer(120, dtype)
        xd, yd = s.tensor(dtype, (2, 3, 6, 7)), s.tensor(dtype, dims)
        key = f"sample {NAMES[dtype]}"
        s.output(
            key,
            s.call(
                key,
                "cudnnSpatialTfSamplerForward",
                s.handle,
                desc,
                s.scalar(2, dtype),
                xd,
                x.address,
                grid.address,
                s.scalar(0.5, dtype),
                yd,
                y.address,
            ),
            y,
        )
        dtheta, dgrid, dx, dy = (
            s.filled(12, dtype),
            s.random_buffer(80, dtype),
            s.random_buffer(252, dtype),
            s.random_buffer(120, dtype),
        )
        key = f"sample backward {NAMES[dtype]}"
        first = (s.handle, desc, s.scalar(2, dtype), xd, x.address, s.scalar(0.5, dtype), xd, dx.address)
        second = (s.scalar(2, dtype), yd, dy.address, grid.address, s.scalar(0.5, dtype), dgrid.address)
        status = s.call(key, "cudnnSpatialTfSamplerBackward", *first, *second)
        s.output(f"{key} dx", status, dx)
        s.output(f"{key} dgrid", status, dgrid)
        key = f"grid backward {NAMES[dtype]}"
        s.output(
            key,
            s.call(key, "cudnnSpatialTfGridGeneratorBackward", s.handle, desc, dgrid.address, dtheta.address),
            dtheta,
        )
    spatial_descriptor(s)


def spatial_descriptor(s: Session) -> None:
    for nb in (2, 3, 4, 5):
        s.call(
            f"set rank {nb}",
            "cudnnSetSpatialTransformerNdDescriptor",
            s.create("SpatialTransformer"),
            0,
            FLOAT,
            nb,
            s.ints((2, 3, 4, 5, 6)[:nb]),
        )
    s.call(
        "set sampler 1",
        "cudnnSetSpatialTransformerNdDescriptor",
        s.create("SpatialTransformer"),
        1,
        FLOAT,
        4,
        s.ints((2, 3, 4, 5)),
    )
    s.call(
        "set int8",
        "cudnnSetSpatialTransformerNdDescriptor",
        s.create("SpatialTransformer"),
        0,
        INT8,
        4,
        s.ints((2, 3, 4, 5)),
    )
    s.call(
        "set dim 0",
        "cudnnSetSpatialTransformerNdDescriptor",
        s.create("SpatialTransformer"),
        0,
        FLOAT,
        4,
        s.ints((2, 0, 4, 5)),
    )


SCENARIOS = [transforms, transform_filter, im2col, reorder, spatial]
