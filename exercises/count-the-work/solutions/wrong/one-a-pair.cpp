// verdict: wrong_answer
// case: small
// why: counts a multiply-add as one operation
#include <cstdint>

void count_work(int N, int C, int H, int W, int K, int R, int S, int P, int Q, int64_t *work) {
    const int64_t y = int64_t{N} * K * P * Q;
    const int64_t x = int64_t{N} * C * H * W;
    const int64_t w = int64_t{K} * C * R * S;
    const int64_t sums = y * C * R * S;
    work[0] = sums;
    work[1] = 4 * (x + w + y);
    work[2] = 8 * sums + 4 * y;
}
