void fold(const float *w, const float *b, const float *scale, const float *shift, const float *mean,
          const float *variance, float *folded_w, float *folded_b, int K, int M, double epsilon) {
    // Batch norm makes scale * (y - mean) / sqrt(variance + epsilon) + shift of y = w · x + b.
    // Write the same as folded_w · x + folded_b.
    for (int i = 0; i < K * M; ++i) folded_w[i] = w[i];
    for (int k = 0; k < K; ++k) folded_b[k] = b[k];
}
