#include <cstdint>
#include <cstring>

void to_bfloat16(int count, const float *values, int32_t *bits) {
    for (int i = 0; i < count; ++i) {
        uint32_t whole;
        std::memcpy(&whole, &values[i], sizeof whole);
        const uint32_t odd = (whole >> 16) & 1u;
        bits[i] = static_cast<int32_t>((whole + 0x7FFFu + odd) >> 16);
    }
}
