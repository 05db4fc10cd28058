# verdict: wrong_answer
# case: three-by-three
# why: forgets that each output sums over all input channels
def count_work(N, C, H, W, K, R, S, P, Q, work):
    x, w, y = N * C * H * W, K * C * R * S, N * K * P * Q
    sums = y * R * S
    work[:] = (2 * sums, 4 * (x + w + y), 8 * sums + 4 * y)
