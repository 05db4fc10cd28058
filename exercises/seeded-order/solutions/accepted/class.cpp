#include <algorithm>
#include <cstdint>
#include <numeric>

class SplitMix {
public:
    explicit SplitMix(uint64_t state) : state_(state) {}
    uint64_t operator()() {
        uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

private:
    uint64_t state_;
};

void order(int count, int64_t seed, int epoch, int32_t *indices) {
    SplitMix of_seed(static_cast<uint64_t>(seed));
    SplitMix of_epoch(of_seed() + static_cast<uint64_t>(epoch));
    std::iota(indices, indices + count, 0);
    for (uint64_t left = count; left > 1; --left) std::iter_swap(indices + left - 1, indices + of_epoch() % left);
}
