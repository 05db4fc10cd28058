// verdict: wrong_answer
// case: current
// why: divides by 1000 as was right up to version 8, so that 91900 becomes version 91
#include <cstddef>
#include <cstdint>

void decode_version(size_t version, int32_t *parts) {
    const size_t scale = 1000;
    parts[0] = static_cast<int32_t>(version / scale);
    parts[1] = static_cast<int32_t>(version % scale / 100);
    parts[2] = static_cast<int32_t>(version % 100);
}
