"""AddTensor, SetTensor, ScaleTensor, OpTensor, TransformTensor."""

import itertools

from tests.native.h200.session import (
    BF16,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT32,
    NAMES,
    NCHW,
    NHWC,
    UINT8,
    Session,
    count_of,
)

X = (2, 3, 4, 5)
STRIDED = (80, 25, 6, 1)  # gaps after rows and planes


def add_tensor(s: Session) -> None:
    shapes = {
        "1C11": (1, 3, 1, 1),
        "1111": (1, 1, 1, 1),
        "NC11": (2, 3, 1, 1),
        "1CHW": (1, 3, 4, 5),
        "NCHW": X,
        "N11W": (2, 1, 1, 5),
        "11H1": (1, 1, 4, 1),
        "wrong C": (1, 2, 1, 1),
    }
    for (name, dims), dtype in itertools.product(shapes.items(), (FLOAT, DOUBLE, HALF, BF16, INT8, INT32)):
        a, c = s.random_buffer(count_of(dims), dtype), s.random_buffer(120, dtype)
        key = f"{NAMES[dtype]} {name}"
        first = (s.handle, s.scalar(2, dtype), s.tensor(dtype, dims), a.address, s.scalar(0.5, dtype))
        second = (s.tensor(dtype, X), c.address)
        status = s.call(key, "cudnnAddTensor", *first, *second)
        s.output(key, status, c)
    cases = {  # A: type, dims, layout; C: type, dims, layout
        "nhwc both": ((FLOAT, (1, 3, 1, 1), NHWC), (FLOAT, X, NHWC)),
        "nhwc c": ((FLOAT, X, NCHW), (FLOAT, X, NHWC)),
        "strided c": ((FLOAT, (1, 3, 4, 5), NCHW), (FLOAT, X, STRIDED)),
        "half bias": ((HALF, X, NCHW), (FLOAT, X, NCHW)),
        "float bias": ((FLOAT, X, NCHW), (HALF, X, NCHW)),
        "rank 5": ((FLOAT, (1, 3, 1, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 2), NCHW)),
        "rank 5 and 4": ((FLOAT, (1, 3, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 2), NCHW)),
        "rank 3": ((FLOAT, (1, 3, 1), NCHW), (FLOAT, (2, 3, 4), NCHW)),
        "bias rank 3": ((FLOAT, (1, 3, 1), NCHW), (FLOAT, X, NCHW)),
        "rank 6": ((FLOAT, (1, 3, 1, 1, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 2, 1), NCHW)),
        "rank 2": ((FLOAT, (1, 3), (3, 1)), (FLOAT, (2, 3), (3, 1))),
        "bias larger": ((FLOAT, (4, 3, 4, 5), NCHW), (FLOAT, (2, 3, 4, 5), NCHW)),
    }
    for key, ((at, ad, al), (ct, cd, cl)) in cases.items():
        a, c = s.random_buffer(240, at), s.random_buffer(240, ct)
        first = (s.handle, s.scalar(2), s.tensor(at, ad, al), a.address, s.scalar(0.5), s.tensor(ct, cd, cl))
        second = (c.address,)
        status = s.call(key, "cudnnAddTensor", *first, *second)
        s.output(key, status, c)
    c, d = s.random_buffer(120), s.tensor(FLOAT, X)
    status = s.call("in place", "cudnnAddTensor", s.handle, s.scalar(2), d, c.address, s.scalar(1), d, c.address)
    s.output("in place", status, c)
    nan = s.filled(120, FLOAT, float("nan"))
    status = s.call("beta 0", "cudnnAddTensor", s.handle, s.scalar(2), d, c.address, s.scalar(0), d, nan.address)
    s.output("beta 0", status, nan)
    good = [s.handle, s.scalar(1), d, c.address, s.scalar(1), d, c.address]
    for i in range(7):
        s.call(f"null {i}", "cudnnAddTensor", *[None if i == j else v for j, v in enumerate(good)])
    s.call("unset", "cudnnAddTensor", s.handle, s.scalar(1), s.create("Tensor"), c.address, s.scalar(1), d, c.address)


def set_and_scale(s: Session) -> None:
    for dtype in (FLOAT, DOUBLE, HALF, BF16, INT8, INT32, UINT8):
        y = s.random_buffer(160, dtype)
        desc = s.tensor(dtype, X, STRIDED)
        key = f"set {NAMES[dtype]}"
        s.output(key, s.call(key, "cudnnSetTensor", s.handle, desc, y.address, s.scalar(3, dtype)), y)
        key = f"scale {NAMES[dtype]}"
        s.output(key, s.call(key, "cudnnScaleTensor", s.handle, desc, y.address, s.scalar(2.5, dtype)), y)
    y, desc = s.random_buffer(120), s.tensor(FLOAT, X)
    key = "scale by 0 of nan"
    nan = s.filled(120, FLOAT, float("nan"))
    s.output(key, s.call(key, "cudnnScaleTensor", s.handle, desc, nan.address, s.scalar(0)), nan)
    for function in ("cudnnSetTensor", "cudnnScaleTensor"):
        good = [s.handle, desc, y.address, s.scalar(1)]
        for i in range(4):
            s.call(f"{function} null {i}", function, *[None if i == j else v for j, v in enumerate(good)])
        for rank in (2, 3, 5, 6, 8):
            dims = (2, 3, 2, 1, 1, 1, 1, 1)[:rank]
            strides = [count_of(dims[i + 1 :]) for i in range(rank)]
            s.call(
                f"{function} rank {rank}", function, s.handle, s.tensor(FLOAT, dims, strides), y.address, s.scalar(1)
            )
        s.call(f"{function} unset", function, s.handle, s.create("Tensor"), y.address, s.scalar(1))


def op_tensor(s: Session) -> None:
    bdims = {"NCHW": X, "1C11": (1, 3, 1, 1), "1111": (1, 1, 1, 1), "N11W": (2, 1, 1, 5), "1CHW": (1, 3, 4, 5)}
    types = (
        (FLOAT, FLOAT),
        (DOUBLE, DOUBLE),
        (HALF, FLOAT),
        (BF16, FLOAT),
        (INT8, FLOAT),
        (INT32, FLOAT),
        (HALF, HALF),
        (FLOAT, DOUBLE),
        (BF16, BF16),
        (INT8, INT32),
        (DOUBLE, FLOAT),
    )
    for op, (dtype, compute), (name, dims) in itertools.product(range(6), types, bdims.items()):
        if dtype != FLOAT and name != "1C11":
            continue
        desc = s.create("OpTensor")
        key = f"op {op} {NAMES[dtype]} compute {NAMES[compute]} {name}"
        if s.call(f"{key} set", "cudnnSetOpTensorDescriptor", desc, op, compute, 1):
            continue
        low = 0.1 if op == 4 else -1
        a, b, c = (
            s.random_buffer(120, dtype, low),
            s.random_buffer(count_of(dims), dtype, low),
            s.random_buffer(120, dtype),
        )
        first = (s.handle, desc, s.scalar(2, dtype), s.tensor(dtype, X), a.address, s.scalar(0.5, dtype))
        second = (s.tensor(dtype, dims), b.address, s.scalar(0.25, dtype), s.tensor(dtype, X), c.address)
        status = s.call(key, "cudnnOpTensor", *first, *second)
        s.output(key, status, c)
    cases = {
        "mixed layouts": ((FLOAT, X, NHWC), (FLOAT, (1, 3, 1, 1), NCHW), (FLOAT, X, STRIDED)),
        "float to half": ((FLOAT, X, NCHW), (FLOAT, X, NCHW), (HALF, X, NCHW)),
        "half to float": ((HALF, X, NCHW), (HALF, X, NCHW), (FLOAT, X, NCHW)),
        "int8 to float": ((INT8, X, NCHW), (INT8, X, NCHW), (FLOAT, X, NCHW)),
        "half and float": ((HALF, X, NCHW), (FLOAT, X, NCHW), (FLOAT, X, NCHW)),
        "a broadcast": ((FLOAT, (1, 3, 1, 1), NCHW), (FLOAT, X, NCHW), (FLOAT, X, NCHW)),
        "a dims": ((FLOAT, (2, 3, 4, 4), NCHW), (FLOAT, X, NCHW), (FLOAT, X, NCHW)),
        "b dims": ((FLOAT, X, NCHW), (FLOAT, (1, 2, 1, 1), NCHW), (FLOAT, X, NCHW)),
        "rank 5": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, (1, 3, 1, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1), NCHW)),
        "rank 6": (
            (FLOAT, (2, 3, 4, 5, 1, 1), NCHW),
            (FLOAT, (1, 3, 1, 1, 1, 1), NCHW),
            (FLOAT, (2, 3, 4, 5, 1, 1), NCHW),
        ),
        "rank 3": ((FLOAT, (2, 3, 4), NCHW), (FLOAT, (1, 3, 1), NCHW), (FLOAT, (2, 3, 4), NCHW)),
        "b rank": ((FLOAT, X, NCHW), (FLOAT, (1, 3, 1), NCHW), (FLOAT, X, NCHW)),
    }
    add = s.create("OpTensor")
    s.call("set add", "cudnnSetOpTensorDescriptor", add, 0, FLOAT, 1)
    for key, operands in cases.items():
        (a, da), (b, db), (c, dc) = ((s.random_buffer(160, t), s.tensor(t, d, layout)) for t, d, layout in operands)
        first = (s.handle, add, s.scalar(2), da, a.address, s.scalar(0.5), db, b.address, s.scalar(0.25), dc)
        second = (c.address,)
        status = s.call(key, "cudnnOpTensor", *first, *second)
        s.output(key, status, c)
    op_tensor_edges(s, add)


def op_tensor_edges(s: Session, add: int) -> None:
    d = s.tensor(FLOAT, X)
    a, b, c = (s.random_buffer(120) for _ in range(3))
    good = [s.handle, add, s.scalar(1), d, a.address, s.scalar(1), d, b.address, s.scalar(1), d, c.address]
    for i in range(11):
        s.call(f"null {i}", "cudnnOpTensor", *[None if i == j else v for j, v in enumerate(good)])
    s.call("unset op", "cudnnOpTensor", s.handle, s.create("OpTensor"), *good[2:])
    nan = float("nan")
    special = s.upload([nan, 1, nan, -1] * 30)
    other = s.upload([1, nan, nan, 2] * 30)
    for op, propagate in itertools.product((2, 3), (0, 1)):
        desc = s.create("OpTensor")
        s.lib.cudnnSetOpTensorDescriptor(desc, op, FLOAT, propagate)
        key = f"nan op {op} propagate {propagate}"
        first = (s.handle, desc, s.scalar(1), d, special.address, s.scalar(1), d, other.address, s.scalar(0), d)
        second = (c.address,)
        status = s.call(key, "cudnnOpTensor", *first, *second)
        s.output(key, status, c)
    out = s.filled(120, FLOAT, nan)
    first = (s.handle, add, s.scalar(1), d, a.address, s.scalar(1), d, b.address, s.scalar(0), d, out.address)
    status = s.call("beta 0", "cudnnOpTensor", *first)
    s.output("beta 0", status, out)
    for alias, operands in {"c is a": (a, b, a), "c is b": (a, b, b)}.items():
        pa, pb, pc = operands
        first = (s.handle, add, s.scalar(1), d, pa.address, s.scalar(1), d, pb.address, s.scalar(0), d, pc.address)
        status = s.call(alias, "cudnnOpTensor", *first)
        s.output(alias, status, pc)
    for op, compute, propagate in (
        (6, 0, 0),
        (-1, 0, 0),
        (0, INT32, 0),
        (0, INT8, 0),
        (0, 0, 2),
        (0, 0, -1),
        (0, BF16, 0),
    ):
        s.call(
            f"set {op} {compute} {propagate}",
            "cudnnSetOpTensorDescriptor",
            s.create("OpTensor"),
            op,
            compute,
            propagate,
        )


def transform_tensor(s: Session) -> None:
    cases = {
        "nchw to nhwc": ((FLOAT, X, NCHW), (FLOAT, X, NHWC)),
        "nhwc to strided": ((FLOAT, X, NHWC), (FLOAT, X, STRIDED)),
        "half": ((HALF, X, NCHW), (HALF, X, NHWC)),
        "bf16": ((BF16, X, NCHW), (BF16, X, NHWC)),
        "double": ((DOUBLE, X, NCHW), (DOUBLE, X, NHWC)),
        "int8": ((INT8, X, NCHW), (INT8, X, NHWC)),
        "int32": ((INT32, X, NCHW), (INT32, X, NHWC)),
        "uint8": ((UINT8, X, NCHW), (UINT8, X, NHWC)),
        "float to half": ((FLOAT, X, NCHW), (HALF, X, NCHW)),
        "half to float": ((HALF, X, NCHW), (FLOAT, X, NCHW)),
        "float to double": ((FLOAT, X, NCHW), (DOUBLE, X, NCHW)),
        "float to int8": ((FLOAT, X, NCHW), (INT8, X, NCHW)),
        "int8 to float": ((INT8, X, NCHW), (FLOAT, X, NCHW)),
        "float to bf16": ((FLOAT, X, NCHW), (BF16, X, NCHW)),
        "int8 to int8x4": ((INT8, (2, 8, 4, 5), NCHW), (5, (2, 8, 4, 5), 2)),
        "dims": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 5, 4), NCHW)),
        "broadcast": ((FLOAT, (1, 3, 1, 1), NCHW), (FLOAT, X, NCHW)),
        "rank 3": ((FLOAT, (2, 3, 4), NCHW), (FLOAT, (2, 3, 4), NHWC)),
        "rank 5": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1), NHWC)),
        "rank 6": ((FLOAT, (2, 3, 4, 5, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1, 1), NHWC)),
        "rank": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, X, NCHW)),
        "overlap": ((FLOAT, X, NCHW), (FLOAT, X, (1, 1, 1, 1))),
        "negative": ((FLOAT, X, NCHW), (FLOAT, X, (60, 20, 5, -1))),
    }
    for key, ((xt, xd, xl), (yt, yd, yl)) in cases.items():
        x, y = s.random_buffer(320, xt), s.random_buffer(320, yt)
        at = y.address + (16 if key == "negative" else 0)
        first = (s.handle, s.scalar(2, yt), s.tensor(xt, xd, xl), x.address, s.scalar(0.5, yt))
        second = (s.tensor(yt, yd, yl), at)
        status = s.call(key, "cudnnTransformTensor", *first, *second)
        if key != "overlap":
            s.output(key, status, y)
    x, d = s.random_buffer(120), s.tensor(FLOAT, X)
    good = [s.handle, s.scalar(1), d, x.address, s.scalar(0), d, s.filled(120).address]
    for i in range(7):
        s.call(f"null {i}", "cudnnTransformTensor", *[None if i == j else v for j, v in enumerate(good)])
    status = s.call("in place", "cudnnTransformTensor", s.handle, s.scalar(2), d, x.address, s.scalar(0), d, x.address)
    s.output("in place", status, x)
    first = (s.handle, s.scalar(2), d, x.address, s.scalar(0), s.tensor(FLOAT, X, NHWC), x.address)
    s.call("in place to nhwc", "cudnnTransformTensor", *first)


SCENARIOS = [add_tensor, set_and_scale, op_tensor, transform_tensor]
