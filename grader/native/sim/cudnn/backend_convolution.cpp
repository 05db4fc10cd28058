// Convolutions in operation graphs.
#include "backend.h"
#include "convolution_backward.h"

namespace fpsim {
namespace {

enum class Direction { forward, data, filter };

// The attributes of the three convolution operations by their role: x, w, y, descriptor, alpha, beta.
struct Names {
    cudnnBackendAttributeName_t x, w, y, convolution, alpha, beta;
};

std::optional<Direction> direction_of(const BackendNode &operation) {
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR: return Direction::forward;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR: return Direction::data;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR: return Direction::filter;
        default: return {};
    }
}

Names names_of(Direction direction) {
    switch (direction) {
        case Direction::data:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
        case Direction::filter:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
        default:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
    }
}

ConvolutionShape shape_of(const BackendNode &operation, const Names &names) {
    ConvolutionShape shape;
    const BackendNode &convolution = *operation.node(names.convolution);
    shape.x = graph_tensor(*operation.node(names.x)).view;
    shape.w = graph_tensor(*operation.node(names.w)).view;
    shape.y = graph_tensor(*operation.node(names.y)).view;
    shape.spatial = static_cast<int>(convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
    for (int d = 0; d < std::min(shape.spatial, CUDNN_DIM_MAX - 2); ++d) {
        shape.pad[d] = static_cast<int>(convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0, d));
        shape.stride[d] = static_cast<int>(convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1, d));
        shape.dilation[d] = static_cast<int>(convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS, 1, d));
    }
    if (shape.w.rank > 1 && shape.x.dim[1] % shape.w.dim[1] == 0) shape.groups = shape.x.dim[1] / shape.w.dim[1];
    shape.filter_last = is_nhwc(shape.w) && !is_nchw(shape.w);
    shape.flipped = convolution.get<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CONVOLUTION;
    shape.compute = convolution.get<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE);
    shape.family = shape.x.type == CUDNN_DATA_DOUBLE ? TypeFamily::doubles
                   : shape.x.type == CUDNN_DATA_INT8 ? TypeFamily::integers : TypeFamily::single;
    return shape;
}

bool pads_evenly(const BackendNode &convolution) {
    for (int64_t d = 0; d < convolution.count(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS); ++d) {
        if (convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0, d) !=
            convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0, d)) return false;
    }
    return true;
}

}  // namespace

// The output's size counts both paddings; the simulator has kernels for even ones only.
const char *convolution_inconsistency(const BackendNode &operation) {
    const auto direction = direction_of(operation);
    if (!direction) return nullptr;
    const Names names = names_of(*direction);
    const BackendNode &convolution = *operation.node(names.convolution);
    if (convolution.type != CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR) return "not a convolution descriptor";
    return pads_evenly(convolution) ? inconsistency(shape_of(operation, names)) : nullptr;
}

bool convolution_supported(const BackendNode &operation) {
    const auto direction = direction_of(operation);
    if (!direction) return false;
    const Names names = names_of(*direction);
    if (!pads_evenly(*operation.node(names.convolution))) return false;
    const ConvolutionShape shape = shape_of(operation, names);
    if (shape.x.type != shape.w.type) return false;
    if (*direction == Direction::forward) return is_elementwise_type(shape.x.type);
    return is_floating(shape.x.type) && shape.x.type == shape.y.type;
}

void execute_convolution(const BackendNode &operation, GraphMemory &memory) {
    const Direction direction = *direction_of(operation);
    const Names names = names_of(direction);
    const ConvolutionShape shape = shape_of(operation, names);
    const Scaling scaling{operation.number(names.alpha, 1), operation.number(names.beta, 0)};
    void *x = memory.of(graph_tensor(*operation.node(names.x)));
    void *w = memory.of(graph_tensor(*operation.node(names.w)));
    void *y = memory.of(graph_tensor(*operation.node(names.y)));
    switch (direction) {
        case Direction::data: return convolve_backward_data(shape, w, y, x, scaling);
        case Direction::filter: return convolve_backward_filter(shape, x, y, w, scaling);
        default: return run_forward(shape, {x, w, y}, scaling);
    }
}

}  // namespace fpsim
