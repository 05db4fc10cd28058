#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>

namespace {

int64_t product(std::initializer_list<int> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

}  // namespace

void count_work(int N, int C, int H, int W, int K, int R, int S, int P, int Q, int64_t *work) {
    const int64_t numbers_in = product({N, C, H, W}) + product({K, C, R, S});
    const int64_t numbers_out = product({N, K, P, Q});
    const int64_t multiply_adds = product({N, K, P, Q, C, R, S});
    work[0] = multiply_adds * 2;
    work[1] = (numbers_in + numbers_out) * static_cast<int64_t>(sizeof(float));
    work[2] = (2 * multiply_adds + numbers_out) * static_cast<int64_t>(sizeof(float));
}
