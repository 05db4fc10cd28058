"""Recurrent networks against NumPy: forward exactly, gradients by differences of the reference, and against PyTorch."""

import ctypes
import itertools

import numpy as np
import pytest

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF
from tests.native.ops import BAD_PARAM, NOT_SUPPORTED, check, session
from tests.native.rnn_reference import GATES, GRU, INFERENCE, LSTM, PACKED, RELU, TRAINING, Described, Net, variants

VARIANTS = variants()
TYPES = (FLOAT, DOUBLE, HALF, BF16)
REFUSED = (
    (10, 5, NOT_SUPPORTED),
    (10, 0, BAD_PARAM),
    (5, DOUBLE, NOT_SUPPORTED),
    (8, 0, BAD_PARAM),
    (1, 4, BAD_PARAM),
)
"""Parameter of cudnnSetRNNDescriptor_v8, a value, the status."""


@pytest.mark.parametrize(("name", "dtype", "mode"), list(itertools.product(VARIANTS, TYPES, (INFERENCE, TRAINING))))
def test_forward(name: str, dtype: int, mode: int) -> None:
    d = Described(session(len(name)), VARIANTS[name], dtype)
    got = d.run(mode)
    expected = d.reference(d.weights, d.x, d.hx, d.cx)
    check(got["y"], d.flat(expected.y, d.net.outputs * d.net.directions), dtype, 2)
    check(got["hy"], expected.hy.ravel(), dtype, 2)
    if d.net.cell == LSTM:
        check(got["cy"], expected.cy.ravel(), dtype, 2)


@pytest.mark.parametrize("name", VARIANTS)
def test_gradients_are_the_slope_of_the_reference(name: str) -> None:
    d = Described(session(len(name)), VARIANTS[name])
    got = d.run()
    point, step = [d.weights, d.x, d.hx, d.cx], 1e-6
    parts = zip(("dw", "dx", "dhx", "dcx"), range(4), strict=True)
    for (gradient, index), _ in itertools.product(parts, range(4)):
        if gradient == "dcx" and d.net.cell != LSTM:
            continue
        way = d.s.random.normal(size=point[index].size)
        ends = [[v + sign * step * way if i == index else v for i, v in enumerate(point)] for sign in (1, -1)]
        slope = (d.loss(*ends[0]) - d.loss(*ends[1])) / (2 * step)
        found = float(got[gradient] @ way)
        assert found == pytest.approx(slope, rel=2e-5, abs=2e-5), f"{gradient} along a random direction"


@pytest.mark.parametrize(("name", "dtype"), list(itertools.product(VARIANTS, (FLOAT, HALF, BF16))))
def test_gradients_in_other_types_are_those_of_double(name: str, dtype: int) -> None:
    low = Described(session(len(name)), VARIANTS[name], dtype)
    high = Described(session(len(name)), VARIANTS[name], DOUBLE)
    for field in ("weights", "x", "hx", "cx", "dy", "dhy", "dcy"):
        setattr(high, field, getattr(low, field))
    found, expected = low.run(), high.run()
    for key in set(found) - {"y", "hy", "cy"}:
        check(found[key], expected[key], dtype, 8)


@pytest.mark.parametrize("cell", [RELU, LSTM, GRU])
def test_null_states_are_zero(cell: int) -> None:
    d = Described(session(cell), Net(cell))
    found = d.run(states=False)
    expected = d.reference(d.weights, d.x, 0 * d.hx, 0 * d.cx)
    check(found["y"], d.flat(expected.y, 4), DOUBLE)


def test_padding_is_filled() -> None:
    s = session()
    d = Described(s, Net(GRU, lengths=(3, 1), longest=3))
    fill = ctypes.c_double(2.5)
    s.ok("cudnnSetRNNDataDescriptor", d.yd, DOUBLE, 0, 3, 2, 4, s.ints((3, 1)), ctypes.byref(fill))
    y = d.run(INFERENCE)["y"].reshape(3, 2, 4)
    assert (y[1:, 1] == 2.5).all()
    assert (y[:, 0] != 2.5).all()


@pytest.mark.parametrize("cell", [LSTM, GRU])
def test_dropout_between_layers_has_the_slope_of_its_own_mask(cell: int) -> None:
    s = session(cell)
    net = Net(cell, layers=2, lengths=(5, 5, 4), longest=5, hidden=8)
    d = Described(s, net)
    states, drop = 6488064, s.create("Dropout")
    memory = s.space(states)
    s.ok("cudnnSetRNNDescriptor_v8", d.desc, 0, cell, 2, 0, 0, DOUBLE, DOUBLE, 0, net.inputs, 8, 8, 2, drop, 1)

    def run(rate: float) -> dict[str, np.ndarray]:
        s.ok("cudnnSetDropoutDescriptor", drop, s.handle, rate, memory, states, 5)
        return d.run()

    base = run(0.5)
    way, step = s.random.normal(size=d.x.size), 1e-6
    ends, x = [], d.x
    for sign in (1, -1):
        d.x = x + sign * step * way
        ends.append(run(0.5))
    moved = {k: (ends[0][k] - ends[1][k]) / (2 * step) for k in ("y", "hy", "cy") if k in base}
    slope = sum(float(moved[k] @ g) for k, g in (("y", d.dy), ("hy", d.dhy), ("cy", d.dcy)) if k in moved)
    mask = d.flat([np.ones((n, 8)) for n in net.lengths], 8)
    slope -= float(moved["y"] @ (d.dy * (1 - mask)))
    assert float(base["dx"] @ way) == pytest.approx(slope, rel=1e-5, abs=1e-5)
    assert not np.allclose(base["y"], run(0.0)["y"])


def test_weight_space_holds_exactly_the_parameters() -> None:
    for name, net in VARIANTS.items():
        d = Described(session(), net)
        covered = np.zeros(d.weights.size, int)
        for block in itertools.chain.from_iterable(d.blocks.values()):
            if block:
                covered[block[0] : block[0] + block[1][0] * block[1][1]] += 1
        assert (covered == 1).all(), name
        assert len(d.blocks) == net.pseudo_layers * (2 * GATES[net.cell] + 1)


UNPADDED = ((0, (4, 4, 4), 0), (0, (4, 4, 3), BAD_PARAM), (1, (4, 4, 3), 0), (2, (4, 4, 4), BAD_PARAM))
"""Layout and lengths of a network without CUDNN_RNN_PADDED_IO_ENABLED, and the status on an H200."""


@pytest.mark.parametrize(("layout", "lengths", "expected"), UNPADDED)
def test_a_network_without_padding_refuses_padded_data_and_the_layout_by_batch(
    layout: int, lengths: tuple[int, ...], expected: int
) -> None:
    s = session()
    d = Described(s, Net(GRU, lengths=lengths, layout=layout))
    s.ok("cudnnSetRNNDescriptor_v8", d.desc, 0, GRU, 2, 0, 0, DOUBLE, DOUBLE, 0, 3, 4, 4, 1, None, 0)
    if not expected:
        d.run(INFERENCE)
        return
    with pytest.raises(AssertionError, match=f"cudnnRNNForward: {expected}"):
        d.run(INFERENCE)


RESERVES = (
    (Net(RELU), 384),
    (Net(LSTM), 832),
    (Net(GRU), 928),
    (Net(LSTM, layers=2, bidirectional=True), 2720),
    (Net(LSTM, projected=2), 1024),
    (Net(GRU, layers=2), 1728),
)


@pytest.mark.parametrize(("net", "expected"), RESERVES)
def test_reserve_space_as_on_an_h200(net: Net, expected: int) -> None:
    d = Described(session(), net, FLOAT)
    size = ctypes.c_size_t()
    d.s.ok("cudnnGetRNNTempSpaceSizes", d.s.handle, d.desc, TRAINING, d.xd, None, ctypes.byref(size))
    assert size.value == expected


def test_statuses() -> None:
    s = session()
    good = [0, LSTM, 2, 0, 0, FLOAT, FLOAT, 0, 3, 4, 4, 1, None, 0]
    for place, value, expected in (
        (10, 5, NOT_SUPPORTED),
        (10, 0, BAD_PARAM),
        (5, DOUBLE, NOT_SUPPORTED),
        (8, 0, BAD_PARAM),
        (1, 4, BAD_PARAM),
    ):
        arguments = [value if place == i else v for i, v in enumerate(good)]
        assert s.lib.cudnnSetRNNDescriptor_v8(s.create("RNN"), *arguments) == expected
    data = s.create("RNNData")
    assert s.lib.cudnnSetRNNDataDescriptor(data, FLOAT, PACKED, 5, 3, 2, s.ints((2, 4, 5)), None) == BAD_PARAM
    s.ok("cudnnSetRNNDataDescriptor", data, FLOAT, PACKED, 5, 3, 2, s.ints((5, 4, 2)), None)
    d = Described(s, Net(LSTM), FLOAT)
    s.ok("cudnnSetRNNDescriptor_v8", d.desc, *good)
    head = (
        s.handle,
        d.desc,
        0,
        None,
        d.xd,
        s.upload(d.x).address,
        d.yd,
        s.upload(d.dy).address,
        d.hd,
        None,
        None,
        d.cd,
        None,
        None,
    )
    size = d.space.value
    assert s.lib.cudnnRNNForward(*head, size, s.space(size), 1 << 24, s.space(1 << 24), 0, None) == BAD_PARAM, (
        "padding without the flag"
    )


@pytest.mark.parametrize(
    "name", ["tanh", "lstm", "gru", "lstm two layers both ways", "gru larger", "projection both ways"]
)
def test_as_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; NumPy references check the same")
    d = Described(session(len(name)), VARIANTS[name])
    net, parameters = d.net, d.parameters(d.weights)
    kind = {LSTM: torch.nn.LSTM, GRU: torch.nn.GRU}.get(net.cell, torch.nn.RNN)
    extra = {"proj_size": net.projected} if net.cell == LSTM else {}
    module = kind(net.inputs, net.hidden, net.layers, bidirectional=net.bidirectional, dtype=torch.float64, **extra)
    gates = GATES[net.cell]
    for pseudo in range(net.pseudo_layers):
        suffix = f"l{pseudo // net.directions}" + ("_reverse" if pseudo % net.directions else "")
        for half, part in enumerate(("ih", "hh")):
            for index, field in enumerate(("weight", "bias")):
                blocks = [parameters[pseudo, half * gates + k][index] for k in range(gates)]
                getattr(module, f"{field}_{part}_{suffix}").data = torch.tensor(np.concatenate(blocks))
        if net.projected:
            getattr(module, f"weight_hr_{suffix}").data = torch.tensor(parameters[pseudo, 2 * gates][0])
    x = torch.nn.utils.rnn.pack_sequence([torch.tensor(v) for v in d.sequences(d.x)])
    shape = (net.pseudo_layers, len(net.lengths), -1)
    hx, cx = torch.tensor(d.hx.reshape(shape)), torch.tensor(d.cx.reshape(shape))
    y, state = module(x, (hx, cx) if net.cell == LSTM else hx)
    found = d.run(INFERENCE)
    sequences = torch.nn.utils.rnn.unpack_sequence(y)
    check(found["y"], d.flat([v.detach().numpy() for v in sequences], net.outputs * net.directions), DOUBLE, 10)
    check(found["hy"], (state[0] if net.cell == LSTM else state).detach().numpy().ravel(), DOUBLE, 10)
