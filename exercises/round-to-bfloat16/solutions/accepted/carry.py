import numpy as np


def to_bfloat16(count, values, bits):
    whole = values.view(np.uint32)
    odd = (whole >> np.uint32(16)) & np.uint32(1)
    bits[:] = ((whole + np.uint32(0x7FFF) + odd) >> np.uint32(16)).astype(np.int32)
