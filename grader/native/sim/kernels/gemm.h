// Blocked matrix multiplication, grouped by source file.
#pragma once

#include <algorithm>
#include <memory>

#include "../cudnn/sim.h"

namespace fpsim {

// ---- kernels/micro_kernel.cpp --------------------------------------------------------------------------------------
// The innermost loops, over a panel of the left matrix (for each step of the depth a value of each of its rows) and one
// of the right matrix (for each step `columns` values).
template <typename T> struct MicroKernel {
    static constexpr int kMostRows = 8;
    int rows;  // of a whole panel; the last one of a matrix has those that are left
    int columns;
    // c[rows x columns] += a * b; c has a leading dimension of `stride`. product[r - 1] is for r rows.
    void (*product[kMostRows])(int64_t depth, const T *a, const T *b, T *c, int64_t stride);
    // The same with the left matrix in memory: in each of its rows, the value at place[step].
    void (*gathered[kMostRows])(int64_t depth, const int64_t *place, const T *const *row, const T *b, T *c, int64_t stride);
    // For each step `columns` values from from + offset[step] on, one step after the other.
    void (*copy)(int64_t steps, const int64_t *offset, const T *from, T *to);
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
// Depth of one block: a panel of either matrix fits the first-level cache.
inline constexpr int64_t kDepthBlock = 256;
// Multiplications that are worth a thread: 20 to 100 microseconds.
inline constexpr int64_t kThreadWork = int64_t{1} << 20;

// The left matrix, cut into panels of MicroKernel::rows rows.
template <typename T> class PackedRows {
public:
    // `at(step)` gives the element of row 0, from which the other rows follow in steps of row_step.
    template <typename At> PackedRows(int64_t rows, int64_t depth, int64_t row_step, At at) : rows_(rows), depth_(depth) {
        data_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(rows * depth));
        const int64_t grain = kThreadWork / 16 / std::max<int64_t>(depth * height(0), 1) + 1;
        parallel_for(panels(), grain, [&](int64_t begin, int64_t end) {
            for (int64_t panel = begin; panel < end; ++panel) fill(panel, row_step, at);
        });
    }
    int64_t rows() const { return rows_; }
    int64_t depth() const { return depth_; }
    int64_t panels() const { return (rows_ + micro_kernel<T>().rows - 1) / micro_kernel<T>().rows; }
    int height(int64_t panel) const {
        const int64_t most = micro_kernel<T>().rows;
        return static_cast<int>(std::min(most, rows_ - panel * most));
    }
    const T *panel(int64_t index, int64_t step) const {
        return data_.get() + index * micro_kernel<T>().rows * depth_ + step * height(index);
    }

private:
    template <typename At> void fill(int64_t panel, int64_t row_step, At &at) {
        const int rows = height(panel);
        T *out = data_.get() + panel * micro_kernel<T>().rows * depth_;
        for (int64_t step = 0; step < depth_; ++step, out += rows) {
            const auto *from = at(step) + panel * micro_kernel<T>().rows * row_step;
            for (int i = 0; i < rows; ++i) out[i] = static_cast<T>(from[i * row_step]);
        }
    }

    int64_t rows_, depth_;
    std::unique_ptr<T[]> data_;
};

// Memory of one thread: a panel of the right matrix and the sums of a block of columns.
template <typename T> class GemmScratch {
public:
    explicit GemmScratch(int64_t rows) : rows_(rows), width_(micro_kernel<T>().columns) {
        constexpr int64_t kSums = 32768;
        panels_ = std::clamp<int64_t>(kSums / std::max<int64_t>(rows, 1) / width_, 4, 16);
        right_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(width_ * kDepthBlock));
        sums_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(columns() * rows_));
    }
    int64_t panels() const { return panels_; }  // of a block
    int64_t columns() const { return panels_ * width_; }
    T *right() { return right_.get(); }
    T *sums() { return sums_.get(); }
    void clear() { std::fill_n(sums_.get(), columns() * rows_, T{0}); }

private:
    int64_t rows_, width_, panels_;
    std::unique_ptr<T[]> right_, sums_;
};

// Multiplies `left` with a block of `panels` panels of columns, at most scratch.panels(). `pack(panel, step, steps, out)`
// writes `steps` steps of a panel; `after_block(sums)` sees the sums after every block of the depth. The sums are left in
// scratch.sums(), scratch.columns() elements a row.
template <typename T, typename Pack, typename AfterBlock>
void multiply_panels(const PackedRows<T> &left, int64_t panels, GemmScratch<T> &scratch, Pack pack,
                     AfterBlock after_block) {
    const MicroKernel<T> &kernel = micro_kernel<T>();
    scratch.clear();
    for (int64_t step = 0; step < left.depth(); step += kDepthBlock) {
        const int64_t steps = std::min(kDepthBlock, left.depth() - step);
        for (int64_t j = 0; j < panels; ++j) {
            pack(j, step, steps, scratch.right());
            for (int64_t i = 0; i < left.panels(); ++i) {
                T *sums = scratch.sums() + i * kernel.rows * scratch.columns() + j * kernel.columns;
                kernel.product[left.height(i) - 1](steps, left.panel(i, step), scratch.right(), sums, scratch.columns());
            }
        }
        after_block(scratch.sums());
    }
}

}  // namespace fpsim
