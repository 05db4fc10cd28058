#include <algorithm>
#include <cmath>
#include <vector>

void fold(const float *w, const float *b, const float *scale, const float *shift, const float *mean,
          const float *variance, float *folded_w, float *folded_b, int K, int M, double epsilon) {
    std::vector<float> factor(K);
    std::transform(scale, scale + K, variance, factor.begin(), [epsilon](float gamma, float spread) {
        return gamma / std::sqrt(spread + static_cast<float>(epsilon));
    });
    for (int i = 0; i < K * M; ++i) folded_w[i] = w[i] * factor[i / M];
    for (int k = 0; k < K; ++k) folded_b[k] = shift[k] - mean[k] * factor[k] + b[k] * factor[k];
}
