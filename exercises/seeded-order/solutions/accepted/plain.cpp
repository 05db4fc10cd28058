#include <cstdint>
#include <utility>

static uint64_t next(uint64_t &state) {
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

void order(int count, int64_t seed, int epoch, int32_t *indices) {
    uint64_t state = static_cast<uint64_t>(seed);
    state = next(state) + static_cast<uint64_t>(epoch);
    for (int i = 0; i < count; ++i) indices[i] = i;
    for (int i = count - 1; i > 0; --i) {
        const auto j = static_cast<int>(next(state) % static_cast<uint64_t>(i + 1));
        std::swap(indices[i], indices[j]);
    }
}
