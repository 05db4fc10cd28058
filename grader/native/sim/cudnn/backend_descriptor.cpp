// The descriptors of the graph API: create, set, get, finalise, destroy.
#include "backend.h"

using namespace fpsim;

namespace {

bool is_descriptor_type(cudnnBackendDescriptorType_t type) {
    const bool known = type >= CUDNN_BACKEND_POINTWISE_DESCRIPTOR && type <= CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR;
    return known && type != CUDNN_BACKEND_INTERMEDIATE_INFO_DESCRIPTOR;
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

bool names_nodes(const BackendAttribute &attribute) { return attribute.type == CUDNN_TYPE_BACKEND_DESCRIPTOR; }

// A status of the table with what it is about.
cudnnStatus_t refusal(Call &call, cudnnStatus_t status, const char *reason) {
    return status == CUDNN_STATUS_SUCCESS ? call.ok() : call.fail(status, reason);
}

const char *why_not_set(const Writing &writing, bool fits) {
    if (writing.right.some != CUDNN_STATUS_SUCCESS) return "the attribute cannot be set";
    return fits ? "not as many elements as the attribute takes" : "the attribute has another type";
}

cudnnStatus_t check_node(Call &call, const BackendAttribute &attribute, cudnnBackendDescriptor_t descriptor) {
    if (!descriptor) return refusal(call, attribute.writing->null, "a descriptor that is named here is null");
    const auto *node = static_cast<const BackendNode *>(descriptor);
    FP_ALIVE(node);
    if (attribute.name == CUDNN_ATTR_OPERATIONGRAPH_OPS && !node->finalized) {
        return call.fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "an operation of the graph is not finalized");
    }
    return call.ok();
}

// What the elements of an attribute name: handles and descriptors must be alive.
cudnnStatus_t check_named(Call &call, const BackendAttribute &attribute, int64_t count, const void *elements) {
    if (attribute.type == CUDNN_TYPE_HANDLE) {
        const auto *handle = *static_cast<const cudnnHandle_t *>(elements);
        if (!handle) return refusal(call, attribute.writing->null, "the handle is null");
        FP_ALIVE(handle);
    }
    for (int64_t i = 0; i < count && names_nodes(attribute); ++i) {
        const cudnnStatus_t status = check_node(call, attribute, static_cast<const cudnnBackendDescriptor_t *>(elements)[i]);
        if (status != CUDNN_STATUS_SUCCESS) return status;
    }
    if (attribute.name == CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS) {
        FP_REQUIRE(*static_cast<const int64_t *>(elements) <= std::numeric_limits<int>::max());
    }
    return call.ok();
}

std::shared_ptr<const BackendNode> snapshot(const BackendNode &node) {
    auto copy = std::make_shared<BackendNode>(node.type);
    copy->values = node.values;
    return copy;
}

// Keeps the elements, with holds on what they name. An operation takes what it names as it is at that moment, so that
// of a descriptor that is not finalised yet it keeps a copy.
void keep(BackendNode &node, const BackendAttribute &attribute, cudnnBackendAttributeType_t type, int64_t count, const void *elements) {
    const auto *bytes = static_cast<const unsigned char *>(elements);
    BackendNode::Value value{type, count, {bytes, bytes + attribute_size(type) * static_cast<size_t>(count)}, {}, {}};
    for (int64_t i = 0; i < count && names_nodes(attribute); ++i) {
        const auto *part = static_cast<const BackendNode *>(static_cast<const cudnnBackendDescriptor_t *>(elements)[i]);
        if (!part) return void(node.values.erase(attribute.name));
        value.holds.emplace_back(part);
        if (is_operation(node) && !part->finalized) value.copies.push_back(snapshot(*part));
    }
    if (attribute.type == CUDNN_TYPE_HANDLE) value.holds.emplace_back(*static_cast<const cudnnHandle_t *>(elements));
    node.values.insert_or_assign(attribute.name, std::move(value));
}

}  // namespace

extern "C" cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t descriptorType,
                                                      cudnnBackendDescriptor_t *descriptor) {
    FP_CALL(descriptorType, descriptor);
    if (!is_descriptor_type(descriptorType)) {
        return call.fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "no such descriptor type");
    }
    if (!descriptor) return call.fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "NULL == output pointer");
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
    FP_REQUIRE(arrayOfElements != nullptr || elementCount <= 0);
    const BackendAttribute *attribute = find_attribute(node->type, attributeName);
    if (!attribute) {
        const bool filter = node->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
        return call.fail(filter ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_BAD_PARAM, "the descriptor has no such attribute");
    }
    const Writing &writing = *attribute->writing;
    const bool fits = type_fits(*attribute, attributeType);
    cudnnStatus_t status = (fits ? writing.right : writing.wrong).of(elementCount, attribute->most);
    if (status != CUDNN_STATUS_SUCCESS) return call.fail(status, why_not_set(writing, fits));
    const int64_t count = attribute->most == 1 ? 1 : elementCount;
    if (!fits || !arrayOfElements || count <= 0) return call.ok();  // nothing is kept
    status = check_named(call, *attribute, count, arrayOfElements);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    keep(*node, *attribute, attributeType, count, arrayOfElements);
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
