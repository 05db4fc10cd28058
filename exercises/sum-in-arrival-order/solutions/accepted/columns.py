import numpy as np


def sum_twice(blocks, each, values, arrival, bits):
    # One addition in float a step, for all blocks at once; cumsum adds from left to right.
    partial = np.zeros(blocks, dtype=np.float32)
    for column in values.reshape(blocks, each).T:
        partial += column
    totals = np.array([np.cumsum(partial[arrival])[-1], np.cumsum(partial)[-1]], dtype=np.float32)
    bits[:] = totals.view(np.int32)
