#include <cstdint>
#include <cudnn.h>

void choose(int count, const int32_t *status, const float *time, const int32_t *deterministic_engine,
            const int32_t *tensor_core_engine, int benchmark, int deterministic, int allow_tf32, int benchmark_limit,
            int32_t *chosen) {
    int best = -1, timed = 0;
    for (int i = 0; i < count; ++i) {
        if (status[i] != CUDNN_STATUS_SUCCESS) continue;
        if (deterministic && !deterministic_engine[i]) continue;
        if (!allow_tf32 && tensor_core_engine[i]) continue;
        if (!benchmark) {
            best = i;
            break;
        }
        if (benchmark_limit > 0 && timed == benchmark_limit) break;
        ++timed;
        if (best < 0 || time[i] < time[best]) best = i;
    }
    chosen[0] = best;
}
