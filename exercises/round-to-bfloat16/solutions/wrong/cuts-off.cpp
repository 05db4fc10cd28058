// verdict: wrong_answer
// case: a-few
// pattern: cut_off
// why: cuts the lower half off, which rounds towards zero
#include <cstdint>
#include <cstring>

void to_bfloat16(int count, const float *values, int32_t *bits) {
    for (int i = 0; i < count; ++i) {
        uint32_t whole;
        std::memcpy(&whole, &values[i], sizeof whole);
        bits[i] = static_cast<int32_t>(whole >> 16);
    }
}
