// verdict: wrong_answer
// case: first-of-9
// why: takes the new rule only above 90000, so that 9.0.0 becomes version 90
#include <cstddef>
#include <cstdint>

void decode_version(size_t version, int32_t *parts) {
    const size_t scale = version > 90000 ? 10000 : 1000;
    parts[0] = static_cast<int32_t>(version / scale);
    parts[1] = static_cast<int32_t>(version % scale / 100);
    parts[2] = static_cast<int32_t>(version % 100);
}
