// verdict: wrong_answer
// case: old-times-and-gigabytes
// why: holds bytes in int, which ends at 2 GiB
#include <cstddef>
#include <cstdint>

void choose(int count, const int32_t *algo, const int32_t *status, const float *time, const int64_t *memory,
            size_t budget, int32_t *chosen) {
    float best = 1e30f;
    chosen[0] = 0;
    for (int i = 0; i < count; ++i)
        if (status[i] == 0 && static_cast<int>(memory[i]) <= static_cast<int>(budget) && time[i] < best) {
            best = time[i];
            chosen[0] = algo[i];
        }
}
