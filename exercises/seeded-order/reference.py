"""A Fisher-Yates shuffle driven by SplitMix64, whose state follows from seed and epoch alone."""

import numpy as np

MASK = 2**64 - 1


def mixed(state):
    """The next state and the number drawn."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def reference(inputs, parameters):
    _, start = mixed(parameters["seed"])
    state, indices = (start + parameters["epoch"]) & MASK, np.arange(parameters["M"], dtype=np.float64)
    for i in range(parameters["M"] - 1, 0, -1):
        state, drawn = mixed(state)
        j = drawn % (i + 1)
        indices[[i, j]] = indices[[j, i]]
    return {"indices": indices}
