// verdict: wrong_answer
// case: one-filter
// why: flips the filter
void convolve(const float *x, const float *w, float *y, int C, int H, int W, int K, int R, int S, int stride) {
    const int P = (H - R) / stride + 1, Q = (W - S) / stride + 1;
    for (int k = 0; k < K; ++k)
        for (int p = 0; p < P; ++p)
            for (int q = 0; q < Q; ++q) {
                float sum = 0;
                for (int c = 0; c < C; ++c)
                    for (int r = 0; r < R; ++r)
                        for (int s = 0; s < S; ++s)
                            sum += x[(c * H + p * stride + r) * W + q * stride + s] * w[((k * C + c) * R + R - 1 - r) * S + S - 1 - s];
                y[(k * P + p) * Q + q] = sum;
            }
}
