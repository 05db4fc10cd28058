"""Each image by itself, one behind the other."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    channels, start, results = parameters["C"], 0, []
    for side in inputs["side"].astype(int):
        end = start + channels * side * side
        image = inputs["x"][start:end].reshape(1, channels, side, side)
        results.append(convolution_forward(image, inputs["w"], padding=(1, 1)).reshape(-1))
        start = end
    return {"y": np.concatenate(results)}
