// Which forward algorithms run, as found by asking cuDNN 9.19 on an H200 about 3,400 problems.
#include <algorithm>

#include "convolution.h"

namespace fpsim {
namespace {

constexpr int kLargestTransform = 256;

// Filters in KRSC need inputs in NHWC; filters in KCRS take any input. The filter's format decides, even where its
// dimensions make both the same.
bool layouts_fit(const ConvolutionShape &s) { return !s.filter_last || is_nhwc(s.x); }

bool floats(const ConvolutionShape &s) {
    return s.family == TypeFamily::single || s.family == TypeFamily::pseudo_half;
}

bool integers_fit(const ConvolutionShape &s) {
    return s.spatial == 2 && s.filter_last && is_nhwc(s.x) && is_nhwc(s.y) && s.x.dim[1] % 4 == 0 &&
           s.w.dim[0] % 4 == 0 && !s.has_dilation();
}

bool padding_below_window(const ConvolutionShape &s) {
    for (int d = 0; d < s.spatial; ++d) {
        if (s.pad[d] >= s.w.dim[d + 2]) return false;
    }
    return true;
}

// What both Fourier algorithms need.
bool fourier_fits(const ConvolutionShape &s) {
    return floats(s) && !s.filter_last && is_nchw(s.x) && is_nchw(s.y) && !s.has_dilation() && padding_below_window(s);
}

bool fft_supported(const ConvolutionShape &s) {
    return fourier_fits(s) && s.spatial == 2 && !s.has_stride() &&
           std::max(s.padded(0), s.padded(1)) <= kLargestTransform;
}

// Windows of one column over images as they are: the only doubles that are transformed.
bool tiles_columns_of_doubles(const ConvolutionShape &s) {
    const bool plain = s.spatial == 2 && !s.filter_last && is_nchw(s.x) && is_nchw(s.y);
    const bool in_place = s.pad[0] == 0 && s.pad[1] == 0 && !s.has_stride() && !s.has_dilation();
    return s.family == TypeFamily::doubles && plain && in_place && s.w.dim[3] == 1;
}

bool tiling_supported(const ConvolutionShape &s) {
    if (tiles_columns_of_doubles(s)) return true;
    if (!fourier_fits(s)) return false;
    if (s.spatial == 3) return !s.has_stride() && s.taps() > 1;
    const bool flat = s.w.dim[2] == 1 || s.w.dim[3] == 1;
    return s.spatial == 2 && s.stride[0] <= 2 && s.stride[1] <= 2 && !(flat && s.has_stride());
}

bool winograd_supported(const ConvolutionShape &s) {
    if (s.spatial != 2 || s.has_stride() || s.has_dilation() || s.filter_last) return false;
    const int64_t window = s.w.dim[2];
    if (window != s.w.dim[3] || (window != 3 && window != 5)) return false;
    if (s.family == TypeFamily::true_half) return window == 3;
    return floats(s) || s.family == TypeFamily::bfloat;
}

}  // namespace

bool forward_supported(const ConvolutionShape &s, int algorithm) {
    if (s.family == TypeFamily::none || s.spatial < 2 || !layouts_fit(s)) return false;
    if (s.family == TypeFamily::integers && !integers_fit(s)) return false;
    const bool integers = s.family == TypeFamily::integers;
    switch (algorithm) {
        case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM: return s.spatial == 2 || !s.filter_last;
        case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM: return true;
        case CUDNN_CONVOLUTION_FWD_ALGO_GEMM:
            return !integers && s.family != TypeFamily::true_half && s.spatial == 2 && !s.filter_last;
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT: return fft_supported(s);
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING: return tiling_supported(s);
        case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED: return winograd_supported(s);
        default: return false;
    }
}

bool forward_has_tensor_op(const ConvolutionShape &s, int algorithm) {
    if (algorithm != CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM &&
        algorithm != CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED) {
        return false;
    }
    if (s.math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION && s.family == TypeFamily::single) return true;
    if (s.math != CUDNN_TENSOR_OP_MATH && s.math != CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION) return false;
    return s.family == TypeFamily::pseudo_half || s.family == TypeFamily::true_half ||
           s.family == TypeFamily::bfloat;
}

}  // namespace fpsim
