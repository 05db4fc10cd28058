// The graph API: descriptors as lists of attributes, grouped by source file. cudnnBackendDescriptor_t is a void pointer to
// a BackendNode.
#pragma once

#include <map>
#include <optional>

#include "operations.h"

namespace fpsim {

struct BackendNode : Object {
    static constexpr Kind kKind = Kind::backend;
    explicit BackendNode(cudnnBackendDescriptorType_t type) : Object(kKind), type(type) {}

    const cudnnBackendDescriptorType_t type;
    bool finalized = false;
    struct Value {
        cudnnBackendAttributeType_t type;
        int64_t count;
        std::vector<unsigned char> bytes;
    };
    std::map<cudnnBackendAttributeName_t, Value> values;

    bool has(cudnnBackendAttributeName_t name) const { return values.contains(name); }
    // Element `index` of an attribute, or `fallback` where it is not set.
    template <typename T> T get(cudnnBackendAttributeName_t name, T fallback = {}, int64_t index = 0) const {
        const auto found = values.find(name);
        if (found == values.end() || index >= found->second.count) return fallback;
        T value;
        std::memcpy(&value, found->second.bytes.data() + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
        return value;
    }
    int64_t count(cudnnBackendAttributeName_t name) const {
        const auto found = values.find(name);
        return found == values.end() ? 0 : found->second.count;
    }
    // A number given as float or double.
    double number(cudnnBackendAttributeName_t name, double fallback) const;
    // Another descriptor; null where it is not set.
    const BackendNode *node(cudnnBackendAttributeName_t name, int64_t index = 0) const;
    template <typename T> void put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, T value) {
        Value stored{kind, 1, std::vector<unsigned char>(sizeof(T))};
        std::memcpy(stored.bytes.data(), &value, sizeof(T));
        values.insert_or_assign(name, std::move(stored));
    }
};

// ---- cudnn/backend_attributes.cpp ----------------------------------------------------------------------------------
struct BackendAttribute {
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    int64_t most;           // elements
    bool required = false;  // to finalise
};
// The attributes of a descriptor type; none for a type that the simulator only creates.
const std::vector<BackendAttribute> &backend_attributes(cudnnBackendDescriptorType_t type);
const BackendAttribute *find_attribute(cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name);
// Bytes of one element of an attribute; 0 for an unknown type.
size_t attribute_size(cudnnBackendAttributeType_t type);

// ---- cudnn/backend_finalize.cpp ------------------------------------------------------------------------------------
// A tensor of a graph.
struct GraphTensor {
    int64_t id;
    bool is_virtual;
    View view;
};
GraphTensor graph_tensor(const BackendNode &node);
// Why a descriptor cannot be finalised, with its status; nothing when it can.
struct BackendFailure {
    cudnnStatus_t status;
    const char *reason;
};
std::optional<BackendFailure> finalize_failure(BackendNode &node);

// ---- cudnn/backend_graph.cpp ---------------------------------------------------------------------------------------
bool is_operation(const BackendNode &node);
// The attributes of an operation that name tensors: those it reads, and the one it writes.
std::vector<cudnnBackendAttributeName_t> operation_inputs(const BackendNode &operation);
cudnnBackendAttributeName_t operation_output(const BackendNode &operation);
// Whether the simulator can run every operation of a finalised graph.
bool graph_supported(const BackendNode &graph);

// ---- cudnn/backend_execute.cpp -------------------------------------------------------------------------------------
// The memory of a graph's tensors while it runs, by unique id.
class GraphMemory {
public:
    // Device memory, checked and translated.
    void bind(int64_t id, void *memory) { memory_[id] = memory; }
    bool bound(int64_t id) const { return memory_.contains(id); }
    // Memory of a tensor; that of a virtual one is made here.
    void *of(const GraphTensor &tensor);

private:
    std::map<int64_t, void *> memory_;
    std::vector<std::vector<unsigned char>> virtual_;
};

// ---- cudnn/backend_convolution.cpp, backend_matmul.cpp, backend_pointwise.cpp, backend_reduction.cpp ---------------------------
// Why the tensors of a convolution do not belong together; null when they do, and for all other operations.
const char *convolution_inconsistency(const BackendNode &operation);
bool convolution_supported(const BackendNode &operation);
void execute_convolution(const BackendNode &operation, GraphMemory &memory);
bool matmul_supported(const BackendNode &operation);
void execute_matmul(const BackendNode &operation, GraphMemory &memory);
bool pointwise_supported(const BackendNode &operation);
void execute_pointwise(const BackendNode &operation, GraphMemory &memory);
bool reduction_supported(const BackendNode &operation);
void execute_reduction(const BackendNode &operation, GraphMemory &memory);

}  // namespace fpsim
