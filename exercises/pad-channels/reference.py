"""The image with channels of zeros behind its own."""

import numpy as np


def reference(inputs, parameters):
    missing = -parameters["C"] % 8
    return {"padded": np.pad(inputs["x"], ((0, 0), (0, 0), (0, 0), (0, missing)))}
