// The graph API: descriptors as lists of attributes, grouped by source file. cudnnBackendDescriptor_t is a void pointer to
// a BackendNode.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "operations.h"

namespace fpsim {

struct BackendNode : Object {
    static constexpr Kind kKind = Kind::backend;
    explicit BackendNode(cudnnBackendDescriptorType_t type) : Object(kKind), type(type) {}

    const cudnnBackendDescriptorType_t type;
    bool finalized = false;
    std::shared_ptr<BackendNode> engine;  // of a configuration that the heuristics filled
    struct Value {
        cudnnBackendAttributeType_t type;
        int64_t count;
        std::vector<unsigned char> bytes;
        std::vector<Hold> holds;  // on the objects that the bytes name
        std::vector<std::shared_ptr<const BackendNode>> copies;  // of those that were not finalised when they were named
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
    // A number given as float, double or int32.
    double number(cudnnBackendAttributeName_t name, double fallback) const;
    // Another descriptor; null where it is not set.
    const BackendNode *node(cudnnBackendAttributeName_t name, int64_t index = 0) const;
    template <typename T> void put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, T value) {
        Value stored{kind, 1, std::vector<unsigned char>(sizeof(T)), {}, {}};
        std::memcpy(stored.bytes.data(), &value, sizeof(T));
        values.insert_or_assign(name, std::move(stored));
    }
    // Whole numbers of 64 bits.
    std::vector<int64_t> list(cudnnBackendAttributeName_t name) const;
    void put_list(cudnnBackendAttributeName_t name, const std::vector<int64_t> &numbers);
};

// ---- cudnn/backend_attributes.cpp ----------------------------------------------------------------------------------
// A status for each number of elements that may be asked for or given: less than none, none, one to the most that the
// attribute has, more.
struct Counted {
    cudnnStatus_t negative, none, some, many;
    cudnnStatus_t of(int64_t count, int64_t most) const { return count < 0 ? negative : count == 0 ? none : count <= most ? some : many; }
};
// What setting an attribute answers.
struct Writing {
    Counted right, wrong;  // elements of its type, of another type
    cudnnStatus_t null;    // a null descriptor or handle among them
};
// What reading an attribute answers.
struct Reading {
    cudnnStatus_t wrong;      // asked for as another type
    Counted filled, counted;  // with an array to fill; without one, which tells how many there are
};
struct BackendAttribute {
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    int64_t most;  // elements
    const Writing *writing;
    const Reading *reading;
    bool required = false;  // to finalise
};
// The attributes of a descriptor type; none for a type that the simulator only creates.
const std::vector<BackendAttribute> &backend_attributes(cudnnBackendDescriptorType_t type);
const BackendAttribute *find_attribute(cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name);
// Bytes of one element of an attribute; 0 for an unknown type.
size_t attribute_size(cudnnBackendAttributeType_t type);
// Whether elements of `type` may be given for an attribute: numbers as float or double, those of a forward convolution
// as int32 as well.
bool type_fits(const BackendAttribute &attribute, cudnnBackendAttributeType_t type);

// ---- cudnn/backend_read.cpp ----------------------------------------------------------------------------------------
// Makes of `target` a finalised copy of what `owner` names with this attribute.
void copy_part(const BackendNode &owner, cudnnBackendAttributeName_t name, const BackendNode &part, BackendNode &target);

// ---- cudnn/backend_finalize.cpp ------------------------------------------------------------------------------------
// A tensor of a graph.
struct GraphTensor {
    int64_t id;
    bool is_virtual;
    View view;
};
GraphTensor graph_tensor(const BackendNode &node);
// Bytes of one element of a graph's tensor; 0 for what is no type of an element, less than a byte counts as one.
int64_t graph_element_size(cudnnDataType_t type);
// Why a descriptor cannot be finalised, with its status; nothing when it can.
struct BackendFailure {
    cudnnStatus_t status;
    const char *reason;
};
using Failure = std::optional<BackendFailure>;
inline Failure bad(const char *reason) { return BackendFailure{CUDNN_STATUS_BAD_PARAM, reason}; }
Failure finalize_failure(BackendNode &node);

// ---- cudnn/backend_operation.cpp -----------------------------------------------------------------------------------
// The same for the operation descriptors.
Failure operation_failure(const BackendNode &node);

// ---- cudnn/backend_graph.cpp ---------------------------------------------------------------------------------------
bool is_operation(const BackendNode &node);
bool is_convolution(const BackendNode &operation);
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
// Why the tensors of an operation do not belong together; nothing when they do.
Failure convolution_failure(const BackendNode &operation);
bool convolution_supported(const BackendNode &operation);
// The channel groups of a convolution, whose tensors belong together.
int64_t convolution_groups(const BackendNode &operation);
void execute_convolution(const BackendNode &operation, GraphMemory &memory);
Failure matmul_failure(const BackendNode &operation);
bool matmul_supported(const BackendNode &operation);
void execute_matmul(const BackendNode &operation, GraphMemory &memory);
Failure pointwise_failure(const BackendNode &operation);
bool pointwise_supported(const BackendNode &operation);
void execute_pointwise(const BackendNode &operation, GraphMemory &memory);
Failure reduction_failure(const BackendNode &operation);
bool reduction_supported(const BackendNode &operation);
void execute_reduction(const BackendNode &operation, GraphMemory &memory);

}  // namespace fpsim
