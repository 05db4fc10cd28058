// verdict: wrong_answer
// case: shuffled
// why: answers with the position in the list instead of the algorithm's number
#include <cstddef>
#include <cstdint>
#include <cudnn.h>

void choose(int count, const int32_t *algo, const int32_t *status, const float *time, const int64_t *memory,
            size_t budget, int32_t *chosen) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (status[i] != CUDNN_STATUS_SUCCESS) continue;
        if (static_cast<size_t>(memory[i]) > budget) continue;
        if (best < 0 || time[i] < time[best]) best = i;
    }
    chosen[0] = best < 0 ? CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM : best;
}
