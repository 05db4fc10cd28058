# verdict: wrong_answer
# case: small
# why: gives numbers instead of bytes
def count_work(N, C, H, W, K, R, S, P, Q, work):
    x, w, y = N * C * H * W, K * C * R * S, N * K * P * Q
    sums = y * C * R * S
    work[:] = (2 * sums, (x + w + y), 8 * sums + 4 * y)
