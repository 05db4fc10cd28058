// A pooling problem, read from its descriptors.
#include "pooling.h"

namespace fpsim {
namespace {

Planes planes_of(const cudnnTensorStruct &tensor) {
    Planes planes;
    planes.each = tensor.vector_channels > 1 ? split_channels(tensor, tensor.vector_channels) : view_of(tensor);
    const int spatial = tensor.rank - 2;
    for (int d = 0; d < spatial; ++d) {
        planes.size[3 - spatial + d] = planes.each.dim[d + 2];
        planes.stride[3 - spatial + d] = planes.each.stride[d + 2];
        planes.each.dim[d + 2] = 1;
    }
    return planes;
}

}  // namespace

PoolingShape pooling_shape(const cudnnPoolingStruct &pooling, const cudnnTensorStruct &x, const cudnnTensorStruct &y) {
    PoolingShape shape;
    shape.x = planes_of(x);
    shape.y = planes_of(y);
    for (int d = 0; d < pooling.rank; ++d) {
        shape.window[3 - pooling.rank + d] = pooling.window[d];
        shape.pad[3 - pooling.rank + d] = pooling.pad[d];
        shape.step[3 - pooling.rank + d] = pooling.stride[d];
    }
    shape.mode = pooling.mode;
    shape.propagate_nan = pooling.nan == CUDNN_PROPAGATE_NAN;
    shape.type = shape.x.each.type;
    return shape;
}

bool is_pooling_type(const cudnnTensorStruct &tensor) {
    if (tensor.vector_channels > 1) return tensor.type == CUDNN_DATA_INT8x4;
    return is_elementwise_type(tensor.type);
}

}  // namespace fpsim
