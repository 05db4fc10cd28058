#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>
#include <cudnn.h>

void choose(int count, const int32_t *algo, const int32_t *status, const float *time, const int64_t *memory,
            size_t budget, int32_t *chosen) {
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return time[a] < time[b]; });
    const auto found = std::find_if(order.begin(), order.end(), [&](int i) {
        return status[i] == CUDNN_STATUS_SUCCESS && static_cast<size_t>(memory[i]) <= budget;
    });
    chosen[0] = found == order.end() ? CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM : algo[*found];
}
