// verdict: wrong_answer
// case: one-step-up
// why: keeps the last position that differs instead of the first
#include <cstdint>
#include <cstdlib>
#include <cstring>

// Position of a float in the row of all floats; both zeros are 0.
static int64_t position(float value) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? int64_t{bits} : INT64_C(-2147483648) - bits;
}

void compare(int count, const float *a, const float *b, int64_t *report) {
    report[0] = 0;
    report[1] = -1;
    report[2] = 0;
    for (int i = 0; i < count; ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) == 0) continue;
        ++report[0];
        report[1] = i;
        const int64_t distance = std::llabs(position(a[i]) - position(b[i]));
        if (distance > report[2]) report[2] = distance;
    }
}
