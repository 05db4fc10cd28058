// The innermost product, once for every processor and once for those with AVX2.
#include "gemm.h"

namespace fpsim {
namespace {

// Keeps Rows x Vectors sums in registers. Always inlined, so that it is compiled for the target of its caller.
template <typename T, int Bytes, int Rows, int Vectors>
inline __attribute__((always_inline)) void product(int64_t depth, const T *a, const T *b, T *c, int64_t stride) {
    typedef T Vector __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
    constexpr int kLanes = Bytes / sizeof(T);
    Vector sums[Rows][Vectors] = {};
    for (int64_t step = 0; step < depth; ++step) {
        Vector right[Vectors];
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) right[v] = *reinterpret_cast<const Vector *>(b + v * kLanes);
#pragma GCC unroll 8
        for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v) sums[i][v] += a[i] * right[v];
        }
        a += Rows;
        b += Vectors * kLanes;
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) *reinterpret_cast<Vector *>(c + i * stride + v * kLanes) += sums[i][v];
    }
}

constexpr int kRows = 6;

template <typename T> void product_base(int64_t depth, const T *a, const T *b, T *c, int64_t stride) {
    product<T, 16, kRows, 2>(depth, a, b, c, stride);
}

#if defined(__x86_64__)
template <typename T>
__attribute__((target("avx2,fma"))) void product_avx2(int64_t depth, const T *a, const T *b, T *c, int64_t stride) {
    product<T, 32, kRows, 2>(depth, a, b, c, stride);
}

template <typename T> MicroKernel<T> choose() {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return {kRows, 2 * 32 / sizeof(T), product_avx2<T>};
    }
    return {kRows, 2 * 16 / sizeof(T), product_base<T>};
}
#else
template <typename T> MicroKernel<T> choose() { return {kRows, 2 * 16 / sizeof(T), product_base<T>}; }
#endif

}  // namespace

template <typename T> const MicroKernel<T> &micro_kernel() {
    static const MicroKernel<T> kernel = choose<T>();
    return kernel;
}
template const MicroKernel<float> &micro_kernel<float>();
template const MicroKernel<double> &micro_kernel<double>();

}  // namespace fpsim
