# verdict: wrong_answer
# case: two-filters
# why: takes the variance for the inverse deviation that training saves
import numpy as np


def fold(w, b, scale, shift, mean, variance, folded_w, folded_b, K, M, epsilon):
    factor = scale * variance
    folded_w[:] = w * factor[:, None]
    folded_b[:] = (b - mean) * factor + shift
