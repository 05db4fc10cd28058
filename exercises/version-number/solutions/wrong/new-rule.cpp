// verdict: wrong_answer
// case: version-8
// why: divides by 10000 always, so that version 8 becomes version 0
#include <cstddef>
#include <cstdint>

void decode_version(size_t version, int32_t *parts) {
    const size_t scale = 10000;
    parts[0] = static_cast<int32_t>(version / scale);
    parts[1] = static_cast<int32_t>(version % scale / 100);
    parts[2] = static_cast<int32_t>(version % 100);
}
