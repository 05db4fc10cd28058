// Convolution as a matrix product whose right matrix (the windows of the input) is made block by block.
#include "../cudnn/convolution.h"
#include "gemm.h"

namespace fpsim {
namespace {

constexpr int kMostColumns = 16;  // of a panel
constexpr int64_t kOutside = std::numeric_limits<int64_t>::min();

// Calls `visit` with the element type of an operand of a convolution whose sums are kept in T.
template <typename T, typename Visit> void visit_operand(cudnnDataType_t type, Visit &&visit) {
    if constexpr (std::is_same_v<T, float>) {
        if (type == CUDNN_DATA_FLOAT) return visit(float{});
        return type == CUDNN_DATA_HALF ? visit(half{}) : visit(bfloat16{});
    } else {
        return type == CUDNN_DATA_DOUBLE ? visit(double{}) : visit(int8_t{});
    }
}

// The same for the result: integer convolutions may give other types, and fused ones go on with the sums themselves.
template <typename T, typename Visit> void visit_result(cudnnDataType_t type, Visit &&visit) {
    if constexpr (std::is_same_v<T, double>) {
        if (type == CUDNN_DATA_FLOAT) return visit(float{});
        if (type == CUDNN_DATA_INT32) return visit(int32_t{});
    }
    return visit_operand<T>(type, visit);
}

// The input in the type of the sums: the caller's memory where it has that type already, else a packed copy.
template <typename T> class Input {
public:
    Input(const View &view, const void *memory) : view_(view) {
        visit_operand<T>(view.type, [&](auto element) {
            using E = decltype(element);
            if constexpr (std::is_same_v<E, T>) {
                data_ = static_cast<const T *>(memory);
            } else {
                convert(static_cast<const E *>(memory));
            }
        });
    }
    const T *data() const { return data_; }
    int64_t stride(int d) const { return view_.stride[d]; }

private:
    template <typename E> void convert(const E *from) {
        const View source = view_;
        view_ = packed_view(source.type, source.rank, source.dim.data());
        copy_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(view_.elements()));
        data_ = copy_.get();
        const int64_t row = source.dim[source.rank - 1], step = source.stride[source.rank - 1];
        parallel_for(view_.elements() / row, 65536 / row + 1, [&](int64_t begin, int64_t end) {
            for (int64_t r = begin; r < end; ++r) {
                const E *in = from + source.offset_of(r * row);
                T *out = copy_.get() + r * row;
                for (int64_t i = 0; i < row; ++i) out[i] = static_cast<T>(in[i * step]);
            }
        });
    }

    View view_;
    const T *data_ = nullptr;
    std::unique_ptr<T[]> copy_;
};

// Where each output pixel (of any image) finds its window in the input.
template <typename T> class Windows {
public:
    Windows(const ConvolutionShape &shape, const Input<T> &input) : s_(shape), input_(input) {
        for (int d = 0; d < s_.spatial; ++d) pixels_ *= s_.y.dim[d + 2];
    }
    int64_t count() const { return s_.y.dim[0] * pixels_; }

    // Packs steps [step, step + steps) of a panel of `width` pixels from `first` on. A step is a tap and a channel,
    // channels running faster. `from` is the first channel of the group.
    void pack(const T *from, int64_t first, int width, int64_t step, int64_t steps, T *out) const {
        const int64_t channels = s_.group_inputs();
        Panel panel;
        panel.live = static_cast<int>(std::min<int64_t>(width, count() - first));
        for (int j = 0; j < panel.live; ++j) find_origin(first + j, panel.origin[j]);
        panel.in_one_row = panel.live == width && first % row_length() + width <= row_length();
        while (steps > 0) {
            const int64_t channel = step % channels;
            const int64_t run = std::min(channels - channel, steps);
            find_offsets(step / channels, width, panel);
            pack_channels(from + channel * input_.stride(1), run, width, panel, out);
            out += run * width;
            step += run;
            steps -= run;
        }
    }

private:
    // A pixel's origin: the places of its window's first tap, and at the end the offset of its image.
    static constexpr int kImage = CUDNN_DIM_MAX - 1;
    enum class Layout { scattered, inside, run };
    struct Panel {
        int live = 0;
        bool in_one_row = false;
        Layout layout = Layout::scattered;
        int64_t origin[kMostColumns][CUDNN_DIM_MAX];
        int64_t offset[kMostColumns] = {};
    };

    int64_t row_length() const { return s_.y.dim[s_.spatial + 1]; }

    void find_origin(int64_t pixel, int64_t *origin) const {
        for (int d = s_.spatial - 1; d >= 0; --d) {
            origin[d] = pixel % s_.y.dim[d + 2] * s_.stride[d] - s_.pad[d];
            pixel /= s_.y.dim[d + 2];
        }
        origin[kImage] = pixel * input_.stride(0);
    }

    void find_offsets(int64_t tap, int width, Panel &panel) const {
        int64_t shift[CUDNN_DIM_MAX];
        for (int d = s_.spatial - 1; d >= 0; --d) {
            const int64_t at = tap % s_.w.dim[d + 2];
            shift[d] = (s_.flipped ? s_.w.dim[d + 2] - 1 - at : at) * s_.dilation[d];
            tap /= s_.w.dim[d + 2];
        }
        if (panel.in_one_row && find_row(shift, width, panel)) return;
        bool inside = panel.live == width;
        for (int j = 0; j < width; ++j) {
            panel.offset[j] = j < panel.live ? offset_at(panel.origin[j], shift) : kOutside;
            inside = inside && panel.offset[j] != kOutside;
        }
        panel.layout = inside ? Layout::inside : Layout::scattered;
    }

    // All pixels in one row of the output, and all their places inside: the offsets are evenly spaced.
    bool find_row(const int64_t *shift, int width, Panel &panel) const {
        const int last = s_.spatial - 1;
        const int64_t end = panel.origin[0][last] + shift[last] + int64_t{width - 1} * s_.stride[last];
        const int64_t start = offset_at(panel.origin[0], shift);
        if (start == kOutside || end >= s_.x.dim[last + 2]) return false;
        const int64_t step = s_.stride[last] * input_.stride(last + 2);
        for (int j = 0; j < width; ++j) panel.offset[j] = start + j * step;
        panel.layout = step == 1 ? Layout::run : Layout::inside;
        return true;
    }

    int64_t offset_at(const int64_t *origin, const int64_t *shift) const {
        int64_t offset = origin[kImage];
        for (int d = 0; d < s_.spatial; ++d) {
            const int64_t place = origin[d] + shift[d];
            if (place < 0 || place >= s_.x.dim[d + 2]) return kOutside;
            offset += place * input_.stride(d + 2);
        }
        return offset;
    }

    void pack_channels(const T *from, int64_t count, int width, const Panel &panel, T *out) const {
        const int64_t next = input_.stride(1);
        for (int64_t c = 0; c < count; ++c, from += next, out += width) {
            if (panel.layout == Layout::run) {
                std::memcpy(out, from + panel.offset[0], sizeof(T) * static_cast<size_t>(width));
            } else if (panel.layout == Layout::inside) {
                for (int j = 0; j < width; ++j) out[j] = from[panel.offset[j]];
            } else {
                for (int j = 0; j < width; ++j) out[j] = panel.offset[j] == kOutside ? T{0} : from[panel.offset[j]];
            }
        }
    }

    const ConvolutionShape &s_;
    const Input<T> &input_;
    int64_t pixels_ = 1;
};

// The filter of one group as the left matrix: a row for each output channel, taps and channels in the order of Windows.
template <typename T, typename W>
PackedRows<T> pack_filter(const ConvolutionShape &s, int64_t group, const W *w) {
    const int64_t channels = s.group_inputs(), taps = s.taps();
    std::vector<int64_t> tap_offset(static_cast<size_t>(taps));
    View window = s.w;
    window.dim[0] = window.dim[1] = 1;
    for (int64_t tap = 0; tap < taps; ++tap) tap_offset[static_cast<size_t>(tap)] = window.offset_of(tap);
    const W *first = w + group * s.group_outputs() * s.w.stride[0];
    return PackedRows<T>(s.group_outputs(), channels * taps, [&, first](int64_t step) {
        const W *from = first + tap_offset[static_cast<size_t>(step / channels)] + step % channels * s.w.stride[1];
        return [from, &s](int64_t row) { return static_cast<T>(from[row * s.w.stride[0]]); };
    });
}

// Half sums: the running sum is kept in half, rounded after every block of the depth.
template <typename T> void round_to_half(T *sums, int64_t count) {
    for (int64_t i = 0; i < count; ++i) sums[i] = static_cast<T>(half_to_float(float_to_half(static_cast<float>(sums[i]))));
}

template <typename T> struct Job {
    const ConvolutionShape &shape;
    const Input<T> &input;
    const Windows<T> &windows;
    const Scaling &scaling;
};

template <typename T, typename Y>
void store_columns(const Job<T> &job, int64_t group, int64_t first, int64_t count, const T *sums, int64_t stride, Y *y) {
    const ConvolutionShape &s = job.shape;
    View plane = s.y;
    plane.dim[1] = 1;
    std::vector<int64_t> pixel(static_cast<size_t>(count));
    for (int64_t j = 0; j < count; ++j) pixel[static_cast<size_t>(j)] = plane.offset_of(first + j);
    for (int64_t k = 0; k < s.group_outputs(); ++k) {
        Y *out = y + (group * s.group_outputs() + k) * s.y.stride[1];
        const T *row = sums + k * stride;
        for (int64_t j = 0; j < count; ++j) job.scaling.store(out[pixel[static_cast<size_t>(j)]], row[j]);
    }
}

template <typename T, typename Y>
void run_block(const Job<T> &job, const PackedRows<T> &filter, int64_t group, int64_t first, GemmScratch<T> &scratch,
               Y *y) {
    const ConvolutionShape &s = job.shape;
    const int width = micro_kernel<T>().columns;
    const T *from = job.input.data() + group * s.group_inputs() * job.input.stride(1);
    const int64_t count = std::min(scratch.columns(), job.windows.count() - first);
    const bool halves = s.family == TypeFamily::true_half;
    multiply_columns(
        filter, count, scratch,
        [&](int64_t step, int64_t steps, int64_t panel, T *out) {
            job.windows.pack(from, first + panel * width, width, step, steps, out);
        },
        [&](T *sums) {
            if (halves) round_to_half(sums, filter.rows() * scratch.columns());
        });
    store_columns(job, group, first, count, scratch.sums(), scratch.columns(), y);
}

template <typename T, typename Y>
void run_group(const Job<T> &job, const PackedRows<T> &filter, int64_t group, Y *y) {
    const int64_t block = GemmScratch<T>::block_columns(filter.rows());
    const int64_t blocks = (job.windows.count() + block - 1) / block;
    const int64_t work = std::max<int64_t>(1, filter.rows() * filter.depth() * block);
    parallel_for(blocks, (int64_t{1} << 20) / work + 1, [&](int64_t begin, int64_t end) {
        GemmScratch<T> scratch(filter.rows());
        for (int64_t i = begin; i < end; ++i) run_block(job, filter, group, i * block, scratch, y);
    });
}

}  // namespace

template <typename T>
void convolve_gemm(const ConvolutionShape &s, const void *x, const void *w, void *y, const Scaling &scaling) {
    const Input<T> input(s.x, x);
    const Windows<T> windows(s, input);
    const Job<T> job{s, input, windows, scaling};
    visit_operand<T>(s.w.type, [&](auto element) {
        using W = decltype(element);
        for (int64_t group = 0; group < s.groups; ++group) {
            const PackedRows<T> filter = pack_filter<T>(s, group, static_cast<const W *>(w));
            visit_result<T>(s.y.type, [&](auto out) { run_group(job, filter, group, static_cast<decltype(out) *>(y)); });
        }
    });
}

template void convolve_gemm<float>(const ConvolutionShape &, const void *, const void *, void *, const Scaling &);
template void convolve_gemm<double>(const ConvolutionShape &, const void *, const void *, void *, const Scaling &);

}  // namespace fpsim
