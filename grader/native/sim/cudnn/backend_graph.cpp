// The operations of a graph: their tensors, and which the simulator can run.
#include "backend.h"

namespace fpsim {

bool is_operation(const BackendNode &node) {
    switch (node.type) {
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return true;
        default: return is_convolution(node);
    }
}

bool is_convolution(const BackendNode &operation) {
    return operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR ||
           operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ||
           operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
}

std::vector<cudnnBackendAttributeName_t> operation_inputs(const BackendNode &operation) {
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W};
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W};
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
            return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X};
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
            return {CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_ATTR_OPERATION_MATMUL_BDESC};
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return {CUDNN_ATTR_OPERATION_REDUCTION_XDESC};
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
            return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                    CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, CUDNN_ATTR_OPERATION_POINTWISE_TDESC};
        default: return {};
    }
}

cudnnBackendAttributeName_t operation_output(const BackendNode &operation) {
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR: return CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR: return CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR: return CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW;
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return CUDNN_ATTR_OPERATION_MATMUL_CDESC;
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return CUDNN_ATTR_OPERATION_REDUCTION_YDESC;
        default: break;
    }
    const bool gradient = operation.has(CUDNN_ATTR_OPERATION_POINTWISE_DXDESC);
    return gradient ? CUDNN_ATTR_OPERATION_POINTWISE_DXDESC : CUDNN_ATTR_OPERATION_POINTWISE_YDESC;
}

namespace {

// Whether the simulator has elements and memory for a tensor.
bool computable(const BackendNode &tensor) {
    constexpr double kMostElements = 1e12;
    const View view = graph_tensor(tensor).view;
    double count = 1, span = 1;
    for (int d = 0; d < view.rank; ++d) {
        count *= static_cast<double>(view.dim[d]);
        span += (static_cast<double>(view.dim[d]) - 1) * static_cast<double>(view.stride[d]);
    }
    const bool plain = tensor.get<unsigned char>(CUDNN_ATTR_TENSOR_IS_BY_VALUE) == 0 && tensor.get<int64_t>(CUDNN_ATTR_TENSOR_VECTOR_COUNT) == 1;
    return plain && count <= kMostElements && span <= kMostElements && visit_type(view.type, [](auto) {});
}

// Whether an operation has all its parts, finalised, and tensors that can be computed.
bool complete(const BackendNode &operation) {
    for (const BackendAttribute &attribute : backend_attributes(operation.type)) {
        const bool optional = operation.type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR || attribute.writing->right.some != CUDNN_STATUS_SUCCESS;
        if (attribute.type != CUDNN_TYPE_BACKEND_DESCRIPTOR || (optional && !operation.has(attribute.name))) continue;
        const BackendNode *part = operation.node(attribute.name);
        if (!part || !part->finalized) return false;
        if (part->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR && !computable(*part)) return false;
    }
    return true;
}

bool supported(const BackendNode &operation) {
    if (!complete(operation)) return false;
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return matmul_supported(operation);
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return pointwise_supported(operation);
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return reduction_supported(operation);
        default: return convolution_supported(operation);
    }
}

// A virtual tensor is written by an earlier operation of the graph.
bool reads_only_written(const BackendNode &operation, const std::vector<int64_t> &written) {
    for (const auto name : operation_inputs(operation)) {
        if (!operation.has(name)) continue;
        const GraphTensor tensor = graph_tensor(*operation.node(name));
        if (tensor.is_virtual && std::find(written.begin(), written.end(), tensor.id) == written.end()) return false;
    }
    return true;
}

// Descriptors with the same unique id describe the same tensor.
bool describe_alike(const BackendNode &operation, std::map<int64_t, GraphTensor> &known) {
    auto names = operation_inputs(operation);
    names.push_back(operation_output(operation));
    for (const auto name : names) {
        if (!operation.has(name)) continue;
        const GraphTensor tensor = graph_tensor(*operation.node(name));
        const GraphTensor &first = known.try_emplace(tensor.id, tensor).first->second;
        const bool alike = first.view.same_dims(tensor.view) && first.view.same_strides(tensor.view);
        if (!alike || first.view.type != tensor.view.type || first.is_virtual != tensor.is_virtual) return false;
    }
    return true;
}

}  // namespace

bool graph_supported(const BackendNode &graph) {
    std::vector<int64_t> written;
    std::map<int64_t, GraphTensor> known;
    for (int64_t i = 0; i < graph.count(CUDNN_ATTR_OPERATIONGRAPH_OPS); ++i) {
        const BackendNode &operation = *graph.node(CUDNN_ATTR_OPERATIONGRAPH_OPS, i);
        if (!supported(operation) || !describe_alike(operation, known) || !reads_only_written(operation, written)) return false;
        written.push_back(graph_tensor(*operation.node(operation_output(operation))).id);
    }
    return true;
}

}  // namespace fpsim
