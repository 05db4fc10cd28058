#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

void compare(int count, const float *a, const float *b, int64_t *report) {
    std::vector<uint32_t> left(count), right(count);
    std::memcpy(left.data(), a, count * sizeof(float));
    std::memcpy(right.data(), b, count * sizeof(float));
    const auto key = [](uint32_t bits) {
        const int64_t size = bits & 0x7fffffffu;
        return bits >> 31 ? -size : size;
    };
    int64_t different = 0, first = -1, farthest = 0;
    for (int i = count - 1; i >= 0; --i) {
        if (left[i] == right[i]) continue;
        ++different;
        first = i;
        const int64_t gap = key(left[i]) - key(right[i]);
        farthest = std::max(farthest, gap < 0 ? -gap : gap);
    }
    report[0] = different;
    report[1] = first;
    report[2] = farthest;
}
