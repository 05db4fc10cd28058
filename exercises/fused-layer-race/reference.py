"""max(0, convolution + bias) in float64."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    pad = parameters["pad"]
    y = convolution_forward(inputs["x"], inputs["w"], padding=(pad, pad))
    return {"y": np.maximum(y + inputs["bias"][None, :, None, None], 0.0)}
