"""Between 0 and 6."""

import numpy as np


def reference(inputs, parameters):
    return {"y": np.clip(inputs["x"], 0.0, 6.0)}
