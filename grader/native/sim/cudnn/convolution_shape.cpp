// A convolution problem, read from its descriptors.
#include "convolution.h"

namespace fpsim {

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
    shape.groups = convolution.groups;
    shape.flipped = convolution.mode == CUDNN_CONVOLUTION;
    shape.compute = convolution.compute;
    shape.math = convolution.math;
    return shape;
}

bool is_consistent(const ConvolutionShape &shape) {
    const int rank = shape.spatial + 2;
    if (shape.spatial < 1 || shape.x.rank != rank || shape.w.rank != rank || shape.y.rank != rank) return false;
    if (shape.x.dim[1] != shape.groups * shape.w.dim[1] || shape.w.dim[0] % shape.groups != 0) return false;
    if (shape.y.dim[0] != shape.x.dim[0] || shape.y.dim[1] != shape.w.dim[0]) return false;
    for (int d = 0; d < shape.spatial; ++d) {
        const int64_t window = (shape.w.dim[d + 2] - 1) * shape.dilation[d] + 1;
        const int64_t room = shape.x.dim[d + 2] + 2 * int64_t{shape.pad[d]} - window;
        if (room < 0 || shape.y.dim[d + 2] != 1 + room / shape.stride[d]) return false;
    }
    return true;
}

}  // namespace fpsim
