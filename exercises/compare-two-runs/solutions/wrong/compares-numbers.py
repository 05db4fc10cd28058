# verdict: wrong_answer
# case: zero-of-other-sign
# why: compares by !=, which does not tell 0.0 from -0.0
import numpy as np


def position(values):
    """Positions of floats in the row of all floats; both zeros are 0."""
    bits = values.view(np.int32).astype(np.int64)
    return np.where(bits >= 0, bits, -(2**31) - bits)


def compare(count, a, b, report):
    different = np.flatnonzero(a != b)
    report[0] = len(different)
    report[1] = different[0] if len(different) else -1
    report[2] = np.abs(position(a) - position(b)).max()
