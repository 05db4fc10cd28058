#include <cstdint>
#include <cstring>

void to_bfloat16(int count, const float *values, int32_t *bits) {
    for (int i = 0; i < count; ++i) {
        uint32_t whole;
        std::memcpy(&whole, &values[i], sizeof whole);
        const uint32_t kept = whole >> 16, rest = whole & 0xFFFFu;
        const bool up = rest > 0x8000u || (rest == 0x8000u && kept % 2 == 1);
        bits[i] = static_cast<int32_t>(kept + (up ? 1 : 0));
    }
}
