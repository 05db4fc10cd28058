"""RNN v8: descriptors, weight space, sizes, forward, backward."""

import ctypes
import itertools
from dataclasses import dataclass
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT32, NAMES, Session


@dataclass(frozen=True)
class Net:
    """An RNN and its batch: sizes I, H, P, layers; lengths of the sequences."""

    cell: int = 2
    bias: int = 2
    both: int = 0
    skip: int = 0
    dtype: int = FLOAT
    prec: int = FLOAT
    math: int = 0
    inputs: int = 3
    hidden: int = 4
    projected: int = 4
    layers: int = 1
    padded: int = 1
    layout: int = 0
    lengths: tuple[int, ...] = (4, 2, 1)
    longest: int = 4
    algo: int = 0
    dropout: float = 0.0


def make(s: Session, key: str, n: Net) -> tuple[int, int]:
    drop = s.create("Dropout")
    size = ctypes.c_size_t()
    s.lib.cudnnDropoutGetStatesSize(s.handle, ctypes.byref(size))
    if n.dropout:
        s.lib.cudnnSetDropoutDescriptor(drop, s.handle, n.dropout, s.space(size.value), size.value, 1)
    desc = s.create("RNN")
    first = (desc, n.algo, n.cell, n.bias, n.both, n.skip, n.dtype, n.prec, n.math, n.inputs, n.hidden)
    second = (n.projected, n.layers, drop if n.dropout else None, n.padded)
    status = s.call(f"{key} set", "cudnnSetRNNDescriptor_v8", *first, *second)
    return desc, status


def data(s: Session, n: Net, width: int, lengths: tuple[int, ...] | None = None) -> int:
    desc = s.create("RNNData")
    fill = (ctypes.c_double if n.dtype == DOUBLE else ctypes.c_float)(0)
    s.lib.cudnnSetRNNDataDescriptor(
        desc, n.dtype, n.layout, n.longest, len(n.lengths), width, s.ints(lengths or n.lengths), ctypes.byref(fill)
    )
    return desc


def weight_layout(s: Session) -> None:
    nets = [
        Net(cell=c, bias=b, both=d, skip=k, layers=layers, inputs=4 if k else 3)
        for c, b, d, k, layers in itertools.product(range(4), range(4), range(2), range(2), (1, 2))
    ]
    nets += [
        Net(projected=2),
        Net(projected=2, both=1, layers=2),
        Net(projected=2, bias=0),
        Net(dtype=DOUBLE, prec=DOUBLE),
        Net(dtype=HALF),
        Net(dtype=HALF, prec=HALF),
        Net(dtype=BF16),
        Net(hidden=33, projected=33, inputs=7, layers=3),
    ]
    for n in nets:
        key = f"cell {n.cell} bias {n.bias} dir {n.both} skip {n.skip} layers {n.layers} "
        key += f"proj {n.projected} {NAMES[n.dtype]} h {n.hidden}"
        key = key if key not in {k.removesuffix(" set") for k in s.results} else f"{key} prec {n.prec}"
        desc, status = make(s, key, n)
        if status:
            continue
        size = s.size(f"{key} weights", "cudnnGetRNNWeightSpaceSize", s.handle, desc)
        space = s.space(max(size, 1)) or 0
        found: list[Any] = []
        for layer, linear in itertools.product(range(-1, n.layers * (1 + n.both) + 1), range(-1, 10)):
            m, b = s.create("Tensor"), s.create("Tensor")
            at, bt = ctypes.c_void_p(), ctypes.c_void_p()
            status = s.lib.cudnnGetRNNWeightParams(
                s.handle, desc, layer, size, space, linear, m, ctypes.byref(at), b, ctypes.byref(bt)
            )
            found.append(
                [layer, linear, status, *(_place(s, d, p, space) for d, p in ((m, at), (b, bt)))]
                if status == 0
                else [layer, linear, status]
            )
        s.put(f"{key} params", found)


def _place(s: Session, desc: int, address: ctypes.c_void_p, base: int) -> list[Any]:
    head, arrays = [ctypes.c_int(77) for _ in range(2)], [(ctypes.c_int * 4)() for _ in range(2)]
    s.lib.cudnnGetTensorNdDescriptor(desc, 4, *map(ctypes.byref, head), *arrays)
    return [address.value - base if address.value else None, [h.value for h in head], *map(list, arrays)]


def run(
    s: Session, key: str, n: Net, states: bool = True, device_lengths: bool = True, tolerance_key: str = ""
) -> None:
    desc, status = make(s, key, n)
    if status:
        return
    dirs, batch = 1 + n.both, len(n.lengths)
    out = n.projected if n.cell == 2 else n.hidden
    xd, yd = data(s, n, n.inputs), data(s, n, out * dirs)
    size = s.size(f"{key} weights", "cudnnGetRNNWeightSpaceSize", s.handle, desc)
    steps = sum(n.lengths) if n.layout == 1 else n.longest * batch
    item = {DOUBLE: 8, FLOAT: 4}.get(n.dtype, 2)
    w = s.random_buffer(size // item, n.dtype, -0.7, 0.7)
    x, y = s.random_buffer(n.longest * batch * n.inputs, n.dtype), s.filled(n.longest * batch * out * dirs, n.dtype)
    hd, cd = s.tensor(n.dtype, (n.layers * dirs, batch, out)), s.tensor(n.dtype, (n.layers * dirs, batch, n.hidden))
    hn, cn = n.layers * dirs * batch * out, n.layers * dirs * batch * n.hidden
    hx, cx = s.random_buffer(hn, n.dtype), s.random_buffer(cn, n.dtype)
    hy, cy = s.filled(hn, n.dtype), s.filled(cn, n.dtype)
    lengths = s.upload(n.lengths, INT32)
    for mode in (0, 1):
        work, reserve = ctypes.c_size_t(12345), ctypes.c_size_t(12345)
        first = (s.handle, desc, mode, xd, ctypes.byref(work), ctypes.byref(reserve))
        s.call(f"{key} sizes {mode}", "cudnnGetRNNTempSpaceSizes", *first)
        s.put(f"{key} sizes {mode} got", [work.value, reserve.value])
    space, kept = s.space(work.value), s.space(reserve.value)
    for mode in (0, 1):
        forward = (
            s.handle,
            desc,
            mode,
            lengths.address if device_lengths else None,
            xd,
            x.address,
            yd,
            y.address,
            hd,
            hx.address if states else None,
            hy.address if states else None,
            cd,
            cx.address if states else None,
            cy.address if states else None,
            size,
            w.address,
            work.value,
            space,
            reserve.value,
            kept,
        )
        status = s.call(f"{key} mode {mode}", "cudnnRNNForward", *forward)
        if n.dropout and mode:
            s.put(f"{key} dropped", True)
        else:
            for name, buffer in {"y": y, "hy": hy, "cy": cy}.items():
                s.output(f"{key} mode {mode} {name}", status, buffer)
    if status or n.dropout:
        return
    dy, dx = s.random_buffer(y.count, n.dtype), s.filled(x.count, n.dtype)
    dhy, dhx, dcy, dcx = (
        s.random_buffer(hn, n.dtype),
        s.filled(hn, n.dtype),
        s.random_buffer(cn, n.dtype),
        s.filled(cn, n.dtype),
    )
    given = [b.address if states else None for b in (hx, dhy, dhx, cx, dcy, dcx)]
    first = (s.handle, desc, lengths.address, yd, y.address, dy.address, xd, dx.address, hd, *given[:3], cd)
    second = (*given[3:], size, w.address, work.value, space, reserve.value, kept)
    status = s.call(f"{key} backward data", "cudnnRNNBackwardData_v8", *first, *second)
    for name, buffer in {"dx": dx, "dhx": dhx, "dcx": dcx}.items():
        s.output(f"{key} {name}", status, buffer)
    dw = s.filled(size // item, n.dtype, 1)
    first = (s.handle, desc, 0, lengths.address, xd, x.address, hd, given[0], yd, y.address, size, dw.address)
    second = (work.value, space, reserve.value, kept)
    status = s.call(f"{key} backward weights", "cudnnRNNBackwardWeights_v8", *first, *second)
    s.output(f"{key} dw", status, dw)
    s.put(f"{key} steps", steps)


def rnn_forward(s: Session) -> None:
    for cell, both, layers in itertools.product(range(4), range(2), (1, 2)):
        run(s, f"cell {cell} dir {both} layers {layers}", Net(cell=cell, both=both, layers=layers))
    for cell, bias in itertools.product(range(4), (0, 1, 3)):
        run(s, f"cell {cell} bias {bias}", Net(cell=cell, bias=bias))
    for cell, layout, lengths in itertools.product((1, 2, 3), range(3), ((4, 2, 1), (2, 4, 1), (3, 3, 2), (3, 0, 2))):
        if layout != 1 or lengths == (4, 2, 1):
            run(s, f"cell {cell} layout {layout} lengths {lengths}", Net(cell=cell, layout=layout, lengths=lengths))
    for cell, dtype in itertools.product((1, 2, 3), ((DOUBLE, DOUBLE), (HALF, FLOAT), (HALF, HALF), (BF16, FLOAT))):
        run(
            s,
            f"cell {cell} {NAMES[dtype[0]]} prec {NAMES[dtype[1]]}",
            Net(cell=cell, dtype=dtype[0], prec=dtype[1], inputs=8, hidden=8, projected=8),
        )
    for cell in range(4):
        run(s, f"cell {cell} skip", Net(cell=cell, skip=1, inputs=4))
        run(s, f"cell {cell} no states", Net(cell=cell), states=False)
    for both, layers in itertools.product(range(2), (1, 2)):
        run(s, f"projection dir {both} layers {layers}", Net(projected=2, both=both, layers=layers))


def rnn_options(s: Session) -> None:
    for cell in range(4):
        run(s, f"not padded cell {cell}", Net(cell=cell, padded=0))
        run(s, f"not padded equal cell {cell}", Net(cell=cell, padded=0, lengths=(4, 4, 4)))
        run(s, f"packed not padded cell {cell}", Net(cell=cell, padded=0, layout=1))
        run(s, f"no device lengths cell {cell}", Net(cell=cell), device_lengths=False)
        run(s, f"dropout cell {cell}", Net(cell=cell, layers=2, dropout=0.5))
    for math in (1, 2, 3, 4):
        run(s, f"math {math}", Net(math=math))
    for algo in (1, 2, 3, 4):
        run(s, f"algo {algo}", Net(algo=algo, lengths=(4, 4, 4), padded=0))
    run(s, "larger", Net(inputs=32, hidden=64, projected=64, layers=2, both=1, lengths=(12, 9, 9, 5, 1), longest=12))
    for cell in range(4):  # last: what a run draws decides the numbers of those after it
        run(s, f"not padded equal batch major cell {cell}", Net(cell=cell, padded=0, lengths=(4, 4, 4), layout=2))


SCENARIOS = [weight_layout, rnn_forward, rnn_options]
