#include <bit>
#include <cstdint>

namespace {

float block_sum(const float *from, int each) {
    float sum = 0.0f;
    for (int i = 0; i < each; ++i) sum = sum + from[i];
    return sum;
}

}  // namespace

void sum_twice(int blocks, int each, const float *values, const int32_t *arrival, int32_t *bits) {
    float totals[2] = {0.0f, 0.0f};
    for (int i = 0; i < blocks; ++i) {
        totals[0] += block_sum(values + arrival[i] * each, each);
        totals[1] += block_sum(values + i * each, each);
    }
    bits[0] = std::bit_cast<int32_t>(totals[0]);
    bits[1] = std::bit_cast<int32_t>(totals[1]);
}
