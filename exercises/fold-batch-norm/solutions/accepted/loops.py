from math import sqrt


def fold(w, b, scale, shift, mean, variance, folded_w, folded_b, K, M, epsilon):
    for k in range(K):
        factor = float(scale[k]) / sqrt(float(variance[k]) + epsilon)
        for m in range(M):
            folded_w[k, m] = w[k, m] * factor
        folded_b[k] = float(shift[k]) + factor * (float(b[k]) - float(mean[k]))
