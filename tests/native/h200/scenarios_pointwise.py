"""Activation, softmax, dropout."""

import ctypes
import itertools

import numpy as np

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, INT32, NAMES, NCHW, NHWC, Session, count_of

X = (2, 3, 4, 5)
STRIDED = (80, 25, 6, 1)
NAN = float("nan")


def activation_forward(s: Session) -> None:
    for mode, dtype in itertools.product(range(7), (FLOAT, DOUBLE, HALF, BF16, INT8, INT32)):
        for coef in (0.0, 0.5) if mode in (1, 3, 4) else (0.5,):
            x, y = s.random_buffer(120, dtype, -3, 3), s.random_buffer(120, dtype)
            key = f"mode {mode} {NAMES[dtype]} coef {coef}"
            d = s.tensor(dtype, X)
            first = (s.handle, s.activation(mode, coef), s.scalar(2, dtype), d, x.address, s.scalar(0.5, dtype), d)
            second = (y.address,)
            status = s.call(key, "cudnnActivationForward", *first, *second)
            s.output(key, status, y)
    cases = {
        "nhwc": ((FLOAT, X, NHWC), (FLOAT, X, NHWC)),
        "layouts differ": ((FLOAT, X, NCHW), (FLOAT, X, NHWC)),
        "strided": ((FLOAT, X, STRIDED), (FLOAT, X, STRIDED)),
        "types differ": ((FLOAT, X, NCHW), (HALF, X, NCHW)),
        "dims differ": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 5, 4), NCHW)),
        "rank 3": ((FLOAT, (2, 3, 4), NCHW), (FLOAT, (2, 3, 4), NCHW)),
        "rank 5": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1), NCHW)),
        "rank 6": ((FLOAT, (2, 3, 4, 5, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1, 1), NCHW)),
    }
    relu = s.activation(1)
    for key, ((xt, xd, xl), (yt, yd, yl)) in cases.items():
        x, y = s.random_buffer(160, xt), s.random_buffer(160, yt)
        first = (s.handle, relu, s.scalar(1), s.tensor(xt, xd, xl), x.address, s.scalar(0), s.tensor(yt, yd, yl))
        second = (y.address,)
        status = s.call(key, "cudnnActivationForward", *first, *second)
        s.output(key, status, y)
    activation_forward_edges(s, relu)


def activation_forward_edges(s: Session, relu: int) -> None:
    d = s.tensor(FLOAT, X)
    special = s.upload([NAN, float("inf"), -float("inf"), 0.5, -0.5, 100, -100, 0] * 15)
    for mode, propagate in itertools.product(range(7), (0, 1)):
        y = s.filled(120)
        key = f"special mode {mode} propagate {propagate}"
        first = (s.handle, s.activation(mode, 6.0, propagate), s.scalar(1), d, special.address, s.scalar(0), d)
        second = (y.address,)
        status = s.call(key, "cudnnActivationForward", *first, *second)
        s.output(key, status, y)
    for mode, coef in ((3, -1.0), (3, NAN), (4, -1.0), (1, 1.0), (1, -1.0), (6, 2.0), (1, NAN)):
        x, y = s.random_buffer(120, FLOAT, -3, 3), s.filled(120)
        key = f"coef {coef} mode {mode}"
        first = (s.handle, s.activation(mode, coef), s.scalar(1), d, x.address, s.scalar(0), d, y.address)
        status = s.call(key, "cudnnActivationForward", *first)
        s.output(key, status, y)
    swish = s.activation(6)
    s.call("set swish beta", "cudnnSetActivationDescriptorSwishBeta", swish, 2.0)
    x, y = s.random_buffer(120, FLOAT, -3, 3), s.filled(120)
    s.output(
        "swish beta 2",
        s.call(
            "swish beta 2",
            "cudnnActivationForward",
            s.handle,
            swish,
            s.scalar(1),
            d,
            x.address,
            s.scalar(0),
            d,
            y.address,
        ),
        y,
    )
    good = [s.handle, relu, s.scalar(1), d, x.address, s.scalar(0), d, y.address]
    for i in range(8):
        s.call(f"null {i}", "cudnnActivationForward", *[None if i == j else v for j, v in enumerate(good)])
    s.call("fresh activation", "cudnnActivationForward", s.handle, s.create("Activation"), *good[2:])
    s.call("unset tensor", "cudnnActivationForward", s.handle, relu, good[2], s.create("Tensor"), *good[4:])


def activation_descriptor(s: Session) -> None:
    for mode, propagate, coef in ((7, 0, 0.0), (-1, 0, 0.0), (0, 2, 0.0), (0, -1, 0.0), (6, 1, 2.5)):
        desc = s.create("Activation")
        key = f"set {mode} {propagate} {coef}"
        s.call(key, "cudnnSetActivationDescriptor", desc, mode, propagate, coef)
        out = (ctypes.c_int(9), ctypes.c_int(9), ctypes.c_double(9))
        s.call(f"{key} get", "cudnnGetActivationDescriptor", desc, *map(ctypes.byref, out))
        s.put(f"{key} got", [o.value for o in out])
        beta = ctypes.c_double(9)
        s.call(f"{key} beta", "cudnnGetActivationDescriptorSwishBeta", desc, ctypes.byref(beta))
        s.put(f"{key} beta got", beta.value)
    desc = s.create("Activation")
    s.call(
        "get null mode",
        "cudnnGetActivationDescriptor",
        desc,
        None,
        ctypes.byref(ctypes.c_int()),
        ctypes.byref(ctypes.c_double()),
    )
    s.call("get beta null", "cudnnGetActivationDescriptorSwishBeta", desc, None)
    s.call("set null", "cudnnSetActivationDescriptor", None, 0, 0, 0.0)
    s.call("set beta null", "cudnnSetActivationDescriptorSwishBeta", None, 1.0)


def activation_backward(s: Session) -> None:
    for mode, dtype in itertools.product(range(7), (FLOAT, DOUBLE, HALF, BF16, INT8)):
        coef = 0.75 if mode in (3, 4) else 0.0
        d = s.tensor(dtype, X)
        act = s.activation(mode, coef)
        x, y, dy, dx = (
            s.random_buffer(120, dtype, -3, 3),
            s.filled(120, dtype),
            s.random_buffer(120, dtype),
            s.random_buffer(120, dtype),
        )
        s.lib.cudnnActivationForward(s.handle, act, s.scalar(1, dtype), d, x.address, s.scalar(0, dtype), d, y.address)
        key = f"mode {mode} {NAMES[dtype]}"
        first = (s.handle, act, s.scalar(2, dtype), d, y.address, d, dy.address, d, x.address)
        second = (s.scalar(0.5, dtype), d, dx.address)
        status = s.call(key, "cudnnActivationBackward", *first, *second)
        s.output(key, status, dx)
    d, relu = s.tensor(FLOAT, X), s.activation(1)
    x, y, dy = (s.random_buffer(120, FLOAT, -3, 3) for _ in range(3))
    for mode in range(7):  # y is not act(x): which of the two does the gradient read?
        dx = s.filled(120)
        key = f"unrelated mode {mode}"
        first = (s.handle, s.activation(mode, 0.75), s.scalar(1), d, y.address, d, dy.address, d, x.address)
        second = (s.scalar(0), d, dx.address)
        status = s.call(key, "cudnnActivationBackward", *first, *second)
        s.output(key, status, dx)
    dx = s.filled(120)
    good = [s.handle, relu, s.scalar(1), d, y.address, d, dy.address, d, x.address, s.scalar(0), d, dx.address]
    for i in range(12):
        s.call(f"null {i}", "cudnnActivationBackward", *[None if i == j else v for j, v in enumerate(good)])
    nhwc, other, half = s.tensor(FLOAT, X, NHWC), s.tensor(FLOAT, (2, 3, 5, 4)), s.tensor(HALF, X)
    for i, (name, odd) in itertools.product((3, 5, 7, 10), (("nhwc", nhwc), ("dims", other), ("half", half))):
        dx = s.random_buffer(120)
        arguments = [odd if i == j else v for j, v in enumerate(good)]
        arguments[11] = dx.address
        key = f"{name} at {i}"
        s.output(key, s.call(key, "cudnnActivationBackward", *arguments), dx)


def softmax(s: Session) -> None:
    for algo, mode, dtype in itertools.product(range(3), range(2), (FLOAT, DOUBLE, HALF, BF16, INT8)):
        d = s.tensor(dtype, X)
        x, y = s.random_buffer(120, dtype, -3, 3), s.random_buffer(120, dtype)
        key = f"algo {algo} mode {mode} {NAMES[dtype]}"
        first = (s.handle, algo, mode, s.scalar(2, dtype), d, x.address, s.scalar(0.5, dtype), d, y.address)
        status = s.call(key, "cudnnSoftmaxForward", *first)
        s.output(key, status, y)
        dy, dx = s.random_buffer(120, dtype), s.random_buffer(120, dtype)
        first = (s.handle, algo, mode, s.scalar(2, dtype), d, x.address, d, dy.address, s.scalar(0.5, dtype), d)
        second = (dx.address,)
        status = s.call(f"{key} backward", "cudnnSoftmaxBackward", *first, *second)
        s.output(f"{key} backward", status, dx)
    d = s.tensor(FLOAT, X)
    extreme = s.upload([100, -100, 90, 0, 88.5, 3] * 20)
    infinite = s.upload([-float("inf"), 0, NAN, 1, float("inf"), 2] * 20)
    low = s.filled(120, FLOAT, -float("inf"))
    for (name, x), algo, mode in itertools.product(
        (("extreme", extreme), ("infinite", infinite), ("-inf", low)), range(3), range(2)
    ):
        y = s.filled(120)
        key = f"{name} algo {algo} mode {mode}"
        s.output(
            key,
            s.call(
                key, "cudnnSoftmaxForward", s.handle, algo, mode, s.scalar(1), d, x.address, s.scalar(0), d, y.address
            ),
            y,
        )
    cases = {
        "nhwc": ((FLOAT, X, NHWC), (FLOAT, X, NHWC)),
        "layouts differ": ((FLOAT, X, NCHW), (FLOAT, X, NHWC)),
        "strided": ((FLOAT, X, STRIDED), (FLOAT, X, STRIDED)),
        "types differ": ((FLOAT, X, NCHW), (HALF, X, NCHW)),
        "half in": ((HALF, X, NCHW), (FLOAT, X, NCHW)),
        "dims differ": ((FLOAT, X, NCHW), (FLOAT, (2, 3, 5, 4), NCHW)),
        "rank 5": ((FLOAT, (2, 3, 4, 5, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1), NCHW)),
        "rank 3": ((FLOAT, (2, 3, 4), NCHW), (FLOAT, (2, 3, 4), NCHW)),
        "rank 6": ((FLOAT, (2, 3, 4, 5, 1, 1), NCHW), (FLOAT, (2, 3, 4, 5, 1, 1), NCHW)),
    }
    for (key, ((xt, xd, xl), (yt, yd, yl))), mode in itertools.product(cases.items(), range(2)):
        x, y = s.random_buffer(160, xt), s.random_buffer(160, yt)
        key = f"{key} mode {mode}"
        first = (s.handle, 1, mode, s.scalar(1), s.tensor(xt, xd, xl), x.address, s.scalar(0))
        second = (s.tensor(yt, yd, yl), y.address)
        status = s.call(key, "cudnnSoftmaxForward", *first, *second)
        s.output(key, status, y)
    softmax_edges(s, d)


def softmax_edges(s: Session, d: int) -> None:
    x, y = s.random_buffer(120), s.filled(120)
    for algo, mode in ((3, 0), (-1, 0), (1, 2), (1, -1)):
        first = (s.handle, algo, mode, s.scalar(1), d, x.address, s.scalar(0), d, y.address)
        s.call(f"enum {algo} {mode}", "cudnnSoftmaxForward", *first)
        first = (s.handle, algo, mode, s.scalar(1), d, x.address, d, x.address, s.scalar(0), d, y.address)
        s.call(f"enum backward {algo} {mode}", "cudnnSoftmaxBackward", *first)
    good = [s.handle, 1, 1, s.scalar(1), d, x.address, s.scalar(0), d, y.address]
    for i in (0, 3, 4, 5, 6, 7, 8):
        s.call(f"null {i}", "cudnnSoftmaxForward", *[None if i == j else v for j, v in enumerate(good)])
    good = [s.handle, 1, 1, s.scalar(1), d, x.address, d, x.address, s.scalar(0), d, y.address]
    for i in (0, 3, 4, 5, 6, 7, 8, 9, 10):
        s.call(f"backward null {i}", "cudnnSoftmaxBackward", *[None if i == j else v for j, v in enumerate(good)])
    for i, (name, odd) in itertools.product(
        (4, 6, 9),
        (("nhwc", s.tensor(FLOAT, X, NHWC)), ("dims", s.tensor(FLOAT, (2, 3, 5, 4))), ("half", s.tensor(HALF, X))),
    ):
        dx = s.random_buffer(120)
        arguments = [odd if i == j else v for j, v in enumerate(good)]
        arguments[10] = dx.address
        key = f"backward {name} at {i}"
        s.output(key, s.call(key, "cudnnSoftmaxBackward", *arguments), dx)
    s.output(
        "in place",
        s.call("in place", "cudnnSoftmaxForward", s.handle, 1, 1, s.scalar(1), d, x.address, s.scalar(0), d, x.address),
        x,
    )
    first = (s.handle, 1, 1, s.scalar(1), d, x.address, s.scalar(0), s.tensor(FLOAT, X, NHWC), x.address)
    s.call("in place to nhwc", "cudnnSoftmaxForward", *first)


def dropout(s: Session) -> None:
    states = s.size("states size", "cudnnDropoutGetStatesSize", s.handle)
    s.call("states size null", "cudnnDropoutGetStatesSize", s.handle, None)
    memory = s.space(states)
    for rate in (0.0, 0.25, 0.5, 0.9, 1.0, 1.5, -0.5):
        desc = s.create("Dropout")
        if s.call(f"set {rate}", "cudnnSetDropoutDescriptor", desc, s.handle, rate, memory, states, 7):
            continue
        for dtype in (FLOAT, HALF, DOUBLE, BF16, INT8):
            d = s.tensor(dtype, (2, 8, 25, 25))
            x, y, dx = s.filled(10000, dtype, 3), s.filled(10000, dtype), s.filled(10000, dtype)
            key = f"rate {rate} {NAMES[dtype]}"
            size = s.size(f"{key} reserve", "cudnnDropoutGetReserveSpaceSize", d)
            reserve = s.upload([0] * size, 6)
            if s.call(key, "cudnnDropoutForward", s.handle, desc, d, x.address, d, y.address, reserve.address, size):
                continue
            forward = s.download(y)
            bits = s.download(reserve).astype("uint8")
            kept = (forward != 0).astype("uint8")
            s.put(f"{key} kept near", float(f"{kept.mean():.1f}"))
            s.put(f"{key} values", sorted({float(f"{v:.6g}") for v in forward})[:4])
            little = np.unpackbits(bits, bitorder="little")[:10000]
            s.put(f"{key} bits are kept", bool((little == kept).all()))
            first = (s.handle, desc, d, x.address, d, dx.address, reserve.address, size)
            status = s.call(f"{key} backward", "cudnnDropoutBackward", *first)
            if status == 0:
                s.put(f"{key} backward same mask", bool(((s.download(dx) != 0) == (forward != 0)).all()))
                s.put(f"{key} backward values", sorted({float(f"{v:.6g}") for v in s.download(dx)})[:4])
    dropout_edges(s, memory, states)


def dropout_edges(s: Session, memory: int | None, states: int) -> None:
    desc = s.create("Dropout")
    rate, place, seed = ctypes.c_float(9), ctypes.c_void_p(9), ctypes.c_ulonglong(9)
    s.call(
        "get fresh",
        "cudnnGetDropoutDescriptor",
        desc,
        s.handle,
        ctypes.byref(rate),
        ctypes.byref(place),
        ctypes.byref(seed),
    )
    s.put("fresh", [rate.value, place.value, seed.value])
    d = s.tensor(FLOAT, (2, 3, 4, 5))
    x, y, reserve = s.filled(120), s.filled(120), s.space(16)
    s.call("fresh forward", "cudnnDropoutForward", s.handle, desc, d, x.address, d, y.address, reserve, 16)
    for name, arguments in {
        "null desc": (None, s.handle, 0.5, memory, states, 1),
        "null handle": (desc, None, 0.5, memory, states, 1),
        "null states": (desc, s.handle, 0.5, None, 0, 1),
        "null states sized": (desc, s.handle, 0.5, None, states, 1),
        "small": (desc, s.handle, 0.5, memory, states - 1, 1),
        "larger": (desc, s.handle, 0.5, memory, states + 1, 1),
    }.items():
        s.call(f"set {name}", "cudnnSetDropoutDescriptor", *arguments)
        s.call(f"restore {name}", "cudnnRestoreDropoutDescriptor", *arguments)
    s.call("set again", "cudnnSetDropoutDescriptor", desc, s.handle, 0.5, memory, states, 42)
    s.call(
        "get", "cudnnGetDropoutDescriptor", desc, s.handle, ctypes.byref(rate), ctypes.byref(place), ctypes.byref(seed)
    )
    s.put("got", [rate.value, place.value == memory, seed.value])
    nowhere = s.create("Dropout")
    s.call("set nowhere", "cudnnSetDropoutDescriptor", nowhere, s.handle, 0.5, None, 0, 1)
    s.call("forward nowhere", "cudnnDropoutForward", s.handle, nowhere, d, x.address, d, y.address, reserve, 16)
    s.call("get nulls", "cudnnGetDropoutDescriptor", desc, s.handle, None, None, None)
    s.call(
        "get null handle",
        "cudnnGetDropoutDescriptor",
        desc,
        None,
        ctypes.byref(rate),
        ctypes.byref(place),
        ctypes.byref(seed),
    )
    good = [s.handle, desc, d, x.address, d, y.address, reserve, 16]
    for function in ("cudnnDropoutForward", "cudnnDropoutBackward"):
        for i in range(7):
            s.call(f"{function} null {i}", function, *[None if i == j else v for j, v in enumerate(good)])
        s.call(f"{function} small reserve", function, *good[:7], 15)
        s.call(f"{function} large reserve", function, *good[:7], 17)
        first = (s.handle, desc, d, x.address, s.tensor(FLOAT, (2, 3, 4, 5), NHWC), y.address, reserve, 16)
        s.call(f"{function} nhwc", function, *first)
        first = (s.handle, desc, d, x.address, s.tensor(FLOAT, (2, 3, 5, 4)), y.address, reserve, 16)
        s.call(f"{function} dims", function, *first)
        first = (s.handle, desc, d, x.address, s.tensor(HALF, (2, 3, 4, 5)), y.address, reserve, 16)
        s.call(f"{function} half", function, *first)
        strided = s.tensor(FLOAT, (1, 3, 4, 5), STRIDED)
        s.call(f"{function} strided", function, s.handle, desc, strided, x.address, strided, y.address, reserve, 16)
        s.call(f"{function} in place", function, s.handle, desc, d, x.address, d, x.address, reserve, 16)
    dropout_seeds(s, desc, memory, states, reserve)


def dropout_seeds(s: Session, desc: int, memory: int | None, states: int, reserve: int | None) -> None:
    d, y = s.tensor(FLOAT, (2, 3, 4, 5)), s.filled(120)
    first = []
    for _ in range(2):  # the same seed gives the same mask, and the state moves on
        s.lib.cudnnSetDropoutDescriptor(desc, s.handle, 0.5, memory, states, 42)
        runs = []
        for _ in range(2):
            s.lib.cudnnDropoutForward(s.handle, desc, d, s.filled(120).address, d, y.address, reserve, 16)
            runs.append(s.download(y).tolist())
        first.append(runs)
    s.put("seed repeats", first[0] == first[1])
    s.put("state moves on", first[0][0] != first[0][1])
    for elements in (1, 32, 33, 1025):
        s.size(f"reserve {elements} f32", "cudnnDropoutGetReserveSpaceSize", s.tensor(FLOAT, (elements, 1, 1, 1)))
        s.size(f"reserve {elements} f16", "cudnnDropoutGetReserveSpaceSize", s.tensor(HALF, (elements, 1, 1, 1)))
    s.call("reserve null", "cudnnDropoutGetReserveSpaceSize", None, ctypes.byref(ctypes.c_size_t()))
    s.call("reserve null size", "cudnnDropoutGetReserveSpaceSize", d, None)
    s.size("reserve unset", "cudnnDropoutGetReserveSpaceSize", s.create("Tensor"))
    s.size("reserve i32", "cudnnDropoutGetReserveSpaceSize", s.tensor(INT32, (count_of((2, 2)), 1, 1, 1)))


SCENARIOS = [activation_forward, activation_descriptor, activation_backward, softmax, dropout]
