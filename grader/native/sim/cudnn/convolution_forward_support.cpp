// Which forward algorithms an H200 runs.
#include "convolution.h"

namespace fpsim {
namespace {

enum class Family { none, single, pseudo_half, true_half, bfloat, doubles, integers };

Family family_of(const ConvolutionShape &s) {
    if (s.x.type == CUDNN_DATA_INT8 && s.w.type == CUDNN_DATA_INT8 && s.compute == CUDNN_DATA_INT32) {
        return s.y.type == CUDNN_DATA_INT8 || s.y.type == CUDNN_DATA_FLOAT ? Family::integers : Family::none;
    }
    if (s.x.type != s.w.type || s.x.type != s.y.type) return Family::none;
    if (s.x.type == CUDNN_DATA_FLOAT && s.compute == CUDNN_DATA_FLOAT) return Family::single;
    if (s.x.type == CUDNN_DATA_DOUBLE && s.compute == CUDNN_DATA_DOUBLE) return Family::doubles;
    if (s.x.type == CUDNN_DATA_BFLOAT16 && s.compute == CUDNN_DATA_FLOAT) return Family::bfloat;
    if (s.x.type == CUDNN_DATA_HALF && s.compute == CUDNN_DATA_FLOAT) return Family::pseudo_half;
    if (s.x.type == CUDNN_DATA_HALF && s.compute == CUDNN_DATA_HALF) return Family::true_half;
    return Family::none;
}

bool all_are(const std::array<int, CUDNN_DIM_MAX> &values, int count, int wanted) {
    for (int d = 0; d < count; ++d) {
        if (values[d] != wanted) return false;
    }
    return true;
}

bool has_winograd_window(const ConvolutionShape &s) {
    return s.spatial == 2 && s.w.dim[2] == s.w.dim[3] && (s.w.dim[2] == 3 || s.w.dim[2] == 5);
}

}  // namespace

bool forward_supported(const ConvolutionShape &s, int algorithm) {
    const Family family = family_of(s);
    if (family == Family::none) return false;
    // A view with a single channel or pixel has both layouts.
    const bool channels_last = is_nhwc(s.x) && is_nhwc(s.w);
    const bool channels_first = is_nchw(s.w) && !(is_nhwc(s.x) && !is_nchw(s.x));
    if (family == Family::integers) {
        if (!channels_last || s.w.dim[1] % 4 != 0 || s.w.dim[0] % 4 != 0) return false;
    } else if (!channels_first && !channels_last) {
        return false;
    }
    const bool dense = all_are(s.dilation, s.spatial, 1);
    const bool unit = dense && all_are(s.stride, s.spatial, 1);
    const bool floats = family == Family::single || family == Family::pseudo_half;
    const bool same_layout = is_nchw(s.y);
    switch (algorithm) {
        case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM:
        case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM: return true;
        case CUDNN_CONVOLUTION_FWD_ALGO_GEMM: return channels_first && (floats || family == Family::doubles);
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT: return channels_first && same_layout && floats && unit && s.spatial == 2;
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING: return channels_first && same_layout && floats && dense;
        case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED:
            return channels_first && (floats || family == Family::true_half) && unit && has_winograd_window(s);
        default: return false;
    }
}

}  // namespace fpsim
