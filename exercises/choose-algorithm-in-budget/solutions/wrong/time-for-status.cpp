// verdict: wrong_answer
// case: old-times-and-gigabytes
// why: takes any time that is not -1 for a sign of success
#include <cstddef>
#include <cstdint>

void choose(int count, const int32_t *algo, const int32_t *status, const float *time, const int64_t *memory,
            size_t budget, int32_t *chosen) {
    float best = 1e30f;
    chosen[0] = 0;
    for (int i = 0; i < count; ++i)
        if (time[i] >= 0 && memory[i] <= static_cast<int64_t>(budget) && time[i] < best) {
            best = time[i];
            chosen[0] = algo[i];
        }
}
