// verdict: wrong_answer
// case: ties
// pattern: ties_away
// why: rounds every tie up instead of to even
#include <cstdint>
#include <cstring>

void to_bfloat16(int count, const float *values, int32_t *bits) {
    for (int i = 0; i < count; ++i) {
        uint32_t whole;
        std::memcpy(&whole, &values[i], sizeof whole);
        bits[i] = static_cast<int32_t>((whole + 0x8000u) >> 16);
    }
}
