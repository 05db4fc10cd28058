// verdict: wrong_answer
// pattern: summed_in_double
// why: adds in double, which is nearer to the truth but not what the float hardware gives
#include <cstdint>
#include <cstring>
#include <vector>

void sum_twice(int blocks, int each, const float *values, const int32_t *arrival, int32_t *bits) {
    std::vector<double> partial(blocks, 0.0f);
    for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < each; ++i) partial[b] += values[b * each + i];
    double arrived = 0.0, ordered = 0.0;
    for (int i = 0; i < blocks; ++i) arrived += partial[arrival[i]];
    for (int b = 0; b < blocks; ++b) ordered += partial[b];
    const float totals[2] = {static_cast<float>(arrived), static_cast<float>(ordered)};
    std::memcpy(bits, totals, sizeof totals);
}
