// Convolution whose sums are halves: every product is added to the sum with one rounding, channel by channel, then along
// the window. Bit for bit what the plain algorithms of an H200 do with compute type HALF (docs/simulator.md).
#include <bit>

#include "../cudnn/convolution.h"

namespace fpsim {
namespace {

// The nearest half, ties to even. Adding and taking away 1.5 * 2^(e + 42), for a value of exponent e, leaves 11 bits.
double nearest_half(double value) {
    constexpr uint64_t kExponent = uint64_t{0x7ff} << 52, kLeast = uint64_t{1023 - 14} << 52;
    constexpr double kMost = 65504;
    const uint64_t exponent = std::max(std::bit_cast<uint64_t>(value) & kExponent, kLeast);
    const double magnet = std::bit_cast<double>((exponent + (uint64_t{42} << 52)) | uint64_t{1} << 51);
    const double rounded = (value + magnet) - magnet;
    return std::abs(rounded) > kMost ? std::copysign(std::numeric_limits<double>::infinity(), rounded) : rounded;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// All values of a tensor as floats, packed.
std::vector<float> unpack(const View &view, const half *from) {
    std::vector<float> values(static_cast<size_t>(view.elements()));
    parallel_for(std::ssize(values), 4096, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) values[static_cast<size_t>(i)] = from[view.offset_of(i)];
    });
    return values;
}

// The sums of one image and output channel, row by row along the last dimension.
class Plane {
public:
    explicit Plane(const ConvolutionShape &s)
        : s_(s), x_(packed_view(s.x.type, s.x.rank, s.x.dim.data())),
          width_(s.y.dim[s.spatial + 1]), sums_(static_cast<size_t>(s.y.elements() / s.y.dim[0] / s.y.dim[1])) {}

    // x, w: packed, at the first channel of the group, and at the output channel's filter.
    const std::vector<double> &convolve(const float *x, const float *w) {
        std::fill(sums_.begin(), sums_.end(), 0);
        for (int64_t c = 0; c < s_.w.dim[1]; ++c) {
            for (int64_t tap = 0; tap < s_.taps(); ++tap) add(x + c * x_.stride[1], tap, *w++);
        }
        return sums_;
    }

private:
    void add(const float *x, int64_t tap, double weight) {
        const int last = s_.spatial - 1;
        std::array<int64_t, CUDNN_DIM_MAX> shift{};  // from an output's first place to the one that this tap reads
        for (int d = last; d >= 0; --d) {
            const int64_t at = tap % s_.w.dim[d + 2];
            tap /= s_.w.dim[d + 2];
            shift[d] = (s_.flipped ? s_.w.dim[d + 2] - 1 - at : at) * s_.dilation[d] - s_.pad[d];
        }
        const int64_t step = s_.stride[last];
        const int64_t begin = std::max<int64_t>(0, -floor_div(shift[last], step));
        const int64_t end = std::min(width_, floor_div(s_.x.dim[last + 2] - 1 - shift[last], step) + 1);
        for (int64_t row = 0; row < std::ssize(sums_) / width_; ++row) {
            const int64_t from = row_of(row, shift);
            if (from >= 0) add_row(x + from + shift[last], begin, end, step, weight, sums_.data() + row * width_);
        }
    }

    // Where the row of x begins that the tap reads for a row of outputs; -1 where that is padding.
    int64_t row_of(int64_t row, const std::array<int64_t, CUDNN_DIM_MAX> &shift) const {
        int64_t from = 0;
        for (int d = s_.spatial - 2; d >= 0; --d) {
            const int64_t place = row % s_.y.dim[d + 2] * s_.stride[d] + shift[d];
            row /= s_.y.dim[d + 2];
            if (place < 0 || place >= s_.x.dim[d + 2]) return -1;
            from += place * x_.stride[d + 2];
        }
        return from;
    }

    static void add_row(const float *x, int64_t begin, int64_t end, int64_t step, double weight, double *sums) {
        for (int64_t i = begin; i < end; ++i) sums[i] = nearest_half(sums[i] + weight * x[i * step]);
    }

    const ConvolutionShape &s_;
    View x_;
    int64_t width_;
    std::vector<double> sums_;
};

}  // namespace

void convolve_halves(const ConvolutionShape &s, const void *x, const void *w, void *y, const Scaling &scaling) {
    const std::vector<float> input = unpack(s.x, static_cast<const half *>(x));
    const std::vector<float> filter = unpack(s.w, static_cast<const half *>(w));
    const int64_t pixels = s.y.elements() / std::max<int64_t>(1, s.y.dim[0] * s.y.dim[1]);
    const int64_t window = s.w.dim[1] * s.taps(), channel = std::ssize(input) / (s.x.dim[0] * s.x.dim[1]);
    parallel_for(s.y.dim[0] * s.y.dim[1], 65536 / (pixels * window + 1) + 1, [&](int64_t begin, int64_t end) {
        Plane plane(s);
        for (int64_t i = begin; i < end; ++i) {
            const int64_t n = i / s.y.dim[1], k = i % s.y.dim[1], group = k / s.group_outputs();
            const float *image = input.data() + (n * s.x.dim[1] + group * s.group_inputs()) * channel;
            const std::vector<double> &sums = plane.convolve(image, filter.data() + k * window);
            for (int64_t p = 0; p < pixels; ++p) {
                scaling.store(static_cast<half *>(y)[s.y.offset_of(i * pixels + p)], sums[static_cast<size_t>(p)]);
            }
        }
    });
}

}  // namespace fpsim
