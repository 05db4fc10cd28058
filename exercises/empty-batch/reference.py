"""max(0, y) for the first images; the others as they were."""

import numpy as np


def reference(inputs, parameters):
    y, used = inputs["y"].copy(), parameters["used"]
    y[:used] = np.maximum(y[:used], 0.0)
    return {"y": y}
