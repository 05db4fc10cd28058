# verdict: wrong_answer
# case: other-sign
# why: subtracts in 32 bits, where the distance overflows
import numpy as np


def position(values):
    """Positions of floats in the row of all floats; both zeros are 0."""
    bits = values.view(np.int32)
    return np.where(bits >= 0, bits, np.int32(-(2**31)) - bits)


def compare(count, a, b, report):
    different = np.flatnonzero(a.view(np.int32) != b.view(np.int32))
    report[0] = len(different)
    report[1] = different[0] if len(different) else -1
    report[2] = np.abs(position(a) - position(b)).max()
