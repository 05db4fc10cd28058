// cudnnBackendExecute: the operations of a graph, one after the other.
#include "backend.h"

namespace fpsim {

void *GraphMemory::of(const GraphTensor &tensor) {
    const auto found = memory_.find(tensor.id);
    if (found != memory_.end()) return found->second;
    virtual_.emplace_back(static_cast<size_t>(tensor.view.high()));
    return memory_[tensor.id] = virtual_.back().data();
}

namespace {

// How a graph uses a tensor that has memory.
struct Use {
    GraphTensor tensor;
    bool read = false, written = false;
};

void note_use(std::map<int64_t, Use> &uses, const BackendNode &node, bool written) {
    const GraphTensor tensor = graph_tensor(node);
    if (tensor.is_virtual) return;
    Use &use = uses.try_emplace(tensor.id, Use{tensor}).first->second;
    // What the graph itself has written before need not have been there.
    if (written) use.written = true;
    else if (!use.written) use.read = true;
}

bool adds_to_output(const BackendNode &operation) {
    for (const auto name : {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA}) {
        if (operation.number(name, 0) != 0) return true;
    }
    return false;
}

std::map<int64_t, Use> uses_of(const BackendNode &graph) {
    std::map<int64_t, Use> uses;
    for (int64_t i = 0; i < graph.count(CUDNN_ATTR_OPERATIONGRAPH_OPS); ++i) {
        const BackendNode &operation = *graph.node(CUDNN_ATTR_OPERATIONGRAPH_OPS, i);
        for (const auto name : operation_inputs(operation)) {
            if (operation.has(name)) note_use(uses, *operation.node(name), false);
        }
        const BackendNode &output = *operation.node(operation_output(operation));
        if (adds_to_output(operation)) note_use(uses, output, false);
        note_use(uses, output, true);
    }
    return uses;
}

std::map<int64_t, void *> pointers_of(const BackendNode &pack) {
    std::map<int64_t, void *> pointers;
    for (int64_t i = 0; i < pack.count(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS); ++i) {
        pointers[pack.get<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, 0, i)] =
            pack.get<void *>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, nullptr, i);
    }
    return pointers;
}

void execute(const BackendNode &operation, GraphMemory &memory) {
    switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return execute_matmul(operation, memory);
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return execute_pointwise(operation, memory);
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return execute_reduction(operation, memory);
        default: return execute_convolution(operation, memory);
    }
}

const BackendNode &graph_of(const BackendNode &plan) {
    const BackendNode *config = plan.node(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    return *config->node(CUDNN_ATTR_ENGINECFG_ENGINE)->node(CUDNN_ATTR_ENGINE_OPERATION_GRAPH);
}

}  // namespace
}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t executionPlan,
                                             cudnnBackendDescriptor_t variantPack) {
    FP_CALL(handle, executionPlan, variantPack);
    FP_ALIVE(handle);
    FP_REQUIRE(executionPlan != nullptr && variantPack != nullptr);
    const auto *plan = static_cast<const BackendNode *>(executionPlan);
    const auto *pack = static_cast<const BackendNode *>(variantPack);
    FP_ALIVE(plan, pack);
    if (!plan->finalized || plan->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
        return call.fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "not a plan that is finalized");
    }
    FP_REQUIRE(pack->finalized && pack->type == CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    const BackendNode &graph = graph_of(*plan);
    const std::map<int64_t, Use> uses = uses_of(graph);
    const std::map<int64_t, void *> pointers = pointers_of(*pack);
    for (const auto &[id, use] : uses) FP_REQUIRE(pointers.contains(id));
    FP_LAUNCHABLE();
    Kernel kernel(call);
    GraphMemory memory;
    for (const auto &[id, use] : uses) {
        const std::string name = "unique id " + std::to_string(id);
        void *pointer = pointers.at(id);
        if (!use.written) memory.bind(id, const_cast<void *>(kernel.read(name.c_str(), pointer, use.tensor.view)));
        else memory.bind(id, use.read ? kernel.update(name.c_str(), pointer, use.tensor.view) : kernel.write(name.c_str(), pointer, use.tensor.view));
    }
    if (!kernel.ready()) return call.ok();
    return call.compute([&] {
        for (int64_t i = 0; i < graph.count(CUDNN_ATTR_OPERATIONGRAPH_OPS); ++i) {
            execute(*graph.node(CUDNN_ATTR_OPERATIONGRAPH_OPS, i), memory);
        }
    });
}
