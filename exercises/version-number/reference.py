"""The parts of a version number."""

import numpy as np


def reference(inputs, parameters):
    version = int(parameters["version"])
    major, rest = divmod(version, 10000 if version >= 90000 else 1000)
    return {"parts": np.array([major, rest // 100, rest % 100], dtype=np.float64)}
