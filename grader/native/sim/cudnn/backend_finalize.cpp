// What finalising a descriptor of the graph API checks. The order and the statuses are those of the real library as far
// as they could be observed: a missing attribute is BAD_PARAM, of an engine BAD_PARAM_NULL_POINTER.
#include <set>

#include "backend.h"
#include "convolution.h"

namespace fpsim {

double BackendNode::number(cudnnBackendAttributeName_t name, double fallback) const {
    const auto found = values.find(name);
    if (found == values.end()) return fallback;
    return found->second.type == CUDNN_TYPE_DOUBLE ? get<double>(name) : static_cast<double>(get<float>(name));
}

const BackendNode *BackendNode::node(cudnnBackendAttributeName_t name, int64_t index) const {
    return static_cast<const BackendNode *>(get<cudnnBackendDescriptor_t>(name, nullptr, index));
}

GraphTensor graph_tensor(const BackendNode &node) {
    GraphTensor tensor{node.get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID), node.get<unsigned char>(CUDNN_ATTR_TENSOR_IS_VIRTUAL) != 0, {}};
    tensor.view.type = node.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
    tensor.view.rank = static_cast<int>(node.count(CUDNN_ATTR_TENSOR_DIMENSIONS));
    for (int d = 0; d < tensor.view.rank; ++d) {
        tensor.view.dim[d] = node.get<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, 0, d);
        tensor.view.stride[d] = node.get<int64_t>(CUDNN_ATTR_TENSOR_STRIDES, 0, d);
    }
    return tensor;
}

namespace {

using Failure = std::optional<BackendFailure>;

Failure bad(const char *reason) { return BackendFailure{CUDNN_STATUS_BAD_PARAM, reason}; }

bool all_at_least(const BackendNode &node, cudnnBackendAttributeName_t name, int64_t least) {
    for (int64_t i = 0; i < node.count(name); ++i) {
        if (node.get<int64_t>(name, 0, i) < least) return false;
    }
    return true;
}

Failure check_required(const BackendNode &node) {
    for (const BackendAttribute &attribute : backend_attributes(node.type)) {
        if (attribute.required && !node.has(attribute.name)) {
            const bool engine = node.type == CUDNN_BACKEND_ENGINE_DESCRIPTOR;
            return BackendFailure{engine ? CUDNN_STATUS_BAD_PARAM_NULL_POINTER : CUDNN_STATUS_BAD_PARAM, "a required attribute is not set"};
        }
    }
    return {};
}

// The type of the descriptors that an attribute names, where it is always the same.
std::optional<cudnnBackendDescriptorType_t> type_of_children(cudnnBackendAttributeName_t name) {
    switch (name) {
        case CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR: return CUDNN_BACKEND_POINTWISE_DESCRIPTOR;
        case CUDNN_ATTR_OPERATION_MATMUL_DESC: return CUDNN_BACKEND_MATMUL_DESCRIPTOR;
        case CUDNN_ATTR_OPERATION_REDUCTION_DESC: return CUDNN_BACKEND_REDUCTION_DESCRIPTOR;
        case CUDNN_ATTR_ENGINE_OPERATION_GRAPH:
        case CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH: return CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR;
        case CUDNN_ATTR_ENGINECFG_ENGINE: return CUDNN_BACKEND_ENGINE_DESCRIPTOR;
        case CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG: return CUDNN_BACKEND_ENGINECFG_DESCRIPTOR;
        default: return {};
    }
}

// Every descriptor that is named must be finalised, and of the right type.
Failure check_children(const BackendNode &node) {
    for (const auto &[name, value] : node.values) {
        if (value.type != CUDNN_TYPE_BACKEND_DESCRIPTOR) continue;
        const auto type = type_of_children(name);
        for (int64_t i = 0; i < value.count; ++i) {
            if (!node.node(name, i)->finalized) return bad("a descriptor that is named here is not finalized");
            if (type && node.node(name, i)->type != *type) return bad("a descriptor that is named here has another type");
        }
    }
    return {};
}

double elements_of(const BackendNode &node) {
    double count = 1;
    for (int64_t d = 0; d < node.count(CUDNN_ATTR_TENSOR_DIMENSIONS); ++d) {
        count *= static_cast<double>(node.get<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, 0, d));
    }
    return count;
}

Failure check_tensor(const BackendNode &node) {
    const int64_t rank = node.count(CUDNN_ATTR_TENSOR_DIMENSIONS);
    if (rank > CUDNN_DIM_MAX || node.count(CUDNN_ATTR_TENSOR_STRIDES) != rank) return bad("dimensions and strides do not belong together");
    if (!all_at_least(node, CUDNN_ATTR_TENSOR_DIMENSIONS, 1)) return bad("a dimension is not positive");
    if (!all_at_least(node, CUDNN_ATTR_TENSOR_STRIDES, 0)) return bad("a stride is negative");
    if (element_size(graph_tensor(node).view.type) == 0) return bad("unknown data type");
    constexpr double kMostElements = 1e12;
    double span = 1;
    for (int d = 0; d < rank; ++d) {
        const auto steps = static_cast<double>(node.get<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, 0, d) - 1);
        span += steps * static_cast<double>(node.get<int64_t>(CUDNN_ATTR_TENSOR_STRIDES, 0, d));
    }
    return span <= kMostElements && elements_of(node) <= kMostElements ? Failure{} : bad("larger than any device memory");
}

// Paddings that are not set are 0.
Failure check_convolution(BackendNode &node) {
    const auto rank = node.get<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
    if (rank < 1 || rank > CUDNN_DIM_MAX - 2) return bad("no such number of spatial dimensions");
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS}) {
        if (node.has(name)) continue;
        const size_t size = static_cast<size_t>(rank) * sizeof(int64_t);
        node.values.insert_or_assign(name, BackendNode::Value{CUDNN_TYPE_INT64, rank, std::vector<unsigned char>(size)});
    }
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS,
                            CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES}) {
        if (node.count(name) != rank) return bad("not as many elements as spatial dimensions");
    }
    const bool positive = all_at_least(node, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1) && all_at_least(node, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1);
    const bool padded = all_at_least(node, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0) && all_at_least(node, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0);
    return positive && padded ? Failure{} : bad("a stride or dilation is not positive, or a padding is negative");
}

Failure check_operation(const BackendNode &node) {
    for (const auto name : operation_inputs(node)) {
        if (node.has(name) && node.node(name)->type != CUDNN_BACKEND_TENSOR_DESCRIPTOR) return bad("not a tensor descriptor");
    }
    const auto output = operation_output(node);
    if (node.has(output) && node.node(output)->type != CUDNN_BACKEND_TENSOR_DESCRIPTOR) return bad("not a tensor descriptor");
    if (const char *reason = convolution_inconsistency(node)) return bad(reason);
    return {};
}

Failure check_graph(BackendNode &node) {
    for (int64_t i = 0; i < node.count(CUDNN_ATTR_OPERATIONGRAPH_OPS); ++i) {
        if (!is_operation(*node.node(CUDNN_ATTR_OPERATIONGRAPH_OPS, i))) return bad("not an operation descriptor");
    }
    node.put(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, CUDNN_TYPE_INT64, int64_t{1});
    return {};
}

Failure check_engine(const BackendNode &node) {
    if (node.get<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX) != 0) return bad("the simulator has one engine, number 0");
    if (graph_supported(*node.node(CUDNN_ATTR_ENGINE_OPERATION_GRAPH))) return {};
    return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "the simulator cannot run this operation graph"};
}

Failure check_heuristics(const BackendNode &node) {
    const auto mode = node.get<int>(CUDNN_ATTR_ENGINEHEUR_MODE);
    return mode >= CUDNN_HEUR_MODE_INSTANT && mode < CUDNN_HEUR_MODES_COUNT ? Failure{} : bad("unknown heuristic mode");
}

Failure check_pack(const BackendNode &node) {
    const int64_t count = node.count(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    if (node.count(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS) != count) return bad("not as many pointers as unique ids");
    std::set<int64_t> ids;
    for (int64_t i = 0; i < count; ++i) ids.insert(node.get<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, 0, i));
    return static_cast<int64_t>(ids.size()) == count ? Failure{} : bad("a unique id twice");
}

}  // namespace

std::optional<BackendFailure> finalize_failure(BackendNode &node) {
    if (auto failure = check_required(node)) return failure;
    if (auto failure = check_children(node)) return failure;
    switch (node.type) {
        case CUDNN_BACKEND_TENSOR_DESCRIPTOR: return check_tensor(node);
        case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR: return check_convolution(node);
        case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: return check_graph(node);
        case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return check_engine(node);
        case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR: return check_heuristics(node);
        case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR: return check_pack(node);
        case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
            node.put(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, int64_t{0});
            return {};
        default: return is_operation(node) ? check_operation(node) : Failure{};
    }
}

}  // namespace fpsim
