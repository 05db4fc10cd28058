// cudnnBackendGetAttribute.
#include "backend.h"

namespace fpsim {
namespace {

// A tensor as a convolution keeps it: with a dimension for the groups before the channels, of the filter before its
// outputs; and without its id.
void split_groups(BackendNode &tensor, int64_t groups, size_t place) {
    auto dims = tensor.list(CUDNN_ATTR_TENSOR_DIMENSIONS), strides = tensor.list(CUDNN_ATTR_TENSOR_STRIDES);
    dims[place] /= groups;
    const uint64_t step = static_cast<uint64_t>(dims[place]) * static_cast<uint64_t>(strides[place]);  // may wrap around
    strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(place), static_cast<int64_t>(step));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(place), groups);
    tensor.put_list(CUDNN_ATTR_TENSOR_DIMENSIONS, dims);
    tensor.put_list(CUDNN_ATTR_TENSOR_STRIDES, strides);
    tensor.put(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, int64_t{-1});
    tensor.put(CUDNN_ATTR_TENSOR_VECTOR_COUNT, CUDNN_TYPE_INT64, int64_t{1});
    tensor.put(CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, CUDNN_TYPE_INT64, int64_t{2});
    tensor.put(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, false);
    tensor.put(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, false);
}

bool names_filter(cudnnBackendAttributeName_t name) {
    return name == CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W || name == CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W ||
           name == CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW;
}

// The type that an attribute is read with: that of its elements, except that the real library tells the mode of a
// convolution only to who asks for a data type.
cudnnBackendAttributeType_t type_of(const BackendNode &node, const BackendAttribute &attribute) {
    if (attribute.name == CUDNN_ATTR_CONVOLUTION_CONV_MODE) return CUDNN_TYPE_DATA_TYPE;
    const auto found = node.values.find(attribute.name);
    return found == node.values.end() ? attribute.type : found->second.type;
}

// The real library looks the settings of a gradient of the input up by the name of the gradient of the filter.
cudnnBackendAttributeName_t stored_name(const BackendNode &node, cudnnBackendAttributeName_t name) {
    const bool swapped = node.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR &&
                         name == CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC;
    return swapped ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC : name;
}

cudnnStatus_t give_results(Call &call, const BackendNode &heuristic, int64_t requested, int64_t *count, void *elements) {
    const BackendNode *graph = heuristic.node(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    const int64_t given = graph_supported(*graph) ? std::min<int64_t>(requested, 1) : 0;
    if (count) *count = given;
    if (given <= 0 || !elements) return call.ok();
    auto *config = static_cast<BackendNode *>(*static_cast<cudnnBackendDescriptor_t *>(elements));
    if (!config) return call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the descriptor to fill is null");
    FP_ALIVE(config);
    FP_REQUIRE(config->type == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    auto engine = std::make_shared<BackendNode>(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine->put(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, graph);
    engine->values.at(CUDNN_ATTR_ENGINE_OPERATION_GRAPH).holds.emplace_back(graph);
    engine->put(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, int64_t{0});
    engine->finalized = true;
    config->put(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, engine.get());
    config->engine = std::move(engine);
    config->finalized = true;
    return call.ok();
}

// Fills the caller's descriptors, which must have the types of those that the attribute names.
cudnnStatus_t give_parts(Call &call, const BackendNode &owner, cudnnBackendAttributeName_t name, int64_t given, int64_t *count,
                         void *elements) {
    auto *targets = static_cast<cudnnBackendDescriptor_t *>(elements);
    for (int64_t i = 0; i < given; ++i) {
        auto *target = static_cast<BackendNode *>(targets[i]);
        FP_ALIVE(target);
        const BackendNode &part = *owner.node(name, i);
        FP_REQUIRE(target->type == part.type);
        const bool settings = part.type == CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
        FP_REQUIRE(!settings || owner.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR || !target->finalized);
        if (target != &part) copy_part(owner, name, part, *target);
    }
    if (count) *count = given;
    return call.ok();
}

cudnnStatus_t give(Call &call, const BackendNode &node, const BackendAttribute &attribute, int64_t requested, int64_t *count,
                   void *elements) {
    const auto name = stored_name(node, attribute.name);
    if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) return give_results(call, node, requested, count, elements);
    const auto found = node.values.find(name);
    const int64_t available = found == node.values.end() ? 0 : found->second.count;
    if (!elements) return *count = available, call.ok();  // how many there are
    const int64_t given = std::min(requested, available);
    if (attribute.type == CUDNN_TYPE_BACKEND_DESCRIPTOR) return give_parts(call, node, name, given, count, elements);
    if (count) *count = given;
    if (given > 0) std::memcpy(elements, found->second.bytes.data(), attribute_size(found->second.type) * static_cast<size_t>(given));
    return call.ok();
}

}  // namespace

void copy_part(const BackendNode &owner, cudnnBackendAttributeName_t name, const BackendNode &part, BackendNode &target) {
    target.values = part.values;
    target.engine = part.engine;
    // The settings that a gradient of the filter tells are still to be finalised.
    const bool settings = part.type == CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
    if (!settings || owner.type != CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR) target.finalized = true;
    if (is_convolution(owner) && !settings) split_groups(target, convolution_groups(owner), names_filter(name) ? 0 : 1);
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor,
                                                  cudnnBackendAttributeName_t attributeName,
                                                  cudnnBackendAttributeType_t attributeType,
                                                  int64_t requestedElementCount, int64_t *elementCount,
                                                  void *arrayOfElements) {
    FP_CALL(descriptor, attributeName, attributeType, requestedElementCount, elementCount, arrayOfElements);
    const auto *node = static_cast<const BackendNode *>(descriptor);
    FP_ALIVE(node);
    if (!node->finalized) return call.fail(CUDNN_STATUS_NOT_INITIALIZED, "the descriptor is not finalized");
    FP_REQUIRE(arrayOfElements ? requestedElementCount >= 0 : elementCount != nullptr);
    FP_SUPPORTED(node->type != CUDNN_BACKEND_POINTWISE_DESCRIPTOR && node->type != CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    const BackendAttribute *attribute = find_attribute(node->type, attributeName);
    if (!attribute) return call.bad_param("the descriptor has no such attribute");
    const Reading &reading = *attribute->reading;
    if (attributeType != type_of(*node, *attribute)) return call.fail(reading.wrong, "the attribute has another type");
    const cudnnStatus_t status = (arrayOfElements ? reading.filled : reading.counted).of(requestedElementCount, attribute->most);
    if (status != CUDNN_STATUS_SUCCESS) return call.fail(status, "the attribute is not told to a question for so many elements");
    return give(call, *node, *attribute, requestedElementCount, elementCount, arrayOfElements);
}
