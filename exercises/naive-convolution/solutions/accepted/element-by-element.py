def convolve(x, w, y, C, H, W, K, R, S, stride):
    y[:] = 0
    P, Q = y.shape[1:]
    for r in range(R):
        for s in range(S):
            # All positions of the window at once: the numbers that meet the filter's element (r, s).
            met = x[:, r : r + P * stride : stride, s : s + Q * stride : stride]
            for k in range(K):
                for c in range(C):
                    y[k] += met[c] * w[k, c, r, s]
