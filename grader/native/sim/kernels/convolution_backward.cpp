// Gradients of a convolution as matrix products over the columns of windows (im2col), a block of output pixels at a time.
#include "../cudnn/convolution_backward.h"
#include "gemm.h"

namespace fpsim {
namespace {

constexpr int64_t kBlockElements = 1 << 21;  // of the matrix of columns

// For one block of output pixels: where every tap of every window lies in a channel of the input; -1 outside.
class Taps {
public:
    explicit Taps(const ConvolutionShape &shape) : s_(shape), count_(shape.taps()) {
        for (int d = 0; d < s_.spatial; ++d) pixels_ *= s_.y.dim[d + 2];
        const int64_t rows = s_.group_inputs() * count_;
        block_ = std::clamp<int64_t>(kBlockElements / rows, 16, std::max<int64_t>(pixels_, 16));
        offset_.resize(static_cast<size_t>(count_ * block_));
    }
    int64_t count() const { return count_; }
    int64_t pixels() const { return pixels_; }
    int64_t block() const { return block_; }
    const int64_t *row(int64_t tap) const { return offset_.data() + tap * block_; }

    void find(int64_t first, int64_t pixels) {
        parallel_for(count_, std::max<int64_t>(1, kBlockElements / 64 / pixels), [&](int64_t begin, int64_t end) {
            for (int64_t tap = begin; tap < end; ++tap) {
                for (int64_t p = 0; p < pixels; ++p) offset_[static_cast<size_t>(tap * block_ + p)] = find_one(tap, first + p);
            }
        });
    }

private:
    int64_t find_one(int64_t tap, int64_t pixel) const {
        int64_t offset = 0;
        for (int d = s_.spatial - 1; d >= 0; --d) {
            const int64_t size = s_.w.dim[d + 2], at = tap % size;
            const int64_t step = s_.flipped ? size - 1 - at : at;
            const int64_t place = pixel % s_.y.dim[d + 2] * s_.stride[d] - s_.pad[d] + step * s_.dilation[d];
            if (place < 0 || place >= s_.x.dim[d + 2]) return -1;
            offset += place * s_.x.stride[d + 2];
            tap /= size;
            pixel /= s_.y.dim[d + 2];
        }
        return offset;
    }

    const ConvolutionShape &s_;
    int64_t count_, pixels_ = 1, block_ = 0;
    std::vector<int64_t> offset_;
};

// A tensor or filter in the type of the sums, as rows (channels) of `width` places each, for one index of dimension 0.
template <typename T, typename E> void load_rows(const View &view, const E *from, int64_t first, int64_t count, T *out) {
    View plane = view;
    plane.dim[0] = plane.dim[1] = 1;
    const int64_t width = plane.elements();
    parallel_for(count, std::max<int64_t>(1, 65536 / width), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            const E *source = from + (first + row) * view.stride[1];
            T *target = out + row * width;
            for_each_offset([&](int64_t at) { *target++ = static_cast<T>(source[at]); }, plane);
        }
    });
}

template <typename T> using Buffer = std::unique_ptr<T[]>;
template <typename T> Buffer<T> buffer(int64_t count) {
    return std::make_unique_for_overwrite<T[]>(static_cast<size_t>(count));
}

// The filter of a group as a matrix of outputs by (input channel, tap).
template <typename T, typename E> Buffer<T> load_filter(const ConvolutionShape &s, const E *w, int64_t group) {
    const int64_t rows = s.group_outputs(), row = s.group_inputs() * s.taps();
    Buffer<T> filter = buffer<T>(rows * row);
    for (int64_t k = 0; k < rows; ++k) {
        load_rows(s.w, w + (group * rows + k) * s.w.stride[0], 0, s.group_inputs(), filter.get() + k * row);
    }
    return filter;
}

template <typename T, typename E> class DataGradient {
public:
    DataGradient(const ConvolutionShape &shape, const E *w, const E *dy) : s_(shape), taps_(shape), w_(w), dy_(dy) {}

    void run(E *dx, const Scaling &scaling) {
        const int64_t inputs = s_.group_inputs(), outputs = s_.group_outputs();
        const int64_t rows = inputs * taps_.count();
        columns_ = buffer<T>(rows * taps_.block());
        Buffer<T> incoming = buffer<T>(outputs * taps_.pixels());
        for (int64_t group = 0; group < s_.groups; ++group) {
            const Buffer<T> filter = load_filter<T>(s_, w_, group);
            for (int64_t n = 0; n < s_.x.dim[0]; ++n) {
                load_rows(s_.y, dy_ + n * s_.y.stride[0], group * outputs, outputs, incoming.get());
                E *target = dx + n * s_.x.stride[0] + group * inputs * s_.x.stride[1];
                run_image({filter.get(), 1, rows}, incoming.get(), target, scaling);
            }
        }
    }

private:
    void run_image(const Matrix<T> &filter, const T *incoming, E *target, const Scaling &scaling) {
        const int64_t inputs = s_.group_inputs();
        View plane = s_.x;
        plane.dim[0] = plane.dim[1] = 1;
        const int64_t extent = plane.high() / static_cast<int64_t>(element_size(plane.type));
        std::vector<T> sums(static_cast<size_t>(inputs * extent));
        for (int64_t first = 0; first < taps_.pixels(); first += taps_.block()) {
            const int64_t pixels = std::min(taps_.block(), taps_.pixels() - first);
            taps_.find(first, pixels);
            matmul<T>(inputs * taps_.count(), pixels, s_.group_outputs(), filter, {incoming + first, taps_.pixels(), 1},
                      columns_.get(), taps_.block(), false);
            scatter(pixels, extent, sums.data());
        }
        parallel_for(inputs, std::max<int64_t>(1, 65536 / plane.elements()), [&](int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c) {
                const T *from = sums.data() + c * extent;
                E *to = target + c * s_.x.stride[1];
                for_each_offset([&](int64_t at) { scaling.store(to[at], from[at]); }, plane);
            }
        });
    }

    // Adds every column to the places of its window.
    void scatter(int64_t pixels, int64_t extent, T *sums) const {
        parallel_for(s_.group_inputs(), std::max<int64_t>(1, 65536 / (pixels * taps_.count())), [&](int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c) {
                for (int64_t tap = 0; tap < taps_.count(); ++tap) {
                    const T *column = columns_.get() + (c * taps_.count() + tap) * taps_.block();
                    const int64_t *place = taps_.row(tap);
                    for (int64_t p = 0; p < pixels; ++p) {
                        if (place[p] >= 0) sums[c * extent + place[p]] += column[p];
                    }
                }
            }
        });
    }

    const ConvolutionShape &s_;
    Taps taps_;
    const E *w_, *dy_;
    Buffer<T> columns_;
};

template <typename T, typename E> class FilterGradient {
public:
    FilterGradient(const ConvolutionShape &shape, const E *x, const E *dy) : s_(shape), taps_(shape), x_(x), dy_(dy) {}

    void run(E *dw, const Scaling &scaling) {
        const int64_t inputs = s_.group_inputs(), outputs = s_.group_outputs();
        const int64_t row = inputs * taps_.count();
        columns_ = buffer<T>(row * taps_.block());
        Buffer<T> incoming = buffer<T>(outputs * taps_.pixels());
        for (int64_t group = 0; group < s_.groups; ++group) {
            std::vector<T> sums(static_cast<size_t>(outputs * row));
            for (int64_t n = 0; n < s_.x.dim[0]; ++n) {
                load_rows(s_.y, dy_ + n * s_.y.stride[0], group * outputs, outputs, incoming.get());
                add_image(x_ + n * s_.x.stride[0] + group * inputs * s_.x.stride[1], incoming.get(), sums.data());
            }
            store(group, sums.data(), dw, scaling);
        }
    }

private:
    void add_image(const E *x, const T *incoming, T *sums) {
        const int64_t row = s_.group_inputs() * taps_.count();
        for (int64_t first = 0; first < taps_.pixels(); first += taps_.block()) {
            const int64_t pixels = std::min(taps_.block(), taps_.pixels() - first);
            taps_.find(first, pixels);
            gather(x, pixels);
            matmul<T>(s_.group_outputs(), row, pixels, {incoming + first, taps_.pixels(), 1},
                      {columns_.get(), 1, taps_.block()}, sums, row, true);
        }
    }

    void gather(const E *x, int64_t pixels) {
        const int64_t rows = s_.group_inputs() * taps_.count();
        parallel_for(rows, std::max<int64_t>(1, 65536 / pixels), [&](int64_t begin, int64_t end) {
            for (int64_t r = begin; r < end; ++r) {
                const E *channel = x + r / taps_.count() * s_.x.stride[1];
                const int64_t *place = taps_.row(r % taps_.count());
                T *out = columns_.get() + r * taps_.block();
                for (int64_t p = 0; p < pixels; ++p) out[p] = place[p] < 0 ? T{0} : static_cast<T>(channel[place[p]]);
            }
        });
    }

    void store(int64_t group, const T *sums, E *dw, const Scaling &scaling) const {
        View part = s_.w;
        part.dim[0] = s_.group_outputs();
        E *target = dw + group * part.dim[0] * s_.w.stride[0];
        for_each_offset([&](int64_t at) { scaling.store(target[at], *sums++); }, part);
    }

    const ConvolutionShape &s_;
    Taps taps_;
    const E *x_, *dy_;
    Buffer<T> columns_;
};

template <template <typename, typename> class Gradient>
void run(const ConvolutionShape &s, const void *a, const void *dy, void *out, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) {
        using E = decltype(element);
        if constexpr (!std::is_integral_v<E>) {
            using T = std::conditional_t<std::is_same_v<E, double>, double, float>;
            Gradient<T, E>(s, static_cast<const E *>(a), static_cast<const E *>(dy)).run(static_cast<E *>(out), scaling);
        }
    });
}

}  // namespace

void convolve_backward_data(const ConvolutionShape &s, const void *w, const void *dy, void *dx, const Scaling &scaling) {
    run<DataGradient>(s, w, dy, dx, scaling);
}

void convolve_backward_filter(const ConvolutionShape &s, const void *x, const void *dy, void *dw, const Scaling &scaling) {
    run<FilterGradient>(s, x, dy, dw, scaling);
}

}  // namespace fpsim
