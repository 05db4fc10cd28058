"""Operations, least bytes, and bytes of the naive loop."""

import numpy as np


def reference(inputs, parameters):
    p = parameters
    sums = p["N"] * p["K"] * p["P"] * p["Q"] * p["C"] * p["R"] * p["S"]
    x, w = p["N"] * p["C"] * p["H"] * p["W"], p["K"] * p["C"] * p["R"] * p["S"]
    y = p["N"] * p["K"] * p["P"] * p["Q"]
    return {"work": np.array([2 * sums, 4 * (x + w + y), 8 * sums + 4 * y], dtype=np.float64)}
