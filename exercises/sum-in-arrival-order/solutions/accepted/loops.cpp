#include <cstdint>
#include <cstring>
#include <vector>

void sum_twice(int blocks, int each, const float *values, const int32_t *arrival, int32_t *bits) {
    std::vector<float> partial(blocks, 0.0f);
    for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < each; ++i) partial[b] += values[b * each + i];
    float arrived = 0.0f, ordered = 0.0f;
    for (int i = 0; i < blocks; ++i) arrived += partial[arrival[i]];
    for (int b = 0; b < blocks; ++b) ordered += partial[b];
    std::memcpy(&bits[0], &arrived, sizeof arrived);
    std::memcpy(&bits[1], &ordered, sizeof ordered);
}
