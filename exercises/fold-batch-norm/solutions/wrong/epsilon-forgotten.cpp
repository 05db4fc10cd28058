// verdict: wrong_answer
// why: leaves epsilon out
#include <cmath>

void fold(const float *w, const float *b, const float *scale, const float *shift, const float *mean,
          const float *variance, float *folded_w, float *folded_b, int K, int M, double epsilon) {
    for (int k = 0; k < K; ++k) {
        const double factor = scale[k] / std::sqrt(variance[k] + 0 * epsilon);
        for (int m = 0; m < M; ++m) folded_w[k * M + m] = static_cast<float>(w[k * M + m] * factor);
        folded_b[k] = static_cast<float>((b[k] - mean[k]) * factor + shift[k]);
    }
}
