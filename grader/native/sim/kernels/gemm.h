// Blocked matrix multiplication, grouped by source file.
#pragma once

#include <algorithm>
#include <memory>

#include "../cudnn/sim.h"

namespace fpsim {

// ---- kernels/micro_kernel.cpp --------------------------------------------------------------------------------------
// The innermost product: c[rows x columns] += a * b for one panel of each. a holds `rows` values for each of `depth`
// steps, b `columns` values; c has a leading dimension of `stride`.
template <typename T> struct MicroKernel {
    int rows;
    int columns;
    void (*run)(int64_t depth, const T *a, const T *b, T *c, int64_t stride);
};
// The fastest that this processor can run.
template <typename T> const MicroKernel<T> &micro_kernel();

// ---- kernels/gemm.cpp ----------------------------------------------------------------------------------------------
// A matrix anywhere in memory, by its two steps in elements.
template <typename T> struct Matrix {
    const T *data;
    int64_t row_step;
    int64_t column_step;
};
// c = a * b, or c += a * b; c is row-major with `stride` elements a row. Runs on several threads.
template <typename T>
void matmul(int64_t rows, int64_t columns, int64_t depth, Matrix<T> a, Matrix<T> b, T *c, int64_t stride, bool accumulate);

// ---- templates: a product whose operands are made on the fly -------------------------------------------------------
// Depth of one block: two panels of it fit the first-level cache.
inline constexpr int64_t kDepthBlock = 256;

// The left matrix, cut into panels of MicroKernel::rows rows; rows past the end are zero.
template <typename T> class PackedRows {
public:
    // `load(step)` gives a function that gives the element of a row.
    template <typename Load> PackedRows(int64_t rows, int64_t depth, Load load) : rows_(rows), depth_(depth) {
        const int height = micro_kernel<T>().rows;
        const int64_t panels = (rows + height - 1) / height;
        data_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(panels * height * depth));
        parallel_for(panels, std::max<int64_t>(1, 65536 / std::max<int64_t>(depth, 1)), [&](int64_t begin, int64_t end) {
            for (int64_t panel = begin; panel < end; ++panel) fill(panel, load);
        });
    }
    int64_t rows() const { return rows_; }
    int64_t depth() const { return depth_; }
    const T *panel(int64_t index, int64_t step) const {
        const int height = micro_kernel<T>().rows;
        return data_.get() + (index * depth_ + step) * height;
    }

private:
    template <typename Load> void fill(int64_t panel, Load &load) {
        const int height = micro_kernel<T>().rows;
        T *out = data_.get() + panel * depth_ * height;
        const int live = static_cast<int>(std::min<int64_t>(height, rows_ - panel * height));
        for (int64_t step = 0; step < depth_; ++step, out += height) {
            const auto element = load(step);
            for (int i = 0; i < live; ++i) out[i] = element(panel * height + i);
            for (int i = live; i < height; ++i) out[i] = T{0};
        }
    }

    int64_t rows_, depth_;
    std::unique_ptr<T[]> data_;
};

// Memory of one thread: a block of the right matrix and the sums of a block of columns.
template <typename T> class GemmScratch {
public:
    // The most columns that are computed at once for a left matrix of `rows` rows.
    static int64_t block_columns(int64_t rows) {
        constexpr int64_t kSums = 65536;
        const int64_t width = micro_kernel<T>().columns;
        return std::clamp<int64_t>(kSums / std::max<int64_t>(rows, 1) / width, 4, 16) * width;
    }
    explicit GemmScratch(int64_t rows)
        : rows_((rows + micro_kernel<T>().rows - 1) / micro_kernel<T>().rows * micro_kernel<T>().rows),
          columns_(block_columns(rows)),
          right_(std::make_unique_for_overwrite<T[]>(static_cast<size_t>(columns_ * kDepthBlock))),
          sums_(std::make_unique_for_overwrite<T[]>(static_cast<size_t>(columns_ * rows_))) {}
    int64_t columns() const { return columns_; }
    T *right() { return right_.get(); }
    T *sums() { return sums_.get(); }
    void clear() { std::fill_n(sums_.get(), columns_ * rows_, T{0}); }

private:
    int64_t rows_, columns_;
    std::unique_ptr<T[]> right_, sums_;
};

// Multiplies `left` with `count` columns, at most scratch.columns(). `pack(first_step, steps, panel, out)` writes panel
// number `panel` of MicroKernel::columns columns, step by step; `after_block(sums)` sees the sums after every block of
// the depth. The sums are left in scratch.sums(), scratch.columns() elements a row.
template <typename T, typename Pack, typename AfterBlock>
void multiply_columns(const PackedRows<T> &left, int64_t count, GemmScratch<T> &scratch, Pack pack,
                      AfterBlock after_block) {
    const MicroKernel<T> &kernel = micro_kernel<T>();
    const int64_t row_panels = (left.rows() + kernel.rows - 1) / kernel.rows;
    const int64_t column_panels = (count + kernel.columns - 1) / kernel.columns;
    scratch.clear();
    for (int64_t step = 0; step < left.depth(); step += kDepthBlock) {
        const int64_t steps = std::min(kDepthBlock, left.depth() - step);
        for (int64_t j = 0; j < column_panels; ++j) {
            T *right = scratch.right() + j * kernel.columns * steps;
            pack(step, steps, j, right);
            for (int64_t i = 0; i < row_panels; ++i) {
                T *sums = scratch.sums() + i * kernel.rows * scratch.columns() + j * kernel.columns;
                kernel.run(steps, left.panel(i, step), right, sums, scratch.columns());
            }
        }
        after_block(scratch.sums());
    }
}

}  // namespace fpsim
