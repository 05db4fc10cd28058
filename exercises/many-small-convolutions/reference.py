"""Each image with its own filters."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    pairs = zip(inputs["x"], inputs["w"], strict=True)
    return {"y": np.stack([convolution_forward(x[None], w, padding=(1, 1))[0] for x, w in pairs])}
