#include <cstdint>

void count_work(int N, int C, int H, int W, int K, int R, int S, int P, int Q, int64_t *work) {
    work[0] = 0;  // operations: two for each multiply-add
    work[1] = 0;  // bytes, each number of x, w and y moved once
    work[2] = 0;  // bytes of the naive loop: reads one x and one w for each multiply-add, writes y once
}
