import numpy as np


def sum_twice(blocks, each, values, arrival, bits):
    # One sum, in an order that NumPy chooses, stored twice.
    bits[:] = np.sum(values).view(np.int32)
