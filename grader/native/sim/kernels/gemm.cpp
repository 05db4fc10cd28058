// Matrix multiplication over matrices in memory.
#include "gemm.h"

namespace fpsim {
namespace {

template <typename T> void pack_panel(Matrix<T> b, int64_t first, int64_t live, int64_t step, int64_t steps, T *out) {
    const int width = micro_kernel<T>().columns;
    for (int64_t s = 0; s < steps; ++s, out += width) {
        const T *from = b.data + (step + s) * b.row_step + first * b.column_step;
        if (live >= width && b.column_step == 1) {
            std::memcpy(out, from, static_cast<size_t>(width) * sizeof(T));
        } else {
            for (int64_t j = 0; j < width; ++j) out[j] = j < live ? from[j * b.column_step] : T{0};
        }
    }
}

}  // namespace

template <typename T>
void matmul(int64_t rows, int64_t columns, int64_t depth, Matrix<T> a, Matrix<T> b, T *c, int64_t stride,
            bool accumulate) {
    const PackedRows<T> left(rows, depth, a.row_step, [&](int64_t step) { return a.data + step * a.column_step; });
    const int width = micro_kernel<T>().columns;
    const int64_t grain = kThreadWork / std::max<int64_t>(1, rows * depth * width) + 1;
    parallel_for((columns + width - 1) / width, grain, [&](int64_t begin, int64_t end) {
        GemmScratch<T> scratch(rows);
        for (int64_t first = begin; first < end; first += scratch.panels()) {
            const int64_t at = first * width, panels = std::min(scratch.panels(), end - first);
            const int64_t count = std::min(panels * width, columns - at);
            const auto pack = [&](int64_t panel, int64_t step, int64_t steps, T *out) {
                pack_panel(b, at + panel * width, count - panel * width, step, steps, out);
            };
            multiply_panels(left, panels, scratch, pack, [](T *) {});
            for (int64_t i = 0; i < rows; ++i) {
                const T *sums = scratch.sums() + i * scratch.columns();
                T *out = c + i * stride + at;
                for (int64_t j = 0; j < count; ++j) out[j] = accumulate ? out[j] + sums[j] : sums[j];
            }
        }
    });
}

template void matmul<float>(int64_t, int64_t, int64_t, Matrix<float>, Matrix<float>, float *, int64_t, bool);
template void matmul<double>(int64_t, int64_t, int64_t, Matrix<double>, Matrix<double>, double *, int64_t, bool);

}  // namespace fpsim
