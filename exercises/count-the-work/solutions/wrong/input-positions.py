# verdict: wrong_answer
# case: small
# why: places the filter at each input position instead of each output position
def count_work(N, C, H, W, K, R, S, P, Q, work):
    x, w, y = N * C * H * W, K * C * R * S, N * K * P * Q
    sums = x * K * R * S
    work[:] = (2 * sums, 4 * (x + w + y), 8 * sums + 4 * y)
