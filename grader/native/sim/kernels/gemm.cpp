// Matrix multiplication over matrices in memory.
#include "gemm.h"

namespace fpsim {
namespace {

template <typename T> void pack_panel(Matrix<T> b, int64_t first, int64_t live, int64_t step, int64_t steps, T *out) {
    const int width = micro_kernel<T>().columns;
    for (int64_t s = 0; s < steps; ++s) {
        const T *from = b.data + (step + s) * b.row_step + first * b.column_step;
        for (int64_t j = 0; j < width; ++j) *out++ = j < live ? from[j * b.column_step] : T{0};
    }
}

}  // namespace

template <typename T>
void matmul(int64_t rows, int64_t columns, int64_t depth, Matrix<T> a, Matrix<T> b, T *c, int64_t stride,
            bool accumulate) {
    const PackedRows<T> left(rows, depth, [&](int64_t step) {
        return [&a, from = a.data + step * a.column_step](int64_t row) { return from[row * a.row_step]; };
    });
    const int64_t block = GemmScratch<T>::block_columns(rows);
    const int width = micro_kernel<T>().columns;
    const int64_t work = std::max<int64_t>(1, rows * depth * block);
    parallel_for((columns + block - 1) / block, (int64_t{1} << 20) / work + 1, [&](int64_t begin, int64_t end) {
        GemmScratch<T> scratch(rows);
        for (int64_t at = begin * block; at < std::min(columns, end * block); at += block) {
            const int64_t count = std::min(block, columns - at);
            const auto pack = [&](int64_t step, int64_t steps, int64_t panel, T *out) {
                pack_panel(b, at + panel * width, count - panel * width, step, steps, out);
            };
            multiply_columns(left, count, scratch, pack, [](T *) {});
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
