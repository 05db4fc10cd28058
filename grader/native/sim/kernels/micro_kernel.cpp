// The innermost loops of a matrix product, for every processor and for those with AVX2 or AVX-512.
#include <cstdlib>

#include "gemm.h"

namespace fpsim {
namespace {

// A vector anywhere in memory.
template <typename T, int Bytes> struct VectorAt {
    typedef T Vector __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
    static constexpr int kLanes = Bytes / sizeof(T);
    static Vector &in(T *memory) { return *reinterpret_cast<Vector *>(memory); }
    static const Vector &in(const T *memory) { return *reinterpret_cast<const Vector *>(memory); }
};
constexpr int kVectors = 2;  // of a row of sums

// Keeps Rows x kVectors sums in registers; left(i, step) gives a value of the left matrix. Always inlined, so that it is
// compiled for the target of its caller.
template <typename T, int Bytes, int Rows, typename Left>
inline __attribute__((always_inline)) void product(int64_t depth, Left left, const T *b, T *c, int64_t stride) {
    using At = VectorAt<T, Bytes>;
    typename At::Vector sums[Rows][kVectors] = {};
    for (int64_t step = 0; step < depth; ++step, b += kVectors * At::kLanes) {
        typename At::Vector right[kVectors];
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) right[v] = At::in(b + v * At::kLanes);
        const auto value = left(step);
#pragma GCC unroll 8
        for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) sums[i][v] += value[i] * right[v];
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) At::in(c + i * stride + v * At::kLanes) += sums[i][v];
    }
}

// The left matrix packed: a panel, Rows values for each step.
template <typename T, int Rows> struct PackedLeft {
    const T *panel;
    inline __attribute__((always_inline)) const T *operator()(int64_t step) const { return panel + step * Rows; }
};

// The left matrix in memory: a row for each value, a place in it for each step.
template <typename T> struct GatheredLeft {
    const T *const *row;
    const int64_t *place;
    struct Values {
        const T *const *row;
        int64_t place;
        inline __attribute__((always_inline)) T operator[](int i) const { return row[i][place]; }
    };
    inline __attribute__((always_inline)) Values operator()(int64_t step) const { return {row, place[step]}; }
};

template <typename T, int Bytes>
inline __attribute__((always_inline)) void copy(int64_t steps, const int64_t *offset, const T *from, T *to) {
    using At = VectorAt<T, Bytes>;
    for (int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v, to += At::kLanes) At::in(to) = At::in(from + offset[step] + v * At::kLanes);
    }
}

// The functions for one kind of processor. The attribute cannot depend on a template's parameter.
#define FP_MICRO_KERNEL(name, bytes, most_rows, ...)                                                                     \
    template <typename T> struct name {                                                                                  \
        template <int Rows>                                                                                              \
        __VA_ARGS__ static void packed(int64_t depth, const T *a, const T *b, T *c, int64_t stride) {                    \
            product<T, bytes, Rows>(depth, PackedLeft<T, Rows>{a}, b, c, stride);                                        \
        }                                                                                                                \
        template <int Rows>                                                                                              \
        __VA_ARGS__ static void gathered(int64_t depth, const int64_t *place, const T *const *row, const T *b, T *c,     \
                                         int64_t stride) {                                                               \
            product<T, bytes, Rows>(depth, GatheredLeft<T>{row, place}, b, c, stride);                                   \
        }                                                                                                                \
        __VA_ARGS__ static void copied(int64_t steps, const int64_t *offset, const T *from, T *to) {                     \
            copy<T, bytes>(steps, offset, from, to);                                                                     \
        }                                                                                                                \
        static MicroKernel<T> all() { return all(std::make_integer_sequence<int, most_rows>{}); }                        \
        template <int... R> static MicroKernel<T> all(std::integer_sequence<int, R...>) {                                \
            return {most_rows, kVectors * bytes / int{sizeof(T)}, {packed<R + 1>...}, {gathered<R + 1>...}, copied};     \
        }                                                                                                                \
    }

FP_MICRO_KERNEL(ForAny, 16, 6, );
#if defined(__x86_64__)
FP_MICRO_KERNEL(ForAvx2, 32, 6, __attribute__((target("avx2,fma"))));
FP_MICRO_KERNEL(ForAvx512, 64, 8, __attribute__((target("avx512f"))));
#endif
#undef FP_MICRO_KERNEL

// FP_SIM_VECTOR_BYTES: the widest vectors that may be used, for tests of the narrower ones.
int widest_vector() {
    const char *wanted = std::getenv("FP_SIM_VECTOR_BYTES");
    return wanted ? std::atoi(wanted) : 64;
}

template <typename T> MicroKernel<T> choose() {
#if defined(__x86_64__)
    const int widest = widest_vector();
    if (widest >= 64 && __builtin_cpu_supports("avx512f")) return ForAvx512<T>::all();
    if (widest >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return ForAvx2<T>::all();
#endif
    return ForAny<T>::all();
}

}  // namespace

template <typename T> const MicroKernel<T> &micro_kernel() {
    static const MicroKernel<T> kernel = choose<T>();
    return kernel;
}
template const MicroKernel<float> &micro_kernel<float>();
template const MicroKernel<double> &micro_kernel<double>();

}  // namespace fpsim
