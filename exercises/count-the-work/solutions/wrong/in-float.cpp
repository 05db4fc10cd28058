// verdict: wrong_answer
// case: odd-sizes
// why: counts in float, which is exact only as long as the sizes are powers of two
#include <cstdint>

void count_work(int N, int C, int H, int W, int K, int R, int S, int P, int Q, int64_t *work) {
    const float y = 1.0f * N * K * P * Q, sums = y * C * R * S;
    work[0] = static_cast<int64_t>(2 * sums);
    work[1] = static_cast<int64_t>(4 * (1.0f * N * C * H * W + 1.0f * K * C * R * S + y));
    work[2] = static_cast<int64_t>(8 * sums + 4 * y);
}
