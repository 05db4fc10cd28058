"""An LSTM in float64, one sequence after the other; padding of y is zero."""

import numpy as np

from grader.references import lstm


def _network(inputs, parameters, lengths):
    steps, batch, hidden = (parameters[name] for name in "TBH")
    y, hy, cy = np.zeros((steps, batch, hidden)), np.zeros((batch, hidden)), np.zeros((batch, hidden))
    weights = [inputs[name] for name in ("w_ih", "w_hh", "b_ih", "b_hh")]
    for i, length in enumerate(lengths):
        zero = np.zeros((1, hidden))
        out, h, c = lstm(inputs["x"][:length, i : i + 1], zero, zero, *weights)
        y[:length, i], hy[i], cy[i] = out[:, 0], h[0], c[0]
    return {"y": y, "hy": hy, "cy": cy}


def reference(inputs, parameters):
    return _network(inputs, parameters, inputs["lengths"].astype(int))


def mistakes(inputs, parameters):
    return {"padding_read": _network(inputs, parameters, [parameters["T"]] * parameters["B"])}
