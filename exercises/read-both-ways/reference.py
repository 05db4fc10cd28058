"""The last states of two GRUs in float64: one reads a sentence forwards, the other backwards."""

import numpy as np

from grader.references import gru


def reference(inputs, parameters):
    hidden = parameters["H"]
    code = np.zeros((parameters["B"], 2 * hidden))
    for i, length in enumerate(inputs["lengths"].astype(int)):
        words = inputs["x"][:length, i : i + 1]
        for way, seen in enumerate((words, words[::-1])):
            weights = [inputs[name][way] for name in ("w_ih", "w_hh", "b_ih", "b_hh")]
            code[i, way * hidden : (way + 1) * hidden] = gru(seen, np.zeros((1, hidden)), *weights)[1][0]
    return {"code": code}
