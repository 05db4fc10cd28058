"""The convolution in float64, in the order of the memory."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    x, w = inputs["x"], inputs["w"]
    if parameters["last"]:
        x, w = x.transpose(0, 3, 1, 2), w.transpose(0, 3, 1, 2)
    y = convolution_forward(x, w, padding=(parameters["pad"],) * 2, stride=(parameters["stride"],) * 2)
    return {"y": np.ascontiguousarray(y.transpose(0, 2, 3, 1) if parameters["last"] else y)}
