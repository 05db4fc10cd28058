# verdict: wrong_answer
# case: one-filter
# why: flips the filter
def convolve(x, w, y, C, H, W, K, R, S, stride):
    for k in range(K):
        for p in range((H - R) // stride + 1):
            for q in range((W - S) // stride + 1):
                total = 0.0
                for c in range(C):
                    for r in range(R):
                        for s in range(S):
                            total += x[c, p * stride + r, q * stride + s] * w[k, c, R - 1 - r, S - 1 - s]
                y[k, p, q] = total
