"""The state of a tanh network after each sentence's own last word, in float64."""

import numpy as np

from grader.references import rnn


def reference(inputs, parameters):
    hidden = parameters["H"]
    states, none = np.zeros((parameters["B"], hidden)), np.zeros(hidden)
    for i, length in enumerate(inputs["lengths"].astype(int)):
        words = inputs["x"][:length, i : i + 1]
        states[i] = rnn(words, np.zeros((1, hidden)), inputs["w"], inputs["r"], none, none)[1][0]
    return {"states": states}
