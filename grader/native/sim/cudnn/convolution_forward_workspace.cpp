// Workspace sizes of the forward algorithms, as formulas that fit what cuDNN 9.19 on an H200 answered for about 3,400
// problems: exactly for FFT, FFT_TILING and WINOGRAD_NONFUSED in nearly all of them; for GEMM in nine of ten and for
// IMPLICIT_PRECOMP_GEMM in seven of ten, since there a heuristic picks the kernel.
#include <algorithm>

#include "convolution.h"

namespace fpsim {
namespace {

constexpr int64_t kAlign = 16;
constexpr int64_t kComplex = 8;      // bytes of a complex float
constexpr int64_t kIndexTable = 1024;  // offsets that IMPLICIT_PRECOMP_GEMM computes ahead

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t aligned(int64_t bytes) { return ceil_div(bytes, kAlign) * kAlign; }
int64_t bytes_of(const View &view) { return view.elements() * static_cast<int64_t>(element_size(view.type)); }

// A grouped convolution of several images gathers input and output of a group and runs the groups one by one.
int64_t for_groups(const ConvolutionShape &s, int64_t per_group) {
    if (s.groups == 1) return per_group;
    if (s.x.dim[0] == 1) return s.groups * per_group;
    return s.groups * (per_group + kAlign) + bytes_of(s.x) + bytes_of(s.y);
}

// Transforms of whole images, two halves at a time; the filter is copied in float.
int64_t fft(const ConvolutionShape &s) {
    const int64_t images = s.x.dim[0], inputs = s.group_inputs(), outputs = s.group_outputs();
    int64_t edge = 16;
    while (edge < std::max(s.padded(0), s.padded(1))) edge *= 2;
    const int64_t plane = 2 * kComplex * edge * (edge / 2 + 1);
    const int64_t planes = std::max(inputs * (images + outputs), images * outputs);
    return for_groups(s, planes * plane + aligned(4 * inputs * outputs * s.taps()));
}

// Transforms of tiles of 32x32 (of rows of 32 or 256 for a window of one row or column), two tiles at a time. For doubles
// the size is that of twice as long elements; the H200's answer is not recorded.
int64_t fft_tiling(const ConvolutionShape &s) {
    constexpr int64_t kTile = 32;
    const int64_t complex = s.family == TypeFamily::doubles ? 2 * kComplex : kComplex;
    int64_t plane = complex * kTile * (kTile / 2 + 1);
    int64_t tiles = std::max(s.padded(0), s.padded(1)) <= kTile ? 1 : 2;
    if (s.spatial == 2 && (s.w.dim[2] == 1 || s.w.dim[3] == 1)) {
        const int along = s.w.dim[3] == 1 ? 0 : 1;
        const int64_t length = s.w.dim[along + 2] <= 9 ? 32 : 256;
        plane = complex * (length / 2 + 1);
        tiles = (s.padded(along) <= length ? 1 : 2) * s.x.dim[3 - along];
    } else if (s.spatial == 3) {
        plane = kComplex * 16 * 16 * 9;
        tiles = 2;
    }
    const int64_t inputs = s.group_inputs(), outputs = s.group_outputs();
    return for_groups(s, plane * (tiles * s.x.dim[0] * (inputs + outputs) + inputs * outputs));
}

// Transformed input, filter and output: tiles of 4x4 outputs for a window of 3x3, of 9x9 for 5x5; images in sixteens.
int64_t winograd(const ConvolutionShape &s) {
    const int64_t window = s.w.dim[2], tile = window == 3 ? 4 : 9;
    const int64_t element = s.family == TypeFamily::true_half ? 2 : 4;
    const int64_t transformed = (tile + window - 1) * (tile + window - 1) * element;
    const int64_t tiles = ceil_div(s.y.dim[2], tile) * ceil_div(s.y.dim[3], tile);
    const int64_t all_tiles = ceil_div(s.x.dim[0], 16) * 16 * tiles;
    const int64_t filters = s.groups * aligned(transformed * s.group_inputs() * s.group_outputs());
    // The kernel for many tiles in half keeps its transform matrices in the workspace.
    const bool constants = s.family == TypeFamily::true_half && s.groups == 1 && tiles >= 32;
    return transformed * all_tiles * (s.x.dim[1] + s.w.dim[0]) + filters + (constants ? 400 : 0);
}

// Half types may build the column matrix in memory; float and double never do.
int64_t gemm(const ConvolutionShape &s) {
    const bool explicit_columns = (s.family == TypeFamily::pseudo_half || s.family == TypeFamily::bfloat) &&
                                  s.group_inputs() >= 16;
    return explicit_columns ? 2 * s.x.dim[0] * s.x.dim[1] * s.taps() * s.y.dim[2] * s.y.dim[3] : 0;
}

WorkspaceNeed all_of(int64_t bytes) { return {static_cast<size_t>(bytes), static_cast<size_t>(bytes)}; }
WorkspaceNeed optional(int64_t bytes) { return {static_cast<size_t>(bytes), 0}; }

// Copies of the operands in the layout of the kernel.
int64_t copies(const ConvolutionShape &s, bool output) {
    return aligned(bytes_of(s.x)) + aligned(bytes_of(s.w)) + (output ? aligned(bytes_of(s.y)) : 0) + kAlign;
}

WorkspaceNeed precomp_single_nchw(const ConvolutionShape &s) {
    const int64_t depth = s.group_inputs() * s.taps();
    const int64_t tables = s.groups * (kIndexTable + kAlign);
    if (!is_nchw(s.y) && is_nhwc(s.y)) {
        const bool small = s.y.dim[0] * s.y.dim[2] * s.y.dim[3] <= 1024;
        return small ? all_of(copies(s, false)) : all_of(0);
    }
    if (!is_nchw(s.x)) return is_nhwc(s.x) ? all_of(0) : all_of(bytes_of(s.x) + kIndexTable + kAlign);
    if (!is_nchw(s.y)) return all_of(bytes_of(s.y) + kIndexTable + kAlign);
    if (s.group_inputs() <= 2) return all_of(0);
    if (depth > 400) return all_of(copies(s, true));
    if (s.groups == 1) return optional(kIndexTable);
    const int64_t moved = bytes_of(s.x) + bytes_of(s.y);
    return {static_cast<size_t>(moved + tables), static_cast<size_t>(moved)};
}

WorkspaceNeed precomp(const ConvolutionShape &s, cudnnMathType_t math) {
    const bool last = s.filter_last;
    const bool cores = math == CUDNN_TENSOR_OP_MATH || math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
    switch (s.family) {
        case TypeFamily::single: return last ? all_of(0) : precomp_single_nchw(s);
        case TypeFamily::doubles: return last ? all_of(aligned(bytes_of(s.w)) + kAlign) : all_of(0);
        case TypeFamily::true_half:
            if (last) return all_of(s.w.dim[0] < 16 ? 0 : aligned(bytes_of(s.w)) + kAlign);
            return cores ? all_of(copies(s, true)) : all_of(0);
        case TypeFamily::pseudo_half:
            if (!cores || !last || s.groups > 1) return all_of(0);
            // One scale for each output channel, in vectors of 8.
            if (s.x.dim[1] % 8 != 0 && s.x.dim[1] != 3) return all_of(0);
            return optional(4 * 8 * ceil_div(s.w.dim[0], 8));
        default: return all_of(0);
    }
}

}  // namespace

WorkspaceNeed forward_workspace(const ConvolutionShape &s, int algorithm, cudnnMathType_t math) {
    switch (algorithm) {
        case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM: return precomp(s, math);
        case CUDNN_CONVOLUTION_FWD_ALGO_GEMM: return all_of(gemm(s));
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT: return all_of(fft(s));
        case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING: return all_of(fft_tiling(s));
        case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED: return all_of(winograd(s));
        default: return {};
    }
}

}  // namespace fpsim
