# verdict: wrong_answer
# case: small
# why: counts a multiply-add as one operation
def count_work(N, C, H, W, K, R, S, P, Q, work):
    x, w, y = N * C * H * W, K * C * R * S, N * K * P * Q
    sums = y * C * R * S
    work[:] = (sums, 4 * (x + w + y), 8 * sums + 4 * y)
