#include <vector>

void convolve(const float *x, const float *w, float *y, int C, int H, int W, int K, int R, int S, int stride) {
    const int P = (H - R) / stride + 1, Q = (W - S) / stride + 1, length = C * R * S;
    std::vector<float> patch(length);
    for (int p = 0; p < P; ++p)
        for (int q = 0; q < Q; ++q) {
            // The numbers under the window in one row, in the order of the filter.
            int i = 0;
            for (int c = 0; c < C; ++c)
                for (int r = 0; r < R; ++r)
                    for (int s = 0; s < S; ++s) patch[i++] = x[(c * H + p * stride + r) * W + q * stride + s];
            for (int k = 0; k < K; ++k) {
                float sum = 0;
                for (int j = 0; j < length; ++j) sum += patch[j] * w[k * length + j];
                y[(k * P + p) * Q + q] = sum;
            }
        }
}
