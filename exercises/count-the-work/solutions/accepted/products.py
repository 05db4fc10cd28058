from math import prod


def count_work(N, C, H, W, K, R, S, P, Q, work):
    multiply_adds = prod((N, K, P, Q, C, R, S))
    written = prod((N, K, P, Q))
    work[0] = 2 * multiply_adds
    work[1] = 4 * (prod((N, C, H, W)) + prod((K, C, R, S)) + written)
    work[2] = 4 * (2 * multiply_adds + written)
