// A convolution problem, read from its descriptors.
#include <algorithm>

#include "convolution.h"

namespace fpsim {
namespace {

TypeFamily family_of(cudnnDataType_t x, cudnnDataType_t w, cudnnDataType_t y, cudnnDataType_t compute) {
    if (x != w) return TypeFamily::none;
    if (x == CUDNN_DATA_INT8 && compute == CUDNN_DATA_INT32) {
        const bool fits = y == CUDNN_DATA_INT8 || y == CUDNN_DATA_FLOAT || y == CUDNN_DATA_INT32;
        return fits ? TypeFamily::integers : TypeFamily::none;
    }
    if (x != y) return TypeFamily::none;
    if (x == CUDNN_DATA_DOUBLE && compute == CUDNN_DATA_DOUBLE) return TypeFamily::doubles;
    if (x == CUDNN_DATA_HALF && compute == CUDNN_DATA_HALF) return TypeFamily::true_half;
    if (compute != CUDNN_DATA_FLOAT) return TypeFamily::none;
    if (x == CUDNN_DATA_FLOAT) return TypeFamily::single;
    if (x == CUDNN_DATA_HALF) return TypeFamily::pseudo_half;
    return x == CUDNN_DATA_BFLOAT16 ? TypeFamily::bfloat : TypeFamily::none;
}

bool has_negative_stride(const View &view) {
    return std::any_of(view.stride.begin(), view.stride.begin() + view.rank, [](int64_t s) { return s < 0; });
}

bool is_complete(const View &view) {
    return std::all_of(view.dim.begin(), view.dim.begin() + view.rank, [](int64_t d) { return d > 0; });
}

// Graphs have dimensions up to 2^63 - 1, for which the sums wrap around as in the real library.
bool window_fits(const ConvolutionShape &s, int d) {
    if (s.stride[d] <= 0) return false;  // kept from a setter that was refused, as never set strides are
    const auto wrapping = [](int64_t number) { return static_cast<uint64_t>(number); };
    const uint64_t window = wrapping(s.w.dim[d + 2] - 1) * wrapping(s.dilation[d]) + 1;
    const auto room = static_cast<int64_t>(wrapping(s.x.dim[d + 2]) + 2 * wrapping(s.pad[d]) - window);
    return room >= 0 && s.y.dim[d + 2] - 1 == room / s.stride[d];
}

}  // namespace

int64_t ConvolutionShape::taps() const {
    int64_t count = 1;
    for (int d = 0; d < spatial; ++d) count *= w.dim[d + 2];
    return count;
}

bool ConvolutionShape::has_stride() const {
    return std::any_of(stride.begin(), stride.begin() + spatial, [](int s) { return s != 1; });
}

bool ConvolutionShape::has_dilation() const {
    return std::any_of(dilation.begin(), dilation.begin() + spatial, [](int d) { return d != 1; });
}

// The number of groups follows from the channels; the descriptor's group count matters for the output dims only, as in
// the real library.
ConvolutionShape shape_of(const cudnnConvolutionStruct &convolution, const cudnnTensorStruct &x,
                          const cudnnFilterStruct &w, const cudnnTensorStruct &y) {
    ConvolutionShape shape;
    shape.x = view_of(x);
    shape.w = view_of(w);
    shape.y = view_of(y);
    shape.spatial = convolution.rank;
    shape.pad = convolution.pad;
    shape.stride = convolution.stride;
    shape.dilation = convolution.dilation;
    if (shape.w.dim[1] > 0 && shape.x.dim[1] % shape.w.dim[1] == 0) shape.groups = shape.x.dim[1] / shape.w.dim[1];
    shape.filter_last = w.format == CUDNN_TENSOR_NHWC;
    shape.flipped = convolution.mode == CUDNN_CONVOLUTION;
    shape.compute = convolution.compute;
    shape.math = convolution.math;
    shape.family = family_of(x.type, w.type, y.type, convolution.compute);
    return shape;
}

const char *inconsistent_dims(const ConvolutionShape &s) {
    const int rank = s.spatial + 2;
    if (s.spatial < 1 || s.x.rank != rank || s.w.rank != rank || s.y.rank != rank) return "nbDims != expected_nb_dims";
    if (!is_complete(s.x) || !is_complete(s.w) || !is_complete(s.y)) return "a descriptor's setter was refused";
    if (has_negative_stride(s.x) || has_negative_stride(s.y)) return "_strA[d] < 0";
    if (s.x.dim[1] % s.w.dim[1] != 0) return "0 != xDimA[1] % wDimA[1]";
    if (s.w.dim[0] % s.groups != 0) return "0 != wDimA[0] % g";
    if (s.y.dim[0] != s.x.dim[0]) return "yDimA[N_DIM] != xDimA[N_DIM]";
    if (s.y.dim[1] != s.w.dim[0]) return "yDimA[CK_DIM] != wDimA[WK_DIM]";
    for (int d = 0; d < s.spatial; ++d) {
        if (!window_fits(s, d)) return "is_valid_spatial_dim(xSpatialDimA[dim], wSpatialDimA[dim], ySpatialDimA[dim])";
    }
    return nullptr;
}

const char *inconsistency(const ConvolutionShape &s) {
    if (const char *reason = inconsistent_dims(s)) return reason;
    return s.x.overlaps() || s.y.overlaps() ? "hasOverlappingStrides()" : nullptr;
}

}  // namespace fpsim
