#include <algorithm>
#include <cstdint>
#include <vector>
#include <cudnn.h>

void choose(int count, const int32_t *status, const float *time, const int32_t *deterministic_engine,
            const int32_t *tensor_core_engine, int benchmark, int deterministic, int allow_tf32, int benchmark_limit,
            int32_t *chosen) {
    std::vector<int> left;
    for (int i = 0; i < count; ++i) {
        const bool allowed = (deterministic_engine[i] || !deterministic) && (allow_tf32 || !tensor_core_engine[i]);
        if (allowed && status[i] == CUDNN_STATUS_SUCCESS) left.push_back(i);
    }
    if (benchmark && benchmark_limit > 0 && left.size() > static_cast<size_t>(benchmark_limit)) left.resize(benchmark_limit);
    const auto best = benchmark ? std::min_element(left.begin(), left.end(), [&](int a, int b) { return time[a] < time[b]; })
                                : left.begin();
    chosen[0] = best == left.end() ? -1 : *best;
}
