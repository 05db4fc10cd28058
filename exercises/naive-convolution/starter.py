def convolve(x, w, y, C, H, W, K, R, S, stride):
    y[:] = 0
    # y[k, p, q] = sum over c, r, s of x[c, p * stride + r, q * stride + s] * w[k, c, r, s]
