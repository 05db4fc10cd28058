"""One layer of a recurrent network, one direction, over a batch of sequences of equal length.

Gates are stacked in cuDNN's order: LSTM input, forget, cell, output; GRU reset, update, new (as PyTorch stacks them;
cuDNN numbers a GRU's gates reset, update, new too). w: [G·H, D] for the input, r: [G·H, H] for the state,
b_w and b_r: [G·H]. x: [T, N, D]; h0, c0: [N, H].
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def _sigmoid(x: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-x))


def rnn(
    x: Floats,
    h0: Floats,
    w: Floats,
    r: Floats,
    b_w: Floats,
    b_r: Floats,
    activation: Callable[[Floats], Floats] = np.tanh,
) -> tuple[Floats, Floats]:
    """(y [T, N, H], last state [N, H]) with h = activation(w·x + b_w + r·h + b_r)."""
    h, y = h0, np.empty((*x.shape[:2], h0.shape[-1]))
    for t, step in enumerate(x):
        h = activation(step @ w.T + b_w + h @ r.T + b_r)
        y[t] = h
    return y, h


def lstm(
    x: Floats, h0: Floats, c0: Floats, w: Floats, r: Floats, b_w: Floats, b_r: Floats
) -> tuple[Floats, Floats, Floats]:
    """(y [T, N, H], last h, last c)."""
    h, c, y = h0, c0, np.empty((*x.shape[:2], h0.shape[-1]))
    for t, step in enumerate(x):
        i, f, g, o = np.split(step @ w.T + b_w + h @ r.T + b_r, 4, axis=-1)
        c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
        h = _sigmoid(o) * np.tanh(c)
        y[t] = h
    return y, h, c


def gru(x: Floats, h0: Floats, w: Floats, r: Floats, b_w: Floats, b_r: Floats) -> tuple[Floats, Floats]:
    """(y [T, N, H], last h). The reset gate acts on r·h + b_r, as in cuDNN and PyTorch, not on h before it."""
    h, y = h0, np.empty((*x.shape[:2], h0.shape[-1]))
    for t, step in enumerate(x):
        from_input, from_state = np.split(step @ w.T + b_w, 3, axis=-1), np.split(h @ r.T + b_r, 3, axis=-1)
        reset, update = (_sigmoid(from_input[i] + from_state[i]) for i in (0, 1))
        new = np.tanh(from_input[2] + reset * from_state[2])
        h = (1.0 - update) * new + update * h
        y[t] = h
    return y, h
