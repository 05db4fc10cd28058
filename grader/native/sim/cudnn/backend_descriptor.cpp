// The descriptors of the graph API: create, set, get, finalise, destroy.
#include "backend.h"

using namespace fpsim;

namespace {

bool is_descriptor_type(cudnnBackendDescriptorType_t type) {
    const bool known = type >= CUDNN_BACKEND_POINTWISE_DESCRIPTOR && type <= CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR;
    return known && type != CUDNN_BACKEND_INTERMEDIATE_INFO_DESCRIPTOR;
}

// alpha and beta are given as float or double.
bool type_fits(const BackendAttribute &attribute, cudnnBackendAttributeType_t type) {
    return type == attribute.type || (attribute.type == CUDNN_TYPE_FLOAT && type == CUDNN_TYPE_DOUBLE);
}

bool is_read_only(cudnnBackendAttributeName_t name) {
    return name == CUDNN_ATTR_ENGINEHEUR_RESULTS || name == CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT ||
           name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE;
}

// The descriptor behind a pointer. Null has a status of its own; anything else that is not alive is noted.
BackendNode *node_of(Call &call, cudnnBackendDescriptor_t descriptor) {
    if (!descriptor) {
        call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the descriptor is null");
        return nullptr;
    }
    auto *node = static_cast<BackendNode *>(descriptor);
    return call.alive(node) ? node : nullptr;
}

cudnnStatus_t check_descriptors(Call &call, const BackendAttribute &attribute, int64_t count, const void *elements) {
    if (attribute.type == CUDNN_TYPE_HANDLE) {
        const auto *handle = *static_cast<const cudnnHandle_t *>(elements);
        if (!handle) return call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the handle is null");
        FP_ALIVE(handle);
    }
    if (attribute.type != CUDNN_TYPE_BACKEND_DESCRIPTOR) return call.ok();
    const auto *nodes = static_cast<const cudnnBackendDescriptor_t *>(elements);
    for (int64_t i = 0; i < count; ++i) {
        if (!node_of(call, nodes[i])) return call.status();
    }
    return call.ok();
}

cudnnStatus_t give_results(Call &call, const BackendNode &heuristic, int64_t requested, int64_t *count, void *elements) {
    const BackendNode *graph = heuristic.node(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    const int64_t given = graph_supported(*graph) ? std::min<int64_t>(requested, 1) : 0;
    if (count) *count = given;
    if (given <= 0 || !elements) return call.ok();
    auto *config = node_of(call, *static_cast<cudnnBackendDescriptor_t *>(elements));
    if (!config) return call.status();
    FP_REQUIRE(config->type == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    auto *engine = new BackendNode(CUDNN_BACKEND_ENGINE_DESCRIPTOR);  // kept by the configuration
    engine->put(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, graph);
    engine->put(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, int64_t{0});
    engine->finalized = true;
    config->put(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, engine);
    config->finalized = true;
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t descriptorType,
                                                      cudnnBackendDescriptor_t *descriptor) {
    FP_CALL(descriptorType, descriptor);
    if (!descriptor) return call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "NULL == output pointer");
    if (!is_descriptor_type(descriptorType)) {
        return call.fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "no such descriptor type");
    }
    auto *node = new (std::nothrow) BackendNode(descriptorType);
    if (!node) return call.fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "out of host memory");
    enroll(node);
    *descriptor = node;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
    FP_CALL(descriptor);
    if (!descriptor) return call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the descriptor is null");
    return call.destroy(static_cast<BackendNode *>(descriptor));
}

// Descriptors are ready as they are created.
extern "C" cudnnStatus_t cudnnBackendInitialize(cudnnBackendDescriptor_t descriptor) {
    FP_CALL(descriptor);
    return node_of(call, descriptor) ? call.ok() : call.status();
}

extern "C" cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                                  cudnnBackendAttributeName_t attributeName,
                                                  cudnnBackendAttributeType_t attributeType, int64_t elementCount,
                                                  const void *arrayOfElements) {
    FP_CALL(descriptor, attributeName, attributeType, elementCount, arrayOfElements);
    BackendNode *node = node_of(call, descriptor);
    if (!node) return call.status();
    FP_REQUIRE(!node->finalized);
    const BackendAttribute *attribute = find_attribute(node->type, attributeName);
    FP_REQUIRE(attribute != nullptr && !is_read_only(attributeName));
    if (!type_fits(*attribute, attributeType)) {
        return call.fail(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "the attribute has another type");
    }
    FP_REQUIRE(elementCount > 0 && elementCount <= attribute->most);
    FP_REQUIRE(arrayOfElements != nullptr);
    const cudnnStatus_t status = check_descriptors(call, *attribute, elementCount, arrayOfElements);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const auto *bytes = static_cast<const unsigned char *>(arrayOfElements);
    const size_t size = attribute_size(attributeType) * static_cast<size_t>(elementCount);
    node->values.insert_or_assign(attributeName, BackendNode::Value{attributeType, elementCount, {bytes, bytes + size}});
    return call.ok();
}

extern "C" cudnnStatus_t cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor,
                                                  cudnnBackendAttributeName_t attributeName,
                                                  cudnnBackendAttributeType_t attributeType,
                                                  int64_t requestedElementCount, int64_t *elementCount,
                                                  void *arrayOfElements) {
    FP_CALL(descriptor, attributeName, attributeType, requestedElementCount, elementCount, arrayOfElements);
    const BackendNode *node = node_of(call, descriptor);
    if (!node) return call.status();
    if (!node->finalized) return call.fail(CUDNN_STATUS_NOT_INITIALIZED, "the descriptor is not finalized");
    const BackendAttribute *attribute = find_attribute(node->type, attributeName);
    FP_REQUIRE(attribute != nullptr && requestedElementCount >= 0);
    if (!type_fits(*attribute, attributeType)) {
        return call.fail(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "the attribute has another type");
    }
    if (attributeName == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
        return give_results(call, *node, requestedElementCount, elementCount, arrayOfElements);
    }
    const auto found = node->values.find(attributeName);
    const int64_t available = found == node->values.end() ? 0 : found->second.count;
    const int64_t given = std::min(requestedElementCount, available);
    if (elementCount) *elementCount = requestedElementCount == 0 ? 0 : given;
    if (given > 0 && arrayOfElements) {
        std::memcpy(arrayOfElements, found->second.bytes.data(), attribute_size(found->second.type) * static_cast<size_t>(given));
    }
    return call.ok();
}

extern "C" cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
    FP_CALL(descriptor);
    BackendNode *node = node_of(call, descriptor);
    if (!node) return call.status();
    FP_REQUIRE(!node->finalized);
    if (const auto failure = finalize_failure(*node)) return call.fail(failure->status, failure->reason);
    node->finalized = true;
    return call.ok();
}
