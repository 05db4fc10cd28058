// What finalising an operation of the graph API checks.
#include "backend.h"

namespace fpsim {
namespace {

bool names_tensor(cudnnBackendAttributeName_t name) {
    switch (name) {
        case CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR:
        case CUDNN_ATTR_OPERATION_MATMUL_DESC:
        case CUDNN_ATTR_OPERATION_REDUCTION_DESC:
        case CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC:
        case CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC:
        case CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC: return false;
        default: return true;
    }
}

cudnnBackendDescriptorType_t settings_of(const BackendNode &operation) {
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return CUDNN_BACKEND_POINTWISE_DESCRIPTOR;
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return CUDNN_BACKEND_MATMUL_DESCRIPTOR;
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return CUDNN_BACKEND_REDUCTION_DESCRIPTOR;
        default: return CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
    }
}

// Every part must be of its type, and those of a convolution finalised when they were named. The real library reads
// whatever the memory holds of a part of another type.
Failure check_types(const BackendNode &operation) {
    for (const auto &[name, value] : operation.values) {
        if (value.type != CUDNN_TYPE_BACKEND_DESCRIPTOR) continue;
        const BackendNode &part = *operation.node(name);
        const auto type = names_tensor(name) ? CUDNN_BACKEND_TENSOR_DESCRIPTOR : settings_of(operation);
        if (part.type != type) return bad("a descriptor that is named here has another type");
        if (is_convolution(operation) && !part.finalized) return bad("a descriptor was not finalized when it was named here");
    }
    return {};
}

}  // namespace

Failure operation_failure(const BackendNode &node) {
    if (auto failure = check_types(node)) return failure;
    switch (node.type) {
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return pointwise_failure(node);
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return matmul_failure(node);
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return reduction_failure(node);
        default: return convolution_failure(node);
    }
}

}  // namespace fpsim
