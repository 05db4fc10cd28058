# verdict: wrong_answer
# case: two-channels
# why: sums over the first channel only
def convolve(x, w, y, C, H, W, K, R, S, stride):
    for k in range(K):
        for p in range((H - R) // stride + 1):
            for q in range((W - S) // stride + 1):
                total = 0.0
                for c in range(1):
                    for r in range(R):
                        for s in range(S):
                            total += x[c, p * stride + r, q * stride + s] * w[k, c, r, s]
                y[k, p, q] = total
