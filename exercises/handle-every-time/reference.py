"""max(0, y)."""

import numpy as np


def reference(inputs, parameters):
    return {"y": np.maximum(inputs["y"], 0.0)}
