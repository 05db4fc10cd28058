"""max(0, x), without what stands between the rows."""

import numpy as np


def reference(inputs, parameters):
    return {"y": np.maximum(inputs["x"][:, : parameters["W"]], 0.0)}
