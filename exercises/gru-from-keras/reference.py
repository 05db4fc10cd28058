"""A GRU in float64 from weights as Keras keeps them: gates z, r, n along the columns."""

import numpy as np

from grader.references import gru


def _stacked(matrix):
    """Columns z, r, n → rows r, z, n."""
    z, r, n = np.split(matrix, 3, axis=-1)
    return np.concatenate([r, z, n], axis=-1).T


def reference(inputs, parameters):
    weights = [_stacked(inputs[name]) for name in ("kernel", "recurrent")]
    biases = [_stacked(row) for row in inputs["bias"]]
    y, hy = gru(inputs["x"].transpose(1, 0, 2), inputs["h0"], *weights, *biases)
    return {"y": y.transpose(1, 0, 2), "hy": hy}
