def count_work(N, C, H, W, K, R, S, P, Q, work):
    work[0] = 0  # operations: two for each multiply-add
    work[1] = 0  # bytes, each number of x, w and y moved once
    work[2] = 0  # bytes of the naive loop: reads one x and one w for each multiply-add, writes y once
