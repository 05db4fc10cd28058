// verdict: wrong_answer
// case: many-bytes
// why: adds up the numbers of x, w and y in int, and only then widens the sum
#include <cstdint>

void count_work(int N, int C, int H, int W, int K, int R, int S, int P, int Q, int64_t *work) {
    work[0] = 2LL * N * K * P * Q * C * R * S;
    work[1] = 4LL * (N * C * H * W + K * C * R * S + N * K * P * Q);
    work[2] = 8LL * N * K * P * Q * C * R * S + 4LL * N * K * P * Q;
}
