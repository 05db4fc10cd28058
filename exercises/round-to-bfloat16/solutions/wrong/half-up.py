# verdict: wrong_answer
# case: ties
# pattern: ties_away
# why: rounds every tie up instead of to even
import numpy as np


def to_bfloat16(count, values, bits):
    whole = values.view(np.uint32)
    bits[:] = ((whole + np.uint32(0x8000)) >> np.uint32(16)).astype(np.int32)
