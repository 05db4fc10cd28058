"""ReduceTensor: results, indices, sizes."""

import ctypes
import itertools
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, INT32, NAMES, NCHW, NHWC, Session, count_of

X = (2, 3, 4, 5)
OUT = {
    "1C11": (1, 3, 1, 1),
    "1111": (1, 1, 1, 1),
    "N111": (2, 1, 1, 1),
    "NC11": (2, 3, 1, 1),
    "NCH1": (2, 3, 4, 1),
    "same": X,
    "1CHW": (1, 3, 4, 5),
    "wrong": (2, 2, 1, 1),
}
NAN = float("nan")


def reduction(s: Session, op: int, compute: int = FLOAT, propagate: int = 0, indices: int = 0, width: int = 0) -> int:
    desc = s.create("ReduceTensor")
    s.lib.cudnnSetReduceTensorDescriptor(desc, op, compute, propagate, indices, width)
    return desc


def run(s: Session, key: str, desc: int, a: Any, c: Any, alpha: float = 2, beta: float = 0.5, low: float = -1) -> None:
    ad, cd = s.tensor(*a), s.tensor(*c)
    need = s.size(f"{key} space", "cudnnGetReductionWorkspaceSize", s.handle, desc, ad, cd)
    indices = s.size(f"{key} indices", "cudnnGetReductionIndicesSize", s.handle, desc, ad, cd)
    ab, cb = s.random_buffer(160 if count_of(a[1]) <= 160 else count_of(a[1]), a[0], low), s.random_buffer(160, c[0])
    ib = s.upload([0] * max(indices, 1), 6)
    first = (s.handle, desc, ib.address if indices else None, indices, s.space(need), need, s.scalar(alpha, c[0]))
    second = (ad, ab.address, s.scalar(beta, c[0]), cd, cb.address)
    status = s.call(key, "cudnnReduceTensor", *first, *second)
    s.output(key, status, cb)
    if indices:
        s.output(f"{key} at", status, ib)


def reduce_tensor(s: Session) -> None:
    for op, (name, dims) in itertools.product(range(9), OUT.items()):
        run(s, f"op {op} {name}", reduction(s, op), (FLOAT, X, NCHW), (FLOAT, dims, NCHW))
    for op, (dtype, compute) in itertools.product(
        range(9),
        (
            (DOUBLE, DOUBLE),
            (HALF, FLOAT),
            (HALF, HALF),
            (BF16, FLOAT),
            (INT8, FLOAT),
            (INT8, INT32),
            (INT8, INT8),
            (INT32, INT32),
            (FLOAT, DOUBLE),
            (FLOAT, HALF),
            (DOUBLE, FLOAT),
        ),
    ):
        run(
            s,
            f"op {op} {NAMES[dtype]} compute {NAMES[compute]}",
            reduction(s, op, compute),
            (dtype, X, NCHW),
            (dtype, OUT["1C11"], NCHW),
        )
    for op, width, (name, dims) in itertools.product((0, 2, 3, 4), range(4), OUT.items()):
        run(
            s,
            f"indices op {op} width {width} {name}",
            reduction(s, op, FLOAT, 0, 1, width),
            (FLOAT, X, NCHW),
            (FLOAT, dims, NCHW),
            1,
            0,
        )
    for op, dtype in itertools.product((2, 3), (DOUBLE, HALF)):
        run(
            s,
            f"indices op {op} {NAMES[dtype]}",
            reduction(s, op, DOUBLE if dtype == DOUBLE else FLOAT, 0, 1),
            (dtype, X, NCHW),
            (dtype, OUT["1C11"], NCHW),
            1,
            0,
        )
    cases = {
        "nhwc": ((FLOAT, X, NHWC), (FLOAT, OUT["1C11"], NCHW)),
        "strided": ((FLOAT, X, (80, 25, 6, 1)), (FLOAT, OUT["NC11"], NCHW)),
        "half to float": ((HALF, X, NCHW), (FLOAT, OUT["1C11"], NCHW)),
        "float to half": ((FLOAT, X, NCHW), (HALF, OUT["1C11"], NCHW)),
        "float to double": ((FLOAT, X, NCHW), (DOUBLE, OUT["1C11"], NCHW)),
        "int8 to float": ((INT8, X, NCHW), (FLOAT, OUT["1C11"], NCHW)),
        "rank": ((FLOAT, X, NCHW), (FLOAT, (1, 3, 1), NCHW)),
        "rank 5": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, (1, 3, 1, 1, 1), NCHW)),
        "rank 3": ((FLOAT, (2, 3, 4), NCHW), (FLOAT, (1, 3, 1), NCHW)),
        "rank 8": ((FLOAT, (2, 3, 4, 5, 1, 1, 1, 1), NCHW), (FLOAT, (1, 3, 1, 1, 1, 1, 1, 1), NCHW)),
        "c larger": ((FLOAT, (1, 3, 1, 1), NCHW), (FLOAT, X, NCHW)),
    }
    for (key, (a, c)), op in itertools.product(cases.items(), (0, 5)):
        run(s, f"{key} op {op}", reduction(s, op, DOUBLE if c[0] == DOUBLE else FLOAT), a, c)
    for shape in ((64, 64, 32, 32), (1, 1, 1, 100000), (128, 16, 8, 8), (4096, 16, 1, 1)):
        run(s, f"sum {shape}", reduction(s, 0), (FLOAT, shape, NCHW), (FLOAT, (1, shape[1], 1, 1), NCHW))
        run(
            s,
            f"max {shape}",
            reduction(s, 3, FLOAT, 0, 1),
            (FLOAT, shape, NCHW),
            (FLOAT, (1, shape[1], 1, 1), NCHW),
            1,
            0,
        )


def reduce_edges(s: Session) -> None:
    ad, cd = s.tensor(FLOAT, X), s.tensor(FLOAT, OUT["1C11"])
    special = s.upload([NAN, 1, NAN, -1, 3, float("inf")] * 20)
    for op, propagate in itertools.product(range(9), (0, 1)):
        c, desc = s.filled(3), reduction(s, op, FLOAT, propagate)
        size = ctypes.c_size_t()
        s.lib.cudnnGetReductionWorkspaceSize(s.handle, desc, ad, cd, ctypes.byref(size))
        key = f"nan op {op} propagate {propagate}"
        s.output(
            key,
            s.call(
                key,
                "cudnnReduceTensor",
                s.handle,
                desc,
                None,
                0,
                s.space(size.value),
                size.value,
                s.scalar(1),
                ad,
                special.address,
                s.scalar(0),
                cd,
                c.address,
            ),
            c,
        )
    ties = s.upload([1, 2, 2, 1, 2] * 24)
    for op in (2, 3, 4):
        desc, c, i = reduction(s, op, FLOAT, 0, 1), s.filled(3), s.upload([0] * 12, 6)
        key = f"ties op {op}"
        first = (s.handle, desc, i.address, 12, s.space(4096), 4096, s.scalar(1), ad, ties.address, s.scalar(0))
        second = (cd, c.address)
        status = s.call(key, "cudnnReduceTensor", *first, *second)
        s.output(key, status, i)
    add, top = reduction(s, 0), reduction(s, 3, FLOAT, 0, 1)
    a, c = s.random_buffer(120), s.random_buffer(120)
    need = s.size("space", "cudnnGetReductionWorkspaceSize", s.handle, add, ad, cd)
    good = [s.handle, add, None, 0, s.space(max(need, 8)), need, s.scalar(1), ad, a.address, s.scalar(0), cd, c.address]
    for i in (0, 1, 4, 6, 7, 8, 9, 10, 11):
        s.call(f"null {i}", "cudnnReduceTensor", *[None if i == j else v for j, v in enumerate(good)])
    if need:
        s.call("less space", "cudnnReduceTensor", *[need - 1 if j == 5 else v for j, v in enumerate(good)])
    index = s.upload([0] * 64, 6)
    s.call(
        "indices unasked",
        "cudnnReduceTensor",
        *[index.address if j == 2 else 12 if j == 3 else v for j, v in enumerate(good)],
    )
    good[1] = top
    s.call("indices missing", "cudnnReduceTensor", *good)
    s.call(
        "indices short",
        "cudnnReduceTensor",
        *[index.address if j == 2 else 11 if j == 3 else v for j, v in enumerate(good)],
    )
    s.call(
        "indices good",
        "cudnnReduceTensor",
        *[index.address if j == 2 else 12 if j == 3 else v for j, v in enumerate(good)],
    )
    s.call(
        "indices long",
        "cudnnReduceTensor",
        *[index.address if j == 2 else 64 if j == 3 else v for j, v in enumerate(good)],
    )
    reduce_descriptor(s, add, top, ad, cd)


def reduce_descriptor(s: Session, add: int, top: int, ad: int, cd: int) -> None:
    for arguments in (
        (9, 0, 0, 0, 0),
        (-1, 0, 0, 0, 0),
        (0, 3, 0, 0, 0),
        (0, 4, 0, 0, 0),
        (0, 9, 0, 0, 0),
        (0, 0, 2, 0, 0),
        (0, 0, 0, 2, 0),
        (0, 0, 0, 0, 4),
        (0, 0, 0, 1, 0),
        (0, 5, 0, 0, 0),
    ):
        s.call(f"set {arguments}", "cudnnSetReduceTensorDescriptor", s.create("ReduceTensor"), *arguments)
    fresh = s.create("ReduceTensor")
    got = [ctypes.c_int(77) for _ in range(5)]
    s.call("get fresh", "cudnnGetReduceTensorDescriptor", fresh, *map(ctypes.byref, got))
    s.put("fresh", [g.value for g in got])
    s.call("get nulls", "cudnnGetReduceTensorDescriptor", fresh, None, None, None, None, None)
    s.call("space null", "cudnnGetReductionWorkspaceSize", s.handle, add, ad, cd, None)
    s.size("space null handle", "cudnnGetReductionWorkspaceSize", None, add, ad, cd)
    s.size("indices null handle", "cudnnGetReductionIndicesSize", None, top, ad, cd)


SCENARIOS = [reduce_tensor, reduce_edges]
