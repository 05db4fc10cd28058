# verdict: wrong_answer
# case: two-filters
# why: divides by the variance instead of the standard deviation
import numpy as np


def fold(w, b, scale, shift, mean, variance, folded_w, folded_b, K, M, epsilon):
    factor = scale / (variance + epsilon)
    folded_w[:] = w * factor[:, None]
    folded_b[:] = (b - mean) * factor + shift
