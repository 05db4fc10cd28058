// verdict: wrong_answer
// case: zero-of-other-sign
// why: subtracts the bits without turning the negative half round
#include <cstdint>
#include <cstdlib>
#include <cstring>

// Position of a float in the row of all floats; both zeros are 0.
static int64_t position(float value) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

void compare(int count, const float *a, const float *b, int64_t *report) {
    report[0] = 0;
    report[1] = -1;
    report[2] = 0;
    for (int i = 0; i < count; ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) == 0) continue;
        if (report[0]++ == 0) report[1] = i;
        const int64_t distance = std::llabs(position(a[i]) - position(b[i]));
        if (distance > report[2]) report[2] = distance;
    }
}
