// verdict: wrong_answer
// case: stride-two
// why: moves the window by 1 whatever the stride
void convolve(const float *x, const float *w, float *y, int C, int H, int W, int K, int R, int S, int stride) {
    const int P = (H - R) / stride + 1, Q = (W - S) / stride + 1;
    for (int k = 0; k < K; ++k)
        for (int p = 0; p < P; ++p)
            for (int q = 0; q < Q; ++q) {
                float sum = 0;
                for (int c = 0; c < C; ++c)
                    for (int r = 0; r < R; ++r)
                        for (int s = 0; s < S; ++s)
                            sum += x[(c * H + p + r) * W + q + s] * w[((k * C + c) * R + r) * S + s];
                y[(k * P + p) * Q + q] = sum;
            }
}
