#include <cstddef>
#include <cstdint>

// 91900 → 9, 19, 0;  8902 → 8, 9, 2
void decode_version(size_t version, int32_t *parts) {
    parts[0] = static_cast<int32_t>(version);
    parts[1] = 0;
    parts[2] = 0;
}
