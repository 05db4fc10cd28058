// Workspace sizes of the backward algorithms, as formulas that fit what cuDNN 9.19 on an H200 answered for about 3,400
// problems: exactly for FFT and WINOGRAD_NONFUSED in nearly all of them, for FFT_TILING with unit strides; for ALGO_1 and
// ALGO_3, whose sizes depend on the kernel that a heuristic picks, in the usual cases.
#include "convolution_backward.h"

namespace fpsim {
namespace {

constexpr int64_t kAlign = 16;
constexpr int64_t kComplex = 8;  // bytes of a complex float

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t aligned(int64_t bytes) { return ceil_div(bytes, kAlign) * kAlign; }
int64_t bytes_of(const View &view) { return view.elements() * static_cast<int64_t>(element_size(view.type)); }

// A grouped convolution of several images gathers input and output of a group and runs the groups one by one.
int64_t for_groups(const ConvolutionShape &s, int64_t per_group) {
    if (s.groups == 1) return per_group;
    if (s.x.dim[0] == 1) return s.groups * per_group;
    return s.groups * (per_group + kAlign) + bytes_of(s.x) + bytes_of(s.y);
}

// Two planes of the transform of a whole image; the edge is a power of two.
int64_t plane_bytes(int64_t edge_needed) {
    int64_t edge = 16;
    while (edge < edge_needed) edge *= 2;
    return 2 * kComplex * edge * (edge / 2 + 1);
}

int64_t widest(const ConvolutionShape &s, int64_t (*extent)(const ConvolutionShape &, int)) {
    return std::max(extent(s, 0), extent(s, 1));
}

// The gradient of the input reaches beyond it by a window.
int64_t reached(const ConvolutionShape &s, int d) { return s.x.dim[d + 2] + s.w.dim[d + 2] - 1; }
int64_t padded(const ConvolutionShape &s, int d) { return s.padded(d); }

int64_t data_fft(const ConvolutionShape &s) {
    const int64_t n = s.x.dim[0], c = s.group_inputs(), k = s.group_outputs();
    const int64_t planes = std::max(k * (n + c), n * c);
    return for_groups(s, planes * plane_bytes(widest(s, reached)) + aligned(4 * c * k * s.taps()));
}

int64_t filter_fft(const ConvolutionShape &s) {
    const int64_t n = s.x.dim[0], c = s.group_inputs(), k = s.group_outputs();
    const int64_t planes = std::max(c * k, n * (c + k));
    return for_groups(s, planes * plane_bytes(widest(s, padded)) + aligned(4 * n * k * s.y.dim[2] * s.y.dim[3]));
}

int64_t data_tiling(const ConvolutionShape &s) {
    const int64_t n = s.x.dim[0], c = s.group_inputs(), k = s.group_outputs();
    int64_t plane = kComplex * 32 * 17;
    int64_t tiles = widest(s, reached) <= 32 ? 1 : 2;
    if (s.spatial == 2 && (s.w.dim[2] == 1 || s.w.dim[3] == 1)) {
        const int along = s.w.dim[3] == 1 ? 0 : 1;
        const int64_t length = s.w.dim[along + 2] <= 9 ? 32 : 256;
        plane = kComplex * (length / 2 + 1);
        tiles = (reached(s, along) <= length ? 1 : 2) * s.x.dim[3 - along];
    } else if (s.spatial == 3) {
        plane = kComplex * 16 * 16 * 9;
        tiles = 2;
    }
    return for_groups(s, plane * (tiles * n * (c + k) + c * k));
}

// Transformed tensors and filter: tiles of 4x4 for a window of 3x3, of 9x9 for 5x5.
int64_t winograd(const ConvolutionShape &s, const View &tiled, bool images_in_sixteens) {
    const int64_t window = s.w.dim[2], tile = window == 3 ? 4 : 9;
    const int64_t element = s.family == TypeFamily::true_half ? 2 : 4;
    const int64_t transformed = (tile + window - 1) * (tile + window - 1) * element;
    const int64_t images = images_in_sixteens ? ceil_div(s.x.dim[0], 16) * 16 : s.x.dim[0];
    const int64_t tiles = images * ceil_div(tiled.dim[2], tile) * ceil_div(tiled.dim[3], tile);
    const int64_t filters = s.groups * aligned(transformed * s.group_inputs() * s.group_outputs());
    return transformed * tiles * (s.x.dim[1] + s.w.dim[0]) + filters;
}

int64_t data_winograd(const ConvolutionShape &s) {
    const bool constants = s.family == TypeFamily::true_half && s.groups == 1 && s.w.dim[0] % 8 == 0 && s.x.dim[1] % 16 == 0;
    return winograd(s, s.x, true) + (constants ? 400 : 0);
}

// Copies of operands in the layout of the kernel.
int64_t data_implicit(const ConvolutionShape &s) {
    if (s.family != TypeFamily::single || s.groups != 1) return 0;
    if (s.filter_last && s.w.dim[0] % 4 != 0) {  // channels of dy and w are filled up to vectors of 4
        const int64_t channels = ceil_div(s.w.dim[0], 4) * 4;
        return channels * (bytes_of(s.y) + bytes_of(s.w)) / s.w.dim[0] + kAlign;
    }
    if (s.x.dim[1] <= 9) return 0;
    const int64_t operands = aligned(bytes_of(s.y)) + aligned(bytes_of(s.w)) + kAlign;
    if (s.filter_last) return s.w.dim[0] > 2 && s.x.elements() / s.x.dim[1] > 3600 ? operands : 0;
    const bool large = s.y.elements() > 59392 && s.w.dim[0] * s.taps() > 98;
    return large ? operands + aligned(bytes_of(s.x)) : 0;
}

// 16-bit filters are summed in float by several blocks, which count down in the last bytes.
int64_t filter_implicit(const ConvolutionShape &s) {
    constexpr int64_t kManyPixels = 1024;
    const bool halves = s.family == TypeFamily::pseudo_half || s.family == TypeFamily::bfloat;
    const int64_t pixels = s.y.elements() / s.y.dim[1];
    if (!halves || s.groups != 1 || s.filter_last || s.has_stride() || s.has_dilation() || pixels < kManyPixels) return 0;
    return 4 * s.w.elements() + 16 + 8 * ceil_div(s.x.dim[1] * s.taps(), 32);
}

}  // namespace

size_t backward_data_workspace(const ConvolutionShape &s, int algorithm, cudnnMathType_t math) {
    const bool cores = math == CUDNN_TENSOR_OP_MATH || math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
    switch (algorithm) {
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_1: return cores ? 0 : static_cast<size_t>(data_implicit(s));
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT: return static_cast<size_t>(data_fft(s));
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING: return static_cast<size_t>(data_tiling(s));
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED: return static_cast<size_t>(data_winograd(s));
        default: return 0;
    }
}

size_t backward_filter_workspace(const ConvolutionShape &s, int algorithm, cudnnMathType_t) {
    switch (algorithm) {
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1:
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3: return static_cast<size_t>(filter_implicit(s));
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT: return static_cast<size_t>(filter_fft(s));
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED:
            return static_cast<size_t>(winograd(s, s.y, s.w.dim[2] == 5));
        default: return 0;
    }
}

}  // namespace fpsim
