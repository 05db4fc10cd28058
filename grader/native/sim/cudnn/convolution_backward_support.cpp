// Which backward algorithms run, as found by asking cuDNN 9.19 on an H200 about 3,400 problems. The transforming ones run
// where their forward counterparts do.
#include "convolution_backward.h"

namespace fpsim {
namespace {

bool is_row_major(const View &view) { return is_nchw(view); }

// Filters in KRSC need both tensors in NHWC. With KCRS, backward data takes any input and filter any output, but the
// other tensor must be row-major.
bool layouts_fit(const ConvolutionShape &s, const View &other) {
    if (!s.filter_last) return is_row_major(other);
    return is_nhwc(s.x) && is_nhwc(s.y);
}

bool all_row_major(const ConvolutionShape &s) { return is_row_major(s.x) && is_row_major(s.y) && !s.filter_last; }

bool has_kernels(const ConvolutionShape &s) {
    const bool known = s.family != TypeFamily::none && s.family != TypeFamily::integers && s.spatial >= 2;
    return known && !(s.filter_last && s.family == TypeFamily::doubles);
}

// The forward support with all tensors seen as row-major: whether the window, strides and types suit a transform. Gradients
// of doubles are, under a window of one tap.
bool transforms_as_forward(const ConvolutionShape &s, int algorithm) {
    ConvolutionShape plain = s;
    plain.x = packed_view(s.x.type, s.x.rank, s.x.dim.data());
    plain.y = packed_view(s.y.type, s.y.rank, s.y.dim.data());
    const bool doubles_in_place = s.family == TypeFamily::doubles && s.taps() == 1;  // others need padding
    return !s.filter_last && (s.family != TypeFamily::doubles || doubles_in_place) && forward_supported(plain, algorithm);
}

}  // namespace

bool backward_data_supported(const ConvolutionShape &s, int algorithm) {
    if (!has_kernels(s) || !layouts_fit(s, s.y)) return false;
    switch (algorithm) {
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_0: return s.spatial == 2 || !s.filter_last;
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_1: return true;
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT:
            return all_row_major(s) && transforms_as_forward(s, CUDNN_CONVOLUTION_FWD_ALGO_FFT);
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING:
            return all_row_major(s) && transforms_as_forward(s, CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING);
        case CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED:
            return transforms_as_forward(s, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED);
        default: return false;
    }
}

bool backward_filter_supported(const ConvolutionShape &s, int algorithm) {
    if (!has_kernels(s) || !layouts_fit(s, s.x)) return false;
    const bool halves = s.family == TypeFamily::true_half;
    if (halves && s.filter_last) return false;
    switch (algorithm) {
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0: return !halves && (s.spatial == 2 || !s.filter_last);
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1: return true;
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT:
            return all_row_major(s) && transforms_as_forward(s, CUDNN_CONVOLUTION_FWD_ALGO_FFT);
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3:
            return !halves && !s.filter_last && !s.has_dilation() && (s.spatial == 2 || is_row_major(s.y));
        case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED:
            return transforms_as_forward(s, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED);
        default: return false;  // WINOGRAD never, FFT_TILING only where one window covers the whole input
    }
}

}  // namespace fpsim
