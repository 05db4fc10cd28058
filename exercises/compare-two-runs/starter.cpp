#include <cstdint>

void compare(int count, const float *a, const float *b, int64_t *report) {
    // Compares the numbers, not their bits, and does not measure how far apart they are.
    report[0] = 0, report[1] = -1, report[2] = 0;
    for (int i = 0; i < count; ++i)
        if (a[i] != b[i]) ++report[0];
}
