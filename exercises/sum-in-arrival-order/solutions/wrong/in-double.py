# verdict: wrong_answer
# pattern: summed_in_double
# why: adds in double, as Python does, which is nearer to the truth but not what the float hardware gives
import numpy as np


def add_up(numbers):
    total = 0.0
    for number in numbers:
        total = total + float(number)
    return np.float32(total)


def sum_twice(blocks, each, values, arrival, bits):
    partial = [add_up(values[b * each : (b + 1) * each]) for b in range(blocks)]
    bits[0] = add_up(partial[b] for b in arrival).view(np.int32)
    bits[1] = add_up(partial).view(np.int32)
