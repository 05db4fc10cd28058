# verdict: wrong_answer
# case: a-few
# why: rounds to half, which divides its 16 bits otherwise
import numpy as np


def to_bfloat16(count, values, bits):
    bits[:] = values.astype(np.float16).view(np.uint16).astype(np.int32)
