#include <cstddef>
#include <cstdint>

void decode_version(size_t version, int32_t *parts) {
    int32_t left = static_cast<int32_t>(version);
    const int32_t scale = left < 10000 ? 1000 : 10000;
    parts[0] = left / scale;
    left -= parts[0] * scale;
    parts[1] = left / 100;
    parts[2] = left - parts[1] * 100;
}
