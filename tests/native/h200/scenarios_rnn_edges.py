"""RNN v8: descriptors, wrong arguments, sizes."""

import ctypes
from dataclasses import replace
from typing import Any

from tests.native.h200.scenarios_rnn import Net, data
from tests.native.h200.session import FLOAT, HALF, INT32, Session


def rnn_edges(s: Session) -> None:
    good = [0, 2, 2, 0, 0, FLOAT, FLOAT, 0, 3, 4, 4, 1, None, 1]
    for place, values in {
        0: (-1, 4),
        1: (-1, 4),
        2: (-1, 4),
        3: (-1, 2),
        4: (-1, 2),
        5: (1, 3, 4, 9),
        6: (1, 2, 4, 9),
        7: (-1, 4),
        8: (0, -1),
        9: (0,),
        10: (0, 5, 2),
        11: (0, -1),
        13: (2, 3),
    }.items():
        for value in values:
            arguments = [value if place == j else v for j, v in enumerate(good)]
            s.call(f"set {place} {value}", "cudnnSetRNNDescriptor_v8", s.create("RNN"), *arguments)
    s.call(
        "skip with unequal sizes",
        "cudnnSetRNNDescriptor_v8",
        s.create("RNN"),
        *[1 if j == 4 else v for j, v in enumerate(good)],
    )
    s.call("null", "cudnnSetRNNDescriptor_v8", None, *good)
    desc, fresh = s.create("RNN"), s.create("RNN")
    for d, name in ((fresh, "fresh"), (desc, "set")):
        if name == "set":
            s.lib.cudnnSetRNNDescriptor_v8(desc, *good)
        got = [ctypes.c_int(77) for _ in range(12)], ctypes.c_void_p(77), ctypes.c_uint(77)
        s.call(
            f"get {name}",
            "cudnnGetRNNDescriptor_v8",
            d,
            *map(ctypes.byref, got[0]),
            ctypes.byref(got[1]),
            ctypes.byref(got[2]),
        )
        s.put(f"got {name}", [[g.value for g in got[0]], got[1].value, got[2].value])
        clip = ctypes.c_int(77), ctypes.c_double(77), ctypes.c_double(77)
        s.call(f"clip {name}", "cudnnRNNGetClip_v9", d, *map(ctypes.byref, clip))
        s.put(f"clip got {name}", [c.value for c in clip])
    s.call("get nulls", "cudnnGetRNNDescriptor_v8", desc, *[None] * 14)
    for mode, low, high in (
        (0, 0.0, 0.0),
        (1, -1.0, 1.0),
        (1, 1.0, -1.0),
        (1, 1.0, 1.0),
        (2, -1.0, 1.0),
        (-1, 0.0, 0.0),
        (1, float("nan"), 1.0),
    ):
        s.call(f"set clip {mode} {low} {high}", "cudnnRNNSetClip_v9", desc, mode, low, high)
    s.call("set clip fresh", "cudnnRNNSetClip_v9", fresh, 1, -1.0, 1.0)
    gru = s.create("RNN")
    s.lib.cudnnSetRNNDescriptor_v8(gru, *[3 if j == 1 else v for j, v in enumerate(good)])
    s.call("set clip gru", "cudnnRNNSetClip_v9", gru, 1, -1.0, 1.0)
    s.size("weights fresh", "cudnnGetRNNWeightSpaceSize", s.handle, fresh)
    s.size("weights null handle", "cudnnGetRNNWeightSpaceSize", None, desc)
    s.call("weights null", "cudnnGetRNNWeightSpaceSize", s.handle, desc, None)
    forward_edges(s, desc)
    data_edges(s)


def forward_edges(s: Session, desc: int) -> None:
    n = Net()
    s.lib.cudnnRNNSetClip_v9(desc, 1, -0.25, 0.25)
    xd, yd = data(s, n, 3), data(s, n, 4)
    hd = s.tensor(FLOAT, (1, 3, 4))
    x, w, state = s.random_buffer(36), s.random_buffer(144, FLOAT, -2, 2), s.random_buffer(12)
    y, hy, cy, lengths = s.filled(48), s.filled(12), s.filled(12), s.upload((4, 2, 1), INT32)
    work, reserve = ctypes.c_size_t(), ctypes.c_size_t()
    s.lib.cudnnGetRNNTempSpaceSizes(s.handle, desc, 1, xd, ctypes.byref(work), ctypes.byref(reserve))
    space, kept = s.space(work.value), s.space(reserve.value)
    states = (hd, state.address, hy.address, hd, state.address, cy.address)
    spaces = (576, w.address, work.value, space, reserve.value, kept)
    good = [s.handle, desc, 1, lengths.address, xd, x.address, yd, y.address, *states, *spaces]
    status = s.call("clipped", "cudnnRNNForward", *good)
    for name, buffer in {"y": y, "hy": hy, "cy": cy}.items():
        s.output(f"clipped {name}", status, buffer)
    for i in (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 19):
        s.call(f"null {i}", "cudnnRNNForward", *[None if i == j else v for j, v in enumerate(good)])
    for name, (place, value) in {
        "mode 2": (2, 2),
        "weights less": (14, 575),
        "weights more": (14, 580),
        "work less": (16, work.value - 1),
        "reserve less": (18, reserve.value - 1),
        "work 0": (16, 0),
        "reserve 0": (18, 0),
        "x width": (4, data(s, n, 4)),
        "y width": (6, data(s, n, 3)),
        "h dims": (8, s.tensor(FLOAT, (1, 3, 5))),
        "h batch": (8, s.tensor(FLOAT, (1, 2, 4))),
        "h layers": (8, s.tensor(FLOAT, (2, 3, 4))),
        "h half": (8, s.tensor(HALF, (1, 3, 4))),
        "h rank 4": (8, s.tensor(FLOAT, (1, 3, 4, 1))),
        "c dims": (11, s.tensor(FLOAT, (1, 3, 5))),
        "y lengths": (6, data(s, n, 4, (4, 2, 2))),
        "y half": (6, data(s, replace(n, dtype=HALF), 4)),
        "x half": (4, data(s, replace(n, dtype=HALF), 3)),
        "y layout": (6, data(s, replace(n, layout=1), 4)),
        "x unset": (4, s.create("RNNData")),
        "h strides": (8, s.tensor(FLOAT, (1, 3, 4), (24, 8, 1))),
    }.items():
        s.call(name, "cudnnRNNForward", *[value if place == j else v for j, v in enumerate(good)])
    wrong_sizes(s, desc, good)
    backward_edges(s, desc, good)


def wrong_sizes(s: Session, desc: int, good: list[Any]) -> None:
    work, reserve, xd = ctypes.c_size_t(), ctypes.c_size_t(), good[4]
    nothing = [None if j in (8, 9, 10, 11, 12, 13) else v for j, v in enumerate(good)]
    s.call("no state descriptors", "cudnnRNNForward", *nothing)
    wrong = s.upload((2, 2, 1), INT32)
    s.call("device lengths differ", "cudnnRNNForward", *[wrong.address if j == 3 else v for j, v in enumerate(good)])
    s.call("sync", "cudaDeviceSynchronize")
    s.call(
        "sizes null x", "cudnnGetRNNTempSpaceSizes", s.handle, desc, 1, None, ctypes.byref(work), ctypes.byref(reserve)
    )
    s.call(
        "sizes mode 2", "cudnnGetRNNTempSpaceSizes", s.handle, desc, 2, xd, ctypes.byref(work), ctypes.byref(reserve)
    )
    s.call("sizes null work", "cudnnGetRNNTempSpaceSizes", s.handle, desc, 1, xd, None, ctypes.byref(reserve))
    s.call("sizes null reserve", "cudnnGetRNNTempSpaceSizes", s.handle, desc, 1, xd, ctypes.byref(work), None)


def backward_edges(s: Session, desc: int, good: list[Any]) -> None:
    lengths, xd, x, yd, y, hd, state = good[3], good[4], good[5], good[6], good[7], good[8], good[9]
    size, w, *spaces = good[14:]
    up, down, dh, dc = s.random_buffer(48), s.filled(36), s.filled(12), s.filled(12)
    states = (hd, state, None, dh.address, hd, state, None, dc.address)
    grad = [s.handle, desc, lengths, yd, y, up.address, xd, down.address, *states, size, w, *spaces]
    for i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 17, 19, 21):
        s.call(
            f"backward data null {i}", "cudnnRNNBackwardData_v8", *[None if i == j else v for j, v in enumerate(grad)]
        )
    dw = s.filled(144)
    weights = [s.handle, desc, 0, lengths, xd, x, hd, state, yd, y, size, dw.address, *spaces]
    for i in (0, 1, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15):
        s.call(
            f"backward weights null {i}",
            "cudnnRNNBackwardWeights_v8",
            *[None if i == j else v for j, v in enumerate(weights)],
        )
    s.call("backward weights set", "cudnnRNNBackwardWeights_v8", *[1 if j == 2 else v for j, v in enumerate(weights)])
    s.call("clipped again", "cudnnRNNForward", *good)
    for name, (function, arguments) in {"data": ("Data", grad), "weights": ("Weights", weights)}.items():
        status = s.call(f"clipped {name}", f"cudnnRNNBackward{function}_v8", *arguments)
        for part, buffer in ({"dx": down, "dhx": dh, "dcx": dc} if name == "data" else {"dw": dw}).items():
            s.output(f"clipped {part}", status, buffer)


def data_edges(s: Session) -> None:
    good = [FLOAT, 0, 4, 3, 5, s.ints((4, 2, 1)), None]
    for name, (place, value) in {
        "int8": (0, 3),
        "int32": (0, 4),
        "bf16": (0, 9),
        "double": (0, 1),
        "layout 3": (1, 3),
        "length 0": (2, 0),
        "batch 0": (3, 0),
        "width 0": (4, 0),
        "null lengths": (5, None),
        "too long": (5, s.ints((5, 2, 1))),
        "unsorted": (5, s.ints((1, 2, 4))),
        "zero": (5, s.ints((4, 0, 0))),
        "negative": (5, s.ints((4, -1, 1))),
        "all zero": (5, s.ints((0, 0, 0))),
        "shorter": (5, s.ints((3, 2, 1))),
    }.items():
        for layout in (0, 1, 2):
            desc = s.create("RNNData")
            arguments = [value if place == j else layout if j == 1 else v for j, v in enumerate(good)]
            key = f"data {name} layout {layout}"
            s.call(key, "cudnnSetRNNDataDescriptor", desc, *arguments)
            got, array, fill = [ctypes.c_int(77) for _ in range(5)], (ctypes.c_int * 4)(*[77] * 4), ctypes.c_double(77)
            s.call(
                f"{key} get", "cudnnGetRNNDataDescriptor", desc, *map(ctypes.byref, got), 4, array, ctypes.byref(fill)
            )
            s.put(f"{key} got", [[g.value for g in got], list(array)])
    fill = ctypes.c_float(2.5)
    desc, back = s.create("RNNData"), ctypes.c_float(77)
    s.call("fill set", "cudnnSetRNNDataDescriptor", desc, *good[:6], ctypes.byref(fill))
    array = (ctypes.c_int * 4)(*[77] * 4)
    for requested in (-1, 0, 2):
        s.call(
            f"fill get {requested}",
            "cudnnGetRNNDataDescriptor",
            desc,
            *[ctypes.byref(ctypes.c_int()) for _ in range(5)],
            requested,
            array,
            ctypes.byref(back),
        )
        s.put(f"fill got {requested}", [back.value, list(array)])
    n = Net()
    rnn = s.create("RNN")
    s.lib.cudnnSetRNNDescriptor_v8(rnn, 0, 1, 2, 0, 0, FLOAT, FLOAT, 0, 3, 4, 4, 1, None, 1)
    yd = s.create("RNNData")
    s.lib.cudnnSetRNNDataDescriptor(yd, FLOAT, 0, 4, 3, 4, s.ints((4, 2, 1)), ctypes.byref(fill))
    y, w = s.filled(48), s.random_buffer(36)
    work, reserve = ctypes.c_size_t(), ctypes.c_size_t()
    s.lib.cudnnGetRNNTempSpaceSizes(s.handle, rnn, 0, data(s, n, 3), ctypes.byref(work), ctypes.byref(reserve))
    hd = s.tensor(FLOAT, (1, 3, 4))
    first = (s.handle, rnn, 0, s.upload((4, 2, 1), INT32).address, data(s, n, 3), s.random_buffer(36).address, yd)
    second = (y.address, hd, None, None, hd, None, None, 144, w.address, work.value, s.space(work.value), 0, None)
    status = s.call("filled forward", "cudnnRNNForward", *first, *second)
    s.output("filled forward", status, y)


SCENARIOS = [rnn_edges]
