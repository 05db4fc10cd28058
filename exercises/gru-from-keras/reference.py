"""A GRU in float64 from weights as Keras keeps them: gates z, r, n along the columns."""

import numpy as np

from grader.references import gru


def _stacked(matrix):
    """Columns z, r, n → rows r, z, n."""
    z, r, n = np.split(matrix, 3, axis=-1)
    return np.concatenate([r, z, n], axis=-1).T


def _not_exchanged(matrix):
    return matrix.T


def _not_transposed(matrix):
    """The block of each gate in Keras's own order of memory, read as rows of cuDNN."""
    z, r, n = (part.reshape(part.shape[::-1]) for part in np.split(matrix, 3, axis=-1))
    return np.concatenate([r, z, n])


def _network(inputs, stacked, stacked_bias=_stacked):
    weights = [stacked(inputs[name]) for name in ("kernel", "recurrent")]
    biases = [stacked_bias(row) for row in inputs["bias"]]
    y, hy = gru(inputs["x"].transpose(1, 0, 2), inputs["h0"], *weights, *biases)
    return {"y": y.transpose(1, 0, 2), "hy": hy}


def reference(inputs, parameters):
    return _network(inputs, _stacked)


def mistakes(inputs, parameters):
    return {
        "gates_not_exchanged": _network(inputs, _not_exchanged, _not_exchanged),
        "not_transposed": _network(inputs, _not_transposed),
    }
