# verdict: wrong_answer
# case: zero-of-other-sign
# why: subtracts the bits without turning the negative half round
import numpy as np


def position(values):
    """Positions of floats in the row of all floats; both zeros are 0."""
    bits = values.view(np.int32).astype(np.int64)
    return bits


def compare(count, a, b, report):
    different = np.flatnonzero(a.view(np.int32) != b.view(np.int32))
    report[0] = len(different)
    report[1] = different[0] if len(different) else -1
    report[2] = np.abs(position(a) - position(b)).max()
