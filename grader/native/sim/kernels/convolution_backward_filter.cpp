// The gradient of a convolution's filter: for each tap and channel (a step of the forward pass), the product of what it
// reads of the input with dy, summed over all pixels.
#include "../cudnn/convolution_backward.h"
#include "convolution_input.h"

namespace fpsim {
namespace {

// dy of one image and group, a row for each pixel, in panels of columns (output channels); missing ones are zero.
template <typename T> class Incoming {
public:
    Incoming(const View &dy, int64_t outputs) : plane_(dy), outputs_(outputs) {
        plane_.dim[0] = plane_.dim[1] = 1;
        pixels_ = plane_.elements();
        panels_ = (outputs + width_ - 1) / width_;
        data_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(panels_ * pixels_ * width_));
    }
    int64_t pixels() const { return pixels_; }
    int64_t columns() const { return panels_ * width_; }
    int64_t panels() const { return panels_; }
    const T *panel(int64_t index, int64_t pixel) const { return data_.get() + (index * pixels_ + pixel) * width_; }

    template <typename E> void load(const E *dy) {
        parallel_for(panels_, kThreadWork / 16 / (pixels_ * width_) + 1, [&](int64_t begin, int64_t end) {
            for (int64_t panel = begin; panel < end; ++panel) load_panel(dy, panel);
        });
    }

private:
    template <typename E> void load_panel(const E *dy, int64_t panel) {
        T *out = data_.get() + panel * pixels_ * width_;
        const int64_t live = std::min(width_, outputs_ - panel * width_), channel = plane_.stride[1];
        const E *from = dy + panel * width_ * channel;
        for_each_offset(
            [&](int64_t at) {
                for (int64_t k = 0; k < live; ++k) out[k] = static_cast<T>(from[at + k * channel]);
                std::fill(out + live, out + width_, T{0});
                out += width_;
            },
            plane_);
    }

    View plane_;
    int64_t outputs_, pixels_ = 0, panels_ = 0;
    const int64_t width_ = micro_kernel<T>().columns;
    std::unique_ptr<T[]> data_;
};

template <typename T, typename E> class FilterGradient {
public:
    FilterGradient(const ConvolutionShape &s, const E *x, const E *dy)
        : s_(s), dy_(dy), input_(s, x), steps_(input_.step_offsets(s.group_inputs())),
          incoming_(s.y, s.group_outputs()),
          sums_(static_cast<size_t>(s.groups * std::ssize(steps_) * incoming_.columns())) {
        View plane = s.y;
        plane.dim[0] = plane.dim[1] = 1;
        std::copy_n(input_.pitch().begin(), s.spatial, plane.stride.begin() + 2);
        for_each_offset([&](int64_t at) { pixels_.push_back(at); }, plane);
        View window = s.w;
        window.dim[0] = window.dim[1] = 1;
        for_each_offset([&](int64_t at) { taps_.push_back(at); }, window);
    }

    void run(E *dw, const Scaling &scaling) {
        for (int64_t first = 0; first < s_.x.dim[0]; first += input_.images()) {
            const int64_t images = std::min(input_.images(), s_.x.dim[0] - first);
            const T *x = input_.load(first, images);
            for (int64_t i = 0; i < images * s_.groups; ++i) {
                const int64_t image = i / s_.groups, group = i % s_.groups;
                incoming_.load(dy_ + (first + image) * s_.y.stride[0] + group * s_.group_outputs() * s_.y.stride[1]);
                add_image(x + image * input_.image_pitch() + group * s_.group_inputs() * input_.channel_pitch(), group);
            }
        }
        for (int64_t group = 0; group < s_.groups; ++group) store(group, dw, scaling);
    }

private:
    void add_image(const T *x, int64_t group) {
        const int64_t rows = micro_kernel<T>().rows, steps = std::ssize(steps_);
        const int64_t work = std::max<int64_t>(1, rows * incoming_.pixels() * incoming_.columns());
        T *sums = sums_.data() + group * steps * incoming_.columns();
        parallel_for((steps + rows - 1) / rows, kThreadWork / work + 1, [&](int64_t begin, int64_t end) {
            for (int64_t pixel = 0; pixel < incoming_.pixels(); pixel += kDepthBlock) {
                for (int64_t panel = 0; panel < incoming_.panels(); ++panel) {
                    for (int64_t i = begin; i < end; ++i) add_block(x, i * rows, pixel, panel, sums);
                }
            }
        });
    }

    // Some steps and pixels, one panel of output channels.
    void add_block(const T *x, int64_t first, int64_t pixel, int64_t panel, T *sums) const {
        const MicroKernel<T> &kernel = micro_kernel<T>();
        const int64_t depth = std::min(kDepthBlock, incoming_.pixels() - pixel);
        const int64_t rows = std::min<int64_t>(kernel.rows, std::ssize(steps_) - first);
        const T *row[MicroKernel<T>::kMostRows];
        for (int64_t i = 0; i < rows; ++i) row[i] = x + steps_[first + i];
        T *out = sums + first * incoming_.columns() + panel * kernel.columns;
        kernel.gathered[rows - 1](depth, pixels_.data() + pixel, row, incoming_.panel(panel, pixel), out,
                                  incoming_.columns());
    }

    // Tile by tile of output channels: the sums lie channel by channel, the filter does not.
    void store(int64_t group, E *dw, const Scaling &scaling) const {
        constexpr int64_t kTile = 16;
        const int64_t outputs = s_.group_outputs(), steps = std::ssize(steps_);
        const T *sums = sums_.data() + group * steps * incoming_.columns();
        E *target = dw + group * outputs * s_.w.stride[0];
        const int64_t grain = kThreadWork / 16 / (steps * kTile) + 1;
        parallel_for((outputs + kTile - 1) / kTile, grain, [&](int64_t begin, int64_t end) {
            for (int64_t k = begin * kTile; k < std::min(outputs, end * kTile); k += kTile) {
                store_tile(sums + k, std::min(kTile, outputs - k), target + k * s_.w.stride[0], scaling);
            }
        });
    }

    void store_tile(const T *sums, int64_t outputs, E *target, const Scaling &scaling) const {
        const int64_t channels = s_.group_inputs(), taps = std::ssize(taps_);
        for (int64_t c = 0; c < channels; ++c) {
            for (int64_t tap = 0; tap < taps; ++tap) {
                const T *from = sums + (tap * channels + c) * incoming_.columns();
                E *to = target + taps_[static_cast<size_t>(tap)] + c * s_.w.stride[1];
                for (int64_t k = 0; k < outputs; ++k) scaling.store(to[k * s_.w.stride[0]], from[k]);
            }
        }
    }

    const ConvolutionShape &s_;
    const E *dy_;
    ConvolutionInput<T> input_;
    std::vector<int64_t> steps_;   // where each tap and channel reads
    std::vector<int64_t> pixels_;  // from the first pixel to each
    std::vector<int64_t> taps_;    // where each tap lies in the filter
    Incoming<T> incoming_;
    std::vector<T> sums_;  // for each group and step a row of output channels
};

}  // namespace

void convolve_backward_filter(const ConvolutionShape &s, const void *x, const void *dy, void *dw, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) {
        using E = decltype(element);
        if constexpr (!std::is_integral_v<E>) {
            FilterGradient<Compute<E>, E>(s, static_cast<const E *>(x), static_cast<const E *>(dy))
                .run(static_cast<E *>(dw), scaling);
        }
    });
}

}  // namespace fpsim
