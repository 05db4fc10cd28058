"""Sequence data, multi-head attention, CTC loss."""

import ctypes
import itertools
from typing import Any

import numpy as np

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT32, NAMES, Buffer, Session


def sequence(
    s: Session,
    key: str,
    dtype: int,
    dims: tuple[int, ...],
    axes: tuple[int, ...],
    lengths: tuple[int, ...],
    nb: int = 4,
) -> int:
    desc = s.create("SeqData")
    first = (desc, dtype, nb, s.ints(dims), s.ints(axes), len(lengths), s.ints(lengths) if lengths else None, None)
    s.call(key, "cudnnSetSeqDataDescriptor", *first)
    return desc


def sequence_data(s: Session) -> None:
    cases: dict[str, Any] = {
        "good": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), (5, 3)),
        "batch first": (FLOAT, (5, 2, 1, 8), (1, 0, 2, 3), (5, 3)),
        "vect not last": (FLOAT, (5, 2, 1, 8), (3, 0, 1, 2), (5, 3)),
        "axis twice": (FLOAT, (5, 2, 1, 8), (0, 0, 2, 3), (5, 3)),
        "axis 4": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 4), (5, 3)),
        "few lengths": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), (5,)),
        "beams": (FLOAT, (5, 2, 3, 8), (0, 1, 2, 3), (5, 3, 1, 2, 3, 4)),
        "too long": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), (6, 3)),
        "zero": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), (5, 0)),
        "negative": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), (5, -1)),
        "dim 0": (FLOAT, (5, 0, 1, 8), (0, 1, 2, 3), ()),
        "half": (HALF, (5, 2, 1, 8), (0, 1, 2, 3), (5, 3)),
        "double": (DOUBLE, (5, 2, 1, 8), (0, 1, 2, 3), (5, 3)),
        "bf16": (BF16, (5, 2, 1, 8), (0, 1, 2, 3), (5, 3)),
        "int8": (3, (5, 2, 1, 8), (0, 1, 2, 3), (5, 3)),
        "no lengths": (FLOAT, (5, 2, 1, 8), (0, 1, 2, 3), ()),
    }
    for key, arguments in cases.items():
        desc = sequence(s, key, *arguments)
        got = (
            ctypes.c_int(77),
            ctypes.c_int(77),
            (ctypes.c_int * 4)(*[77] * 4),
            (ctypes.c_int * 4)(*[77] * 4),
            ctypes.c_size_t(77),
            (ctypes.c_int * 8)(*[77] * 8),
        )
        first = (desc, ctypes.byref(got[0]), ctypes.byref(got[1]), 4, got[2], got[3], ctypes.byref(got[4]), 8)
        second = (got[5], None)
        s.call(f"{key} get", "cudnnGetSeqDataDescriptor", *first, *second)
        s.put(f"{key} got", [g.value if hasattr(g, "value") else list(g) for g in got])
    for nb in (3, 5):
        sequence(s, f"rank {nb}", FLOAT, (5, 2, 1, 8, 1), (0, 1, 2, 3, 4), (5, 3), nb)


ATTENTION: dict[str, Any] = {
    "mode": 0,
    "heads": 2,
    "scale": 0.5,
    "dtype": FLOAT,
    "prec": FLOAT,
    "math": 0,
    "attn": None,
    "post": None,
    "q": 6,
    "k": 5,
    "v": 4,
    "qp": 3,
    "kp": 3,
    "vp": 2,
    "op": 7,
    "qo": 4,
    "kv": 5,
    "batch": 2,
    "beam": 1,
}


def attention_descriptor(s: Session) -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"mode": 1},
        {"mode": 2},
        {"mode": 4},
        {"heads": 0},
        {"heads": -1},
        {"scale": -1.0},
        {"scale": 0.0},
        {"dtype": DOUBLE},
        {"dtype": DOUBLE, "prec": DOUBLE},
        {"dtype": HALF},
        {"dtype": HALF, "prec": HALF},
        {"dtype": BF16},
        {"dtype": 3},
        {"math": 3},
        {"math": 4},
        {"q": 0},
        {"k": 0},
        {"v": 0},
        {"qp": 0, "kp": 0},
        {"qp": 0, "kp": 0, "q": 6, "k": 6},
        {"qp": 4},
        {"vp": 0},
        {"op": 0},
        {"vp": 0, "op": 0},
        {"qo": 0},
        {"kv": 0},
        {"batch": 0},
        {"beam": 0},
        {"beam": 2},
        {"qp": -1},
        {"op": 0, "heads": 1},
        {"mode": 2, "qp": 0, "kp": 0, "k": 6},
    ]
    for change in changes:
        desc = s.create("Attn")
        key = f"set {change}"
        status = s.call(key, "cudnnSetAttnDescriptor", desc, *(ATTENTION | change).values())
        got: list[Any] = [
            ctypes.c_uint(77),
            ctypes.c_int(77),
            ctypes.c_double(77),
            *[ctypes.c_int(77) for _ in range(3)],
            ctypes.c_void_p(77),
            ctypes.c_void_p(77),
            *[ctypes.c_int(77) for _ in range(11)],
        ]
        s.call(f"{key} get", "cudnnGetAttnDescriptor", desc, *map(ctypes.byref, got))
        s.put(f"{key} got", [g.value for g in got])
        if status:
            continue
        sizes = [ctypes.c_size_t(12345) for _ in range(3)]
        s.call(f"{key} buffers", "cudnnGetMultiHeadAttnBuffers", s.handle, desc, *map(ctypes.byref, sizes))
        s.put(f"{key} sizes", [z.value for z in sizes])
        space = s.space(max(sizes[0].value, 1)) or 0
        for kind in range(9):
            d, at = s.create("Tensor"), ctypes.c_void_p(77)
            given = (desc, kind, sizes[0].value, space, d, ctypes.byref(at))
            if s.call(f"{key} weights {kind}", "cudnnGetMultiHeadAttnWeights", s.handle, *given) == 0:
                head, arrays = [ctypes.c_int(77) for _ in range(2)], [(ctypes.c_int * 4)() for _ in range(2)]
                s.lib.cudnnGetTensorNdDescriptor(d, 4, *map(ctypes.byref, head), *arrays)
                s.put(
                    f"{key} weights {kind} at",
                    [at.value - space if at.value else None, [h.value for h in head], *map(list, arrays)],
                )


def attention_forward(s: Session) -> None:
    changes: dict[str, dict[str, Any]] = {
        "plain": {},
        "one to one": {"mode": 1},
        "biases": {"mode": 2},
        "no output projection": {"op": 0},
        "no projections": {"qp": 0, "kp": 0, "vp": 0, "op": 0, "k": 6},
        "no value projection": {"vp": 0},
        "one head": {"heads": 1},
        "double": {"dtype": DOUBLE, "prec": DOUBLE},
        "half": {"dtype": HALF},
        "beams": {"beam": 2, "mode": 1},
    }
    for name, change in changes.items():
        c = ATTENTION | change
        desc = s.create("Attn")
        s.lib.cudnnSetAttnDescriptor(desc, *c.values())
        sizes = [ctypes.c_size_t(0) for _ in range(3)]
        s.lib.cudnnGetMultiHeadAttnBuffers(s.handle, desc, *map(ctypes.byref, sizes))
        item = {DOUBLE: 8, FLOAT: 4}.get(c["dtype"], 2)
        w = s.random_buffer(max(sizes[0].value // item, 1), c["dtype"])
        out = c["op"] or c["heads"] * (c["vp"] or c["v"])
        beam, kvbeam = c["beam"], c["beam"] if c["mode"] & 1 else 1
        ql, kl = tuple([4, 2] * beam), tuple([5, 3] * kvbeam)
        axes = (0, 1, 2, 3)
        qd, kd = (
            sequence(s, f"{name} q", c["dtype"], (4, 2, beam, c["q"]), axes, ql),
            sequence(s, f"{name} k", c["dtype"], (5, 2, kvbeam, c["k"]), axes, kl),
        )
        vd, od = (
            sequence(s, f"{name} v", c["dtype"], (5, 2, kvbeam, c["v"]), axes, kl),
            sequence(s, f"{name} o", c["dtype"], (4, 2, beam, out), axes, ql),
        )
        q, k, v = (s.random_buffer(200, c["dtype"]) for _ in range(3))
        o = s.filled(4 * 2 * beam * out, c["dtype"])
        residual = s.random_buffer(o.count, c["dtype"])
        dq, dk = s.upload(ql, INT32), s.upload(kl, INT32)
        for what, low, high, current, res, reserve in (
            ("inference", [0] * 4, [5] * 4, -1, None, 0),
            ("window", [0, 0, 1, 2], [1, 2, 3, 5], -1, None, 0),
            ("step", [0] * 4, [5] * 4, 1, None, 0),
            ("training", [0] * 4, [5] * 4, -1, None, sizes[2].value),
            ("residual", [0] * 4, [5] * 4, -1, residual.address, 0),
        ):
            key = f"{name} {what}"
            first = (s.handle, desc, current, s.ints(low), s.ints(high), dq.address, dk.address, qd, q.address)
            second = (res, kd, k.address, vd, v.address, od, o.address, sizes[0].value, w.address, sizes[1].value)
            third = (s.space(sizes[1].value), reserve, s.space(reserve))
            status = s.call(key, "cudnnMultiHeadAttnForward", *first, *second, *third)
            s.output(key, status, o)


def ctc_descriptor(s: Session) -> None:
    for compute, norm, grad, longest in (
        (FLOAT, 0, 0, 10),
        (FLOAT, 1, 0, 10),
        (FLOAT, 1, 1, 0),
        (DOUBLE, 0, 0, 10),
        (HALF, 0, 0, 10),
        (FLOAT, 2, 0, 10),
        (FLOAT, 0, 2, 10),
        (FLOAT, 0, 100, 10),
        (FLOAT, 0, 0, -1),
        (FLOAT, 0, 0, 256),
    ):
        for version in ("", "Ex", "_v8", "_v9"):
            desc = s.create("CTCLoss")
            arguments = {
                "": (compute,),
                "Ex": (compute, norm, grad),
                "_v8": (compute, norm, grad, longest),
                "_v9": (compute, norm, grad, longest),
            }[version]
            key = f"{version} {arguments}"
            if key in s.results:
                continue
            s.call(key, f"cudnnSetCTCLossDescriptor{version}", desc, *arguments)
            got = [ctypes.c_int(77) for _ in range(4)]
            s.call(f"{key} get", "cudnnGetCTCLossDescriptor_v9", desc, *map(ctypes.byref, got))
            s.put(f"{key} got", [g.value for g in got])


def ctc_loss(s: Session) -> None:
    steps, batch, classes = 6, 3, 5
    labels, label_lengths, input_lengths = (1, 2, 2, 3, 3, 1, 4), (3, 1, 3), (6, 4, 5)
    for dtype, norm, algo in itertools.product((FLOAT, DOUBLE, HALF), (0, 1), (0, 1)):
        desc = s.create("CTCLoss")
        s.lib.cudnnSetCTCLossDescriptor_v9(desc, DOUBLE if dtype == DOUBLE else FLOAT, norm, 0, 8)
        d = s.tensor(dtype, (steps, batch, classes))
        raw = s.values(90)
        probs = (
            raw
            if norm
            else (np.exp(raw).reshape(-1, classes) / np.exp(raw).reshape(-1, classes).sum(1, keepdims=True)).ravel()
        )
        p, cost, grad = s.upload(probs, dtype), s.filled(batch, dtype), s.filled(90, dtype)
        key = f"{NAMES[dtype]} norm {norm} algo {algo}"
        first = (s.handle, d, d, s.ints(labels), s.ints(label_lengths), s.ints(input_lengths), algo, desc)
        need = s.size(f"{key} size", "cudnnGetCTCLossWorkspaceSize", *first)
        first = (s.handle, d, p.address, s.ints(labels), s.ints(label_lengths), s.ints(input_lengths))
        second = (cost.address, d, grad.address, algo, desc, s.space(need), need)
        status = s.call(key, "cudnnCTCLoss", *first, *second)
        s.output(f"{key} costs", status, cost)
        s.output(f"{key} gradients", status, grad)
        need = s.size(f"{key} size v8", "cudnnGetCTCLossWorkspaceSize_v8", s.handle, algo, desc, d, d)
        ints: list[Buffer] = [s.upload(v, INT32) for v in (labels, label_lengths, input_lengths)]
        cost, grad = s.filled(batch, dtype), s.filled(90, dtype)
        first = (s.handle, algo, desc, d, p.address, *[i.address for i in ints], cost.address, d, grad.address)
        second = (need, s.space(need))
        status = s.call(f"{key} v8", "cudnnCTCLoss_v8", *first, *second)
        s.output(f"{key} v8 costs", status, cost)
        s.output(f"{key} v8 gradients", status, grad)


SCENARIOS = [sequence_data, attention_descriptor, attention_forward, ctc_descriptor, ctc_loss]
