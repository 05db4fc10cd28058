// What finalising a descriptor of the graph API checks, in the order and with the statuses of libcudnn 9.19.

#include "backend.h"
#include "convolution.h"

namespace fpsim {

double BackendNode::number(cudnnBackendAttributeName_t name, double fallback) const {
    const auto found = values.find(name);
    if (found == values.end()) return fallback;
    if (found->second.type == CUDNN_TYPE_INT32) return get<int32_t>(name);
    return found->second.type == CUDNN_TYPE_DOUBLE ? get<double>(name) : static_cast<double>(get<float>(name));
}

const BackendNode *BackendNode::node(cudnnBackendAttributeName_t name, int64_t index) const {
    const auto found = values.find(name);
    if (found != values.end() && index < std::ssize(found->second.copies)) return found->second.copies[static_cast<size_t>(index)].get();
    return static_cast<const BackendNode *>(get<cudnnBackendDescriptor_t>(name, nullptr, index));
}

std::vector<int64_t> BackendNode::list(cudnnBackendAttributeName_t name) const {
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < count(name); ++i) numbers.push_back(get<int64_t>(name, 0, i));
    return numbers;
}

void BackendNode::put_list(cudnnBackendAttributeName_t name, const std::vector<int64_t> &numbers) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(numbers.data());
    values.insert_or_assign(name, Value{CUDNN_TYPE_INT64, std::ssize(numbers), {bytes, bytes + numbers.size() * sizeof(int64_t)}, {}, {}});
}

// A descriptor that is not finalised may have any number of dimensions: those of a tensor are taken.
GraphTensor graph_tensor(const BackendNode &node) {
    GraphTensor tensor{node.get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID), node.get<unsigned char>(CUDNN_ATTR_TENSOR_IS_VIRTUAL) != 0, {}};
    tensor.view.type = node.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
    tensor.view.rank = static_cast<int>(std::min<int64_t>(node.count(CUDNN_ATTR_TENSOR_DIMENSIONS), CUDNN_DIM_MAX));
    for (int d = 0; d < tensor.view.rank; ++d) {
        tensor.view.dim[d] = node.get<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, 0, d);
        tensor.view.stride[d] = node.get<int64_t>(CUDNN_ATTR_TENSOR_STRIDES, 0, d);
    }
    return tensor;
}

int64_t graph_element_size(cudnnDataType_t type) {
    switch (type) {
        case CUDNN_DATA_COMPLEX_FP64: return 16;
        case CUDNN_DATA_INT64:
        case CUDNN_DATA_COMPLEX_FP32: return 8;
        case CUDNN_DATA_UINT32: return 4;
        case CUDNN_DATA_BOOLEAN:
        case CUDNN_DATA_FP8_E8M0:
        case CUDNN_DATA_FP4_E2M1:
        case CUDNN_DATA_INT4:
        case CUDNN_DATA_UINT4: return 1;
        default: return static_cast<int64_t>(element_size(type));
    }
}

namespace {

bool all_at_least(const BackendNode &node, cudnnBackendAttributeName_t name, int64_t least) {
    for (int64_t i = 0; i < node.count(name); ++i) {
        if (node.get<int64_t>(name, 0, i) < least) return false;
    }
    return true;
}

Failure unready(const char *reason) { return BackendFailure{CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, reason}; }

Failure check_required(const BackendNode &node) {
    for (const BackendAttribute &attribute : backend_attributes(node.type)) {
        if (!attribute.required || node.has(attribute.name)) continue;
        switch (node.type) {
            case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return BackendFailure{CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a required attribute is not set"};
            case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: return unready("the plan has no engine configuration");
            default: return bad("a required attribute is not set");
        }
    }
    return {};
}

// What a descriptor names that is no operation: with the type that it must have. Operations check theirs themselves.
struct Part {
    cudnnBackendAttributeName_t name;
    cudnnBackendDescriptorType_t type;
    cudnnStatus_t unready;  // where it is not finalised
};
constexpr Part kParts[] = {
    {CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED},
    {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_STATUS_BAD_PARAM},
    {CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, CUDNN_STATUS_BAD_PARAM},
    {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED},
};

Failure check_parts(const BackendNode &node) {
    for (const Part &part : kParts) {
        if (!node.has(part.name)) continue;
        if (node.node(part.name)->type != part.type) return bad("a descriptor that is named here has another type");
        if (!node.node(part.name)->finalized) return BackendFailure{part.unready, "a descriptor that is named here is not finalized"};
    }
    return {};
}

template <typename T> void put_default(BackendNode &node, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, T value) {
    if (!node.has(name)) node.put(name, type, value);
}

int64_t wide_dimensions(const BackendNode &tensor) {
    const auto dims = tensor.list(CUDNN_ATTR_TENSOR_DIMENSIONS);
    return std::count_if(dims.begin(), dims.end(), [](int64_t dim) { return dim > 1; });
}

Failure check_elements(const BackendNode &tensor) {
    const auto type = tensor.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
    if (type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 || type == CUDNN_DATA_INT8x32) {
        return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "graphs have no tensors of vectors; their vector count says how long they are"};
    }
    const int64_t size = graph_element_size(type), alignment = tensor.get<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
    if (size == 0) return bad("unknown data type");
    return alignment > 0 && alignment % size == 0 ? Failure{} : bad("the alignment is no multiple of an element's size");
}

Failure check_tensor(BackendNode &node) {
    put_default(node, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    put_default(node, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, int64_t{-1});
    put_default(node, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, false);
    put_default(node, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, false);
    put_default(node, CUDNN_ATTR_TENSOR_VECTOR_COUNT, CUDNN_TYPE_INT64, int64_t{1});
    put_default(node, CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, CUDNN_TYPE_INT64, int64_t{-1});
    const int64_t rank = node.count(CUDNN_ATTR_TENSOR_DIMENSIONS);
    if (rank > CUDNN_DIM_MAX || node.count(CUDNN_ATTR_TENSOR_STRIDES) != rank) return bad("dimensions and strides do not belong together");
    if (!all_at_least(node, CUDNN_ATTR_TENSOR_DIMENSIONS, 0)) return bad("a dimension is negative");
    if (!all_at_least(node, CUDNN_ATTR_TENSOR_STRIDES, 0)) return bad("a stride is negative");
    if (node.get<int64_t>(CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION) > rank) return bad("the vectorised dimension is none of the tensor");
    if (node.get<unsigned char>(CUDNN_ATTR_TENSOR_IS_BY_VALUE) != 0 && wide_dimensions(node) > 1) {
        return bad("a tensor by value has more than one dimension larger than 1");
    }
    return check_elements(node);
}

// Paddings that are not set are 0, the mode and the type the first of theirs.
Failure check_convolution(BackendNode &node) {
    put_default(node, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CONVOLUTION);
    put_default(node, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    const auto rank = node.get<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
    if (rank < 1 || rank > CUDNN_DIM_MAX - 2) return bad("no such number of spatial dimensions");
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS}) {
        if (node.has(name)) continue;
        node.put_list(name, std::vector<int64_t>(static_cast<size_t>(rank)));
    }
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS,
                            CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES}) {
        if (node.count(name) != rank) return bad("not as many elements as spatial dimensions");
    }
    const bool positive = all_at_least(node, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1) && all_at_least(node, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1);
    const bool padded = all_at_least(node, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0) && all_at_least(node, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0);
    return positive && padded ? Failure{} : bad("a stride or dilation is not positive, or a padding is negative");
}

// The reductions of 9.19 in graphs; the other ones of cudnnReduceTensor are not supported.
Failure check_reduction(BackendNode &node) {
    const auto operation = node.get<int>(CUDNN_ATTR_REDUCTION_OPERATOR);
    if (operation < CUDNN_REDUCE_TENSOR_ADD || operation > CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS) return bad("no such reduction");
    if (operation > CUDNN_REDUCE_TENSOR_AMAX) return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "graphs have no such reduction"};
    put_default(node, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    put_default(node, CUDNN_ATTR_REDUCTION_IS_DETERMINISTIC, CUDNN_TYPE_BOOLEAN, false);
    return {};
}

// The scales of a convolution that are not set are doubles.
Failure check_operation(BackendNode &node) {
    constexpr std::pair<cudnnBackendAttributeName_t, double> kScales[] = {
        {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1}, {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 1}, {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 0},
        {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, 1}, {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, 0},
    };
    for (const auto &[name, scale] : kScales) {
        if (find_attribute(node.type, name)) put_default(node, name, CUDNN_TYPE_DOUBLE, scale);
    }
    return operation_failure(node);
}

Failure check_knob(BackendNode &node) {
    put_default(node, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 0);
    put_default(node, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, int64_t{-1});
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
    if (node.get<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX) != 0) {
        return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "the simulator has one engine, number 0"};
    }
    if (graph_supported(*node.node(CUDNN_ATTR_ENGINE_OPERATION_GRAPH))) return {};
    return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "the simulator cannot run this operation graph"};
}

Failure check_pack(BackendNode &node) {
    const int64_t count = node.count(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    if (node.count(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS) != count) return bad("not as many pointers as unique ids");
    put_default(node, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, static_cast<void *>(nullptr));
    return {};
}

// The descriptors that are only created here: none of their attributes can be set, and most want some.
Failure check_empty(const BackendNode &node) {
    switch (node.type) {
        case CUDNN_BACKEND_KERNEL_CACHE_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_BLOCK_SCALE_QUANTIZE_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_BLOCK_SCALE_DEQUANTIZE_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR: return unready("a required descriptor is not set");
        case CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR: return BackendFailure{CUDNN_STATUS_NOT_INITIALIZED, "no handle and no device are set"};
        case CUDNN_BACKEND_LAYOUT_INFO_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR:
        case CUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_SIGNAL_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR: return {};
        default: return bad("a required attribute is not set");
    }
}

}  // namespace

Failure finalize_failure(BackendNode &node) {
    if (auto failure = check_parts(node)) return failure;
    if (auto failure = check_required(node)) return failure;
    switch (node.type) {
        case CUDNN_BACKEND_TENSOR_DESCRIPTOR: return check_tensor(node);
        case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR: return check_convolution(node);
        case CUDNN_BACKEND_REDUCTION_DESCRIPTOR: return check_reduction(node);
        case CUDNN_BACKEND_MATMUL_DESCRIPTOR: put_default(node, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT); return {};
        case CUDNN_BACKEND_POINTWISE_DESCRIPTOR: return {};
        case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: return check_graph(node);
        case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return check_engine(node);
        case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
        case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR: return {};
        case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR: return check_pack(node);
        case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR: return check_knob(node);
        case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
            node.put(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, int64_t{0});
            return {};
        default: return is_operation(node) ? check_operation(node) : check_empty(node);
    }
}

}  // namespace fpsim
