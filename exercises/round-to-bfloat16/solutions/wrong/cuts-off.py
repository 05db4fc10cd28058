# verdict: wrong_answer
# case: a-few
# pattern: cut_off
# why: cuts the lower half off, which rounds towards zero
import numpy as np


def to_bfloat16(count, values, bits):
    whole = values.view(np.uint32)
    bits[:] = (whole >> np.uint32(16)).astype(np.int32)
