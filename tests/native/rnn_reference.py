"""Recurrent networks in NumPy, and the same network described to cuDNN: for the tests of the RNN functions."""

import ctypes
import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tests.native.h200.session import DOUBLE, FLOAT, INT32, Array
from tests.native.ops import Ops

RELU, TANH, LSTM, GRU = range(4)
NO_BIAS, INPUT_BIAS, DOUBLE_BIAS, RECURRENT_BIAS = range(4)
SEQUENCE_MAJOR, PACKED, BATCH_MAJOR = range(3)
INFERENCE, TRAINING = range(2)
GIVEN = ("x", "weights", "hx", "cx", "dy", "dhy", "dcy")
GATES = {RELU: 1, TANH: 1, LSTM: 4, GRU: 3}


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


@dataclass(frozen=True)
class Net:
    """A network and the lengths of the sequences it reads."""

    cell: int
    bias: int = DOUBLE_BIAS
    bidirectional: bool = False
    skip: bool = False
    inputs: int = 3
    hidden: int = 4
    projected: int = 0
    layers: int = 1
    lengths: tuple[int, ...] = (4, 2, 1)
    longest: int = 4
    layout: int = SEQUENCE_MAJOR
    clip: float = 0

    @property
    def directions(self) -> int:
        return 1 + self.bidirectional

    @property
    def outputs(self) -> int:
        return self.projected or self.hidden

    @property
    def pseudo_layers(self) -> int:
        return self.layers * self.directions

    def width(self, layer: int) -> int:
        return self.inputs if layer == 0 else self.outputs * self.directions


Parameters = dict[tuple[int, int], tuple[Array | None, Array | None]]
"""(pseudo layer, linear layer) → matrix and bias, null where the network has none."""


@dataclass
class Outcome:
    """y: sequences of (steps, outputs * directions). hy, cy: (pseudo layers, batch, width)."""

    y: list[Array]
    hy: Array
    cy: Array


def cell_step(net: Net, x: list[Array], r: list[Array], h: Array, c: Array) -> tuple[Array, Array]:
    """One step from the gates' input and recurrent parts: the new state and cell."""
    if net.cell == GRU:
        reset, update = sigmoid(x[0] + r[0]), sigmoid(x[1] + r[1])
        return (1 - update) * np.tanh(x[2] + reset * r[2]) + update * h, c
    if net.cell == LSTM:
        clip = (lambda v: np.clip(v, -net.clip, net.clip)) if net.clip else (lambda v: v)
        fresh = sigmoid(x[1] + r[1]) * clip(c) + sigmoid(x[0] + r[0]) * np.tanh(x[2] + r[2])
        return sigmoid(x[3] + r[3]) * np.tanh(clip(fresh)), fresh
    total = x[0] + r[0]
    return (np.maximum(total, 0) if net.cell == RELU else np.tanh(total)), c


def forward(net: Net, parameters: Parameters, x: list[Array], hx: Array, cx: Array) -> Outcome:
    gates = GATES[net.cell]
    hy, cy = np.zeros(hx.shape), np.zeros(cx.shape)

    def linear(pseudo: int, which: int, v: Array) -> Array:
        matrix, bias = parameters[pseudo, which]
        result = v if matrix is None else matrix @ v
        return result if bias is None else result + bias

    values = x
    for layer in range(net.layers):
        outputs = [np.zeros((len(v), net.outputs * net.directions)) for v in values]
        for d, (b, sequence) in itertools.product(range(net.directions), enumerate(values)):
            pseudo = layer * net.directions + d
            h, c = hx[pseudo, b], cx[pseudo, b]
            for t in range(len(sequence))[:: -1 if d else 1]:
                from_x = [linear(pseudo, k, sequence[t]) for k in range(gates)]
                from_h = [linear(pseudo, gates + k, h) for k in range(gates)]
                h, c = cell_step(net, from_x, from_h, h, c)
                if net.projected:
                    h = linear(pseudo, 2 * gates, h)
                outputs[b][t, d * net.outputs : (d + 1) * net.outputs] = h
            if len(sequence):
                hy[pseudo, b], cy[pseudo, b] = h, c
        values = outputs
    return Outcome(values, hy, cy)


class Described:
    """A network on the simulator, with random weights, inputs, states and output gradients."""

    def __init__(self, s: Ops, net: Net, dtype: int = DOUBLE) -> None:
        self.s, self.net, self.dtype = s, net, dtype
        self.desc = s.create("RNN")
        precision = DOUBLE if dtype == DOUBLE else FLOAT
        s.ok(
            "cudnnSetRNNDescriptor_v8",
            self.desc,
            0,
            net.cell,
            net.bias,
            int(net.bidirectional),
            int(net.skip),
            dtype,
            precision,
            0,
            net.inputs,
            net.hidden,
            net.outputs,
            net.layers,
            None,
            1,
        )
        if net.clip:
            s.ok("cudnnRNNSetClip_v9", self.desc, 1, -net.clip, net.clip)
        self.xd, self.yd = self.data(net.inputs), self.data(net.outputs * net.directions)
        batch = len(net.lengths)
        self.hd = s.tensor(dtype, (net.pseudo_layers, batch, net.outputs))
        self.cd = s.tensor(dtype, (net.pseudo_layers, batch, net.hidden))
        self.space = ctypes.c_size_t()
        s.ok("cudnnGetRNNWeightSpaceSize", s.handle, self.desc, ctypes.byref(self.space))
        self.item = {DOUBLE: 8, FLOAT: 4}.get(dtype, 2)
        draw = lambda n: s.values(n, dtype, -0.7, 0.7)  # noqa: E731
        self.weights = draw(self.space.value // self.item)
        self.x = draw(self.vectors * net.inputs)
        self.hx, self.dhy = (draw(net.pseudo_layers * batch * net.outputs) for _ in range(2))
        self.cx, self.dcy = (draw(net.pseudo_layers * batch * net.hidden) for _ in range(2))
        self.dy = draw(self.vectors * net.outputs * net.directions)
        self.lengths = s.upload(net.lengths, INT32)

    def data(self, width: int) -> int:
        desc, net = self.s.create("RNNData"), self.net
        zero = ctypes.c_double(0)
        self.s.ok(
            "cudnnSetRNNDataDescriptor",
            desc,
            self.dtype,
            net.layout,
            net.longest,
            len(net.lengths),
            width,
            self.s.ints(net.lengths),
            ctypes.byref(zero),
        )
        return desc

    @property
    def vectors(self) -> int:
        return sum(self.net.lengths) if self.net.layout == PACKED else self.net.longest * len(self.net.lengths)

    def place(self, b: int, t: int) -> int:
        """Which vector of the memory is step `t` of sequence `b`."""
        if self.net.layout == BATCH_MAJOR:
            return b * self.net.longest + t
        if self.net.layout == PACKED:
            return sum(min(length, t) for length in self.net.lengths) + b
        return t * len(self.net.lengths) + b

    def sequences(self, flat: Array) -> list[Array]:
        rows = flat.reshape(self.vectors, -1)
        return [rows[[self.place(b, t) for t in range(length)]] for b, length in enumerate(self.net.lengths)]

    def flat(self, sequences: list[Array], width: int) -> Array:
        rows = np.zeros((self.vectors, width))
        for b, sequence in enumerate(sequences):
            for t, vector in enumerate(sequence):
                rows[self.place(b, t)] = vector
        return rows.ravel()

    @cached_property
    def blocks(self) -> dict[tuple[int, int], list[tuple[int, tuple[int, ...]] | None]]:
        """Where each matrix and bias lies in the weights: first element and shape."""
        s, found = self.s, {}
        for key in itertools.product(range(self.net.pseudo_layers), range(2 * GATES[self.net.cell] + 1)):
            descs = [s.create("Tensor"), s.create("Tensor")]
            at = [ctypes.c_void_p(), ctypes.c_void_p()]
            s.ok(
                "cudnnGetRNNWeightParams",
                s.handle,
                self.desc,
                key[0],
                self.space.value,
                1 << 20,
                key[1],
                descs[0],
                ctypes.byref(at[0]),
                descs[1],
                ctypes.byref(at[1]),
            )
            found[key] = [self.block(desc, place.value) for desc, place in zip(descs, at, strict=True)]
        return found

    def block(self, desc: int, place: int | None) -> tuple[int, tuple[int, ...]] | None:
        if place is None:
            return None
        dims, strides, kind, rank = (ctypes.c_int * 3)(), (ctypes.c_int * 3)(), ctypes.c_int(), ctypes.c_int()
        self.s.ok("cudnnGetTensorNdDescriptor", desc, 3, ctypes.byref(kind), ctypes.byref(rank), dims, strides)
        return (place - (1 << 20)) // self.item, (dims[1], dims[2])

    def parameters(self, weights: Array) -> Parameters:
        def take(block: tuple[int, tuple[int, ...]] | None) -> Array | None:
            return None if block is None else weights[block[0] :][: block[1][0] * block[1][1]].reshape(block[1])

        return {
            key: (take(matrix), None if bias is None else take(bias).ravel())
            for key, (matrix, bias) in self.blocks.items()
        }

    def reference(self, weights: Array, x: Array, hx: Array, cx: Array) -> Outcome:
        shape = (self.net.pseudo_layers, len(self.net.lengths), -1)
        return forward(self.net, self.parameters(weights), self.sequences(x), hx.reshape(shape), cx.reshape(shape))

    def loss(self, *given: Array) -> float:
        """Inner product of the outputs with the output gradients."""
        out = self.reference(*given)
        pairs = zip(out.y, self.sequences(self.dy), strict=True)
        live = np.array(self.net.lengths) > 0
        total = sum(float((y * dy).sum()) for y, dy in pairs)
        shape = (self.net.pseudo_layers, len(self.net.lengths), -1)
        total += float((out.hy * self.dhy.reshape(shape))[:, live].sum())
        return total + (float((out.cy * self.dcy.reshape(shape))[:, live].sum()) if self.net.cell == LSTM else 0)

    def run(self, mode: int = TRAINING, states: bool = True) -> dict[str, Array]:
        """Forward, and for training both backward passes, on the simulator: every result by name."""
        s = self.s
        work, reserve = ctypes.c_size_t(), ctypes.c_size_t()
        sizes = (ctypes.byref(work), ctypes.byref(reserve))
        s.ok("cudnnGetRNNTempSpaceSizes", s.handle, self.desc, mode, self.xd, *sizes)
        spaces = (work.value, s.space(work.value), reserve.value, s.space(reserve.value))
        given = {name: s.upload(getattr(self, name), self.dtype) for name in GIVEN}
        counts = {"y": self.dy, "hy": self.hx, "cy": self.cx, "dx": self.x, "dhx": self.hx, "dcx": self.cx}
        out = {name: s.filled(like.size, self.dtype, np.nan) for name, like in counts.items()}
        out["dw"] = s.filled(self.weights.size, self.dtype, 0)
        at = {name: buffer.address for name, buffer in (given | out).items()}
        if not states:
            at |= {"hx": None, "cx": None}
        self._forward(mode, at, spaces)
        if mode == TRAINING:
            self._backward(at, spaces)
        unused = set() if self.net.cell == LSTM else {"cy", "dcx"}
        unused |= set() if mode == TRAINING else {"dx", "dhx", "dcx", "dw"}
        return {name: s.download(buffer) for name, buffer in out.items() if name not in unused}

    def _forward(self, mode: int, at: dict[str, Any], spaces: tuple[Any, ...]) -> None:
        data = (self.xd, at["x"], self.yd, at["y"])
        states = (self.hd, at["hx"], at["hy"], self.cd, at["cx"], at["cy"])
        head = (self.s.handle, self.desc, mode, self.lengths.address)
        self.s.ok("cudnnRNNForward", *head, *data, *states, self.space.value, at["weights"], *spaces)

    def _backward(self, at: dict[str, Any], spaces: tuple[Any, ...]) -> None:
        s, size, lengths = self.s, self.space.value, self.lengths.address
        data = (self.yd, at["y"], at["dy"], self.xd, at["dx"])
        states = (self.hd, at["hx"], at["dhy"], at["dhx"], self.cd, at["cx"], at["dcy"], at["dcx"])
        head = (s.handle, self.desc, lengths)
        s.ok("cudnnRNNBackwardData_v8", *head, *data, *states, size, at["weights"], *spaces)
        inputs = (self.xd, at["x"], self.hd, at["hx"], self.yd, at["y"])
        s.ok("cudnnRNNBackwardWeights_v8", s.handle, self.desc, 0, lengths, *inputs, size, at["dw"], *spaces)


def variants() -> dict[str, Net]:
    """Networks that between them use every option."""
    nets = {}
    for cell, name in ((RELU, "relu"), (TANH, "tanh"), (LSTM, "lstm"), (GRU, "gru")):
        base = Net(cell)
        nets |= {
            name: base,
            f"{name} two layers both ways": replace(base, layers=2, bidirectional=True),
            f"{name} no bias": replace(base, bias=NO_BIAS),
            f"{name} input bias": replace(base, bias=INPUT_BIAS),
            f"{name} recurrent bias": replace(base, bias=RECURRENT_BIAS),
            f"{name} skip": replace(base, skip=True, inputs=4),
            f"{name} packed": replace(base, layout=PACKED),
            f"{name} batch major": replace(base, layout=BATCH_MAJOR, lengths=(2, 4, 0)),
            f"{name} larger": replace(base, inputs=20, hidden=33, layers=2, lengths=(7, 7, 5, 3), longest=7),
        }
    lstm = Net(LSTM)
    return nets | {
        "projection": replace(lstm, projected=2),
        "projection both ways": replace(lstm, projected=3, layers=2, bidirectional=True),
        "clip": replace(lstm, clip=0.3),
    }
