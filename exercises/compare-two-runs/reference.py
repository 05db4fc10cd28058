"""Elements that differ in their bits, the first of them, and the largest distance in units in the last place."""

import numpy as np


def reference(inputs, parameters):
    bits = [inputs[name].astype(np.float32).view(np.int32).astype(np.int64) for name in "ab"]
    key = [np.where(i >= 0, i, -(2**31) - i) for i in bits]
    different = np.flatnonzero(bits[0] != bits[1])
    first = different[0] if len(different) else -1
    return {"report": np.array([len(different), first, np.abs(key[0] - key[1]).max()], dtype=np.float64)}
