void convolve(const float *x, const float *w, float *y, int C, int H, int W, int K, int R, int S, int stride) {
    const int P = (H - R) / stride + 1, Q = (W - S) / stride + 1;
    for (int i = 0; i < K * P * Q; ++i) y[i] = 0;
    // y[k][p][q] = sum over c, r, s of x[c][p * stride + r][q * stride + s] * w[k][c][r][s]
}
