def fold(w, b, scale, shift, mean, variance, folded_w, folded_b, K, M, epsilon):
    # Batch norm makes scale * (y - mean) / sqrt(variance + epsilon) + shift of y = w · x + b.
    # Write the same as folded_w · x + folded_b.
    folded_w[:] = w
    folded_b[:] = b
