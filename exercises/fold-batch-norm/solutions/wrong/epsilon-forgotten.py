# verdict: wrong_answer
# why: leaves epsilon out
import numpy as np


def fold(w, b, scale, shift, mean, variance, folded_w, folded_b, K, M, epsilon):
    factor = scale / np.sqrt(variance)
    folded_w[:] = w * factor[:, None]
    folded_b[:] = (b - mean) * factor + shift
