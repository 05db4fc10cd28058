"""The last states of two GRUs in float64: one reads a sentence forwards, the other backwards."""

import numpy as np

from grader.references import gru


def _codes(inputs, parameters, backwards):
    hidden = parameters["H"]
    code = np.zeros((parameters["B"], 2 * hidden))
    for i, length in enumerate(inputs["lengths"].astype(int)):
        words = inputs["x"][:length, i : i + 1]
        for way, seen in enumerate((words, backwards(words))):
            weights = [inputs[name][way] for name in ("w_ih", "w_hh", "b_ih", "b_hh")]
            code[i, way * hidden : (way + 1) * hidden] = gru(seen, np.zeros((1, hidden)), *weights)[1][0]
    return code


def reference(inputs, parameters):
    return {"code": _codes(inputs, parameters, lambda words: words[::-1])}


def mistakes(inputs, parameters):
    code = reference(inputs, parameters)["code"]
    one_after_the_other = np.concatenate(np.split(code, 2, axis=1)).reshape(code.shape)
    return {
        "states_not_side_by_side": {"code": one_after_the_other},
        "backward_at_last_word": {"code": _codes(inputs, parameters, lambda words: words[-1:])},
    }
