// verdict: wrong_answer
// case: current
// why: puts the patch where the minor version belongs
#include <cstddef>
#include <cstdint>

void decode_version(size_t version, int32_t *parts) {
    const size_t scale = version >= 90000 ? 10000 : 1000;
    parts[0] = static_cast<int32_t>(version / scale);
    parts[2] = static_cast<int32_t>(version % scale / 100);
    parts[1] = static_cast<int32_t>(version % 100);
}
