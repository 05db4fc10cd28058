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

// A setting as the kernels take it; one beyond an int is the largest, which no convolution has.
int narrow(const BackendNode &convolution, cudnnBackendAttributeName_t name, int64_t fallback, int64_t index) {
    return static_cast<int>(std::min<int64_t>(convolution.get<int64_t>(name, fallback, index), std::numeric_limits<int>::max()));
}

ConvolutionShape shape_of(const BackendNode &operation, const Names &names) {
    ConvolutionShape shape;
    const BackendNode &convolution = *operation.node(names.convolution);
    shape.x = graph_tensor(*operation.node(names.x)).view;
    shape.w = graph_tensor(*operation.node(names.w)).view;
    shape.y = graph_tensor(*operation.node(names.y)).view;
    shape.spatial = static_cast<int>(convolution.get<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
    for (int d = 0; d < std::min(shape.spatial, CUDNN_DIM_MAX - 2); ++d) {
        shape.pad[d] = narrow(convolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0, d);
        shape.stride[d] = narrow(convolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1, d);
        shape.dilation[d] = narrow(convolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1, d);
    }
    if (shape.w.rank > 1 && shape.w.dim[1] > 0 && shape.x.dim[1] % shape.w.dim[1] == 0) shape.groups = shape.x.dim[1] / shape.w.dim[1];
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

// A view without the dimensions that are repeated by a stride of 0.
View spread(View view) {
    for (int d = 0; d < view.rank; ++d) {
        if (view.stride[d] == 0) view.dim[d] = 1;
    }
    return view;
}

// Dense in some order of its dimensions.
bool packed(const View &view) {
    std::vector<std::pair<int64_t, int64_t>> steps;  // stride, dimension
    for (int d = 0; d < view.rank; ++d) {
        if (view.dim[d] > 1) steps.emplace_back(view.stride[d], view.dim[d]);
    }
    std::sort(steps.begin(), steps.end());
    uint64_t span = 1;  // wraps around, as in the real library
    for (const auto &[step, count] : steps) {
        if (static_cast<uint64_t>(step) != span) return false;
        span *= static_cast<uint64_t>(count);
    }
    return true;
}

// Vectors are of channels.
bool vectors_fit(const BackendNode &operation, const Names &names) {
    for (const auto name : {names.x, names.w, names.y}) {
        const BackendNode &tensor = *operation.node(name);
        const auto place = tensor.get<int64_t>(CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, -1);
        if (tensor.get<int64_t>(CUDNN_ATTR_TENSOR_VECTOR_COUNT, 1) > 1 && place != 1) return false;
    }
    return true;
}

}  // namespace

// The output's size counts both paddings, as if they belonged to the input; the simulator has kernels for even ones only.
Failure convolution_failure(const BackendNode &operation) {
    const Names names = names_of(*direction_of(operation));
    const BackendNode &convolution = *operation.node(names.convolution);
    ConvolutionShape shape = shape_of(operation, names);
    if (!pads_evenly(convolution)) {
        for (int d = 0; d < std::min(shape.spatial, shape.x.rank - 2); ++d) {
            const int after = narrow(convolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0, d);
            const auto room = static_cast<uint64_t>(shape.x.dim[d + 2]) + static_cast<uint64_t>(shape.pad[d]) + static_cast<uint64_t>(after);
            shape.x.dim[d + 2] = static_cast<int64_t>(room);
            shape.pad[d] = 0;
        }
    }
    if (!vectors_fit(operation, names)) return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "a vectorised dimension is not that of the channels"};
    const auto vector = static_cast<uint64_t>(operation.node(names.y)->get<int64_t>(CUDNN_ATTR_TENSOR_VECTOR_COUNT, 1));
    shape.y.dim[1] = static_cast<int64_t>(static_cast<uint64_t>(shape.y.dim[1]) * vector);
    if (const char *reason = inconsistent_dims(shape)) return bad(reason);
    for (const auto name : {names.x, names.y}) {
        if (spread(graph_tensor(*operation.node(name)).view).overlaps()) return bad("hasOverlappingStrides()");
    }
    return packed(shape.w) ? Failure{} : bad("the filter is not packed");
}

int64_t convolution_groups(const BackendNode &operation) { return shape_of(operation, names_of(*direction_of(operation))).groups; }

bool convolution_supported(const BackendNode &operation) {
    const auto direction = direction_of(operation);
    if (!direction) return false;
    const Names names = names_of(*direction);
    if (!pads_evenly(*operation.node(names.convolution))) return false;
    const ConvolutionShape shape = shape_of(operation, names);
    if (shape.x.type != shape.w.type || shape.x.overlaps() || shape.y.overlaps()) return false;
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
