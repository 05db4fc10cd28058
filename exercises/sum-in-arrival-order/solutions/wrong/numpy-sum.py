# verdict: wrong_answer
# why: np.sum adds in pairs, in another order than from left to right
import numpy as np


def add_up(numbers):
    return np.sum(np.array(list(numbers), dtype=np.float32))


def sum_twice(blocks, each, values, arrival, bits):
    partial = [add_up(values[b * each : (b + 1) * each]) for b in range(blocks)]
    bits[0] = add_up(partial[b] for b in arrival).view(np.int32)
    bits[1] = add_up(partial).view(np.int32)
