// Convolution as a matrix product whose right matrix (the windows of the input) is made panel by panel.
#include "convolution_input.h"

namespace fpsim {
namespace {

// The filter of one group as the left matrix: a row for each output channel; a step is a tap and a channel, channels
// running faster.
template <typename T, typename W>
PackedRows<T> pack_filter(const ConvolutionShape &s, int64_t group, const W *w) {
    const int64_t channels = s.group_inputs(), taps = s.taps();
    std::vector<int64_t> tap_offset(static_cast<size_t>(taps));
    View window = s.w;
    window.dim[0] = window.dim[1] = 1;
    for (int64_t tap = 0; tap < taps; ++tap) tap_offset[static_cast<size_t>(tap)] = window.offset_of(tap);
    const W *first = w + group * s.group_outputs() * s.w.stride[0];
    return PackedRows<T>(s.group_outputs(), channels * taps, s.w.stride[0], [&, first](int64_t step) {
        return first + tap_offset[static_cast<size_t>(step / channels)] + step % channels * s.w.stride[1];
    });
}

// Half sums: the running sum is kept in half, rounded after every block of the depth.
template <typename T> void round_to_half(T *sums, int64_t count) {
    for (int64_t i = 0; i < count; ++i) sums[i] = static_cast<T>(half_to_float(float_to_half(static_cast<float>(sums[i]))));
}

template <typename T> struct Job {
    Job(const ConvolutionShape &s, const void *x, const Scaling &scale)
        : shape(s), scaling(scale), input(s, x), lines(s, input.pitch(), input.image_pitch()),
          offsets(input.step_offsets(s.group_inputs())) {}

    const ConvolutionShape &shape;
    const Scaling &scaling;
    ConvolutionInput<T> input;
    Lines lines;
    std::vector<int64_t> offsets;  // of each step
    std::vector<PackedRows<T>> filters;  // of each group
};

// One thread's work on the images that are loaded.
template <typename T, typename Y> class Worker {
public:
    Worker(const Job<T> &job, const T *x, Y *y, int64_t places)
        : job_(job), x_(x), y_(y), places_(places), scratch_(job.shape.group_outputs()) {}

    // Panels [begin, end) of all groups, `panels` for each group.
    void run(int64_t begin, int64_t end, int64_t panels) {
        while (begin < end) {
            const int64_t group = begin / panels, first = begin % panels;
            const int64_t count = std::min({scratch_.panels(), panels - first, end - begin});
            run_block(group, first, count);
            begin += count;
        }
    }

private:
    void run_block(int64_t group, int64_t first, int64_t panels) {
        const PackedRows<T> &filter = job_.filters[static_cast<size_t>(group)];
        const bool halves = job_.shape.family == TypeFamily::true_half;
        const T *from = x_ + group * job_.shape.group_inputs() * job_.input.channel_pitch();
        multiply_panels(
            filter, panels, scratch_,
            [&](int64_t panel, int64_t step, int64_t steps, T *out) {
                pack(from, (first + panel) * width_, job_.offsets.data() + step, steps, out);
            },
            [&](T *sums) {
                if (halves) round_to_half(sums, filter.rows() * scratch_.columns());
            });
        store(group, first * width_, std::min(panels * width_, places_ - first * width_));
    }

    // The windows of `width_` places from `first` on: for each step a value of each.
    void pack(const T *from, int64_t first, const int64_t *offsets, int64_t steps, T *out) {
        const int64_t live = std::min(width_, places_ - first);
        job_.lines.find_segments(first, live, segments_);
        if (segments_.size() == 1 && live == width_) {
            return micro_kernel<T>().copy(steps, offsets, from + segments_[0].offset, out);
        }
        if (live < width_) std::fill_n(out, steps * width_, T{0});
        for (const Lines::Segment &segment : segments_) {
            T *to = out + segment.column;
            for (int64_t s = 0; s < steps; ++s, to += width_) {
                std::copy_n(from + segment.offset + offsets[s], segment.length, to);
            }
        }
    }

    void store(int64_t group, int64_t first, int64_t count) {
        const View &y = job_.shape.y;
        const int64_t outputs = job_.shape.group_outputs(), step = y.stride[y.rank - 1];
        job_.lines.find_pixels(first, count, segments_);
        for (int64_t k = 0; k < outputs; ++k) {
            const T *sums = scratch_.sums() + k * scratch_.columns();
            Y *out = y_ + (group * outputs + k) * y.stride[1];
            for (const Lines::Segment &row : segments_) {
                store_row(sums + row.column, row.length, step, out + row.offset);
            }
        }
    }

    void store_row(const T *sums, int64_t count, int64_t step, Y *out) const {
        if (step == 1) {
            for (int64_t i = 0; i < count; ++i) job_.scaling.store(out[i], sums[i]);
        } else {
            for (int64_t i = 0; i < count; ++i) job_.scaling.store(out[i * step], sums[i]);
        }
    }

    const Job<T> &job_;
    const T *x_;
    Y *y_;
    int64_t places_;
    const int64_t width_ = micro_kernel<T>().columns;
    GemmScratch<T> scratch_;
    std::vector<Lines::Segment> segments_;
};

template <typename T, typename Y> void run_images(Job<T> &job, Y *y) {
    const ConvolutionShape &s = job.shape;
    const int64_t width = micro_kernel<T>().columns;
    const int64_t work = std::max<int64_t>(1, s.group_outputs() * std::ssize(job.offsets) * width);
    for (int64_t first = 0; first < s.x.dim[0]; first += job.input.images()) {
        const int64_t images = std::min(job.input.images(), s.x.dim[0] - first);
        const int64_t places = job.lines.places(images), panels = (places + width - 1) / width;
        const T *x = job.input.load(first, images);
        parallel_for(s.groups * panels, kThreadWork / work + 1, [&](int64_t begin, int64_t end) {
            Worker<T, Y>(job, x, y + first * s.y.stride[0], places).run(begin, end, panels);
        });
    }
}

}  // namespace

template <typename T>
void convolve_gemm(const ConvolutionShape &s, const void *x, const void *w, void *y, const Scaling &scaling) {
    Job<T> job(s, x, scaling);
    visit_operand<T>(s.w.type, [&](auto element) {
        for (int64_t group = 0; group < s.groups; ++group) {
            job.filters.push_back(pack_filter<T>(s, group, static_cast<const decltype(element) *>(w)));
        }
    });
    visit_result<T>(s.y.type, [&](auto element) { run_images(job, static_cast<decltype(element) *>(y)); });
}

template void convolve_gemm<float>(const ConvolutionShape &, const void *, const void *, void *, const Scaling &);
template void convolve_gemm<double>(const ConvolutionShape &, const void *, const void *, void *, const Scaling &);

}  // namespace fpsim
