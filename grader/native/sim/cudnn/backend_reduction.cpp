// Reductions in operation graphs.
#include "backend.h"
#include "reduction.h"

namespace fpsim {
namespace {

GraphTensor tensor_of(const BackendNode &operation, cudnnBackendAttributeName_t name) { return graph_tensor(*operation.node(name)); }

}  // namespace

bool reduction_supported(const BackendNode &operation) {
    const View x = tensor_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_XDESC).view;
    const View y = tensor_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_YDESC).view;
    return is_elementwise_type(x.type) && is_elementwise_type(y.type) && broadcasts_to(y, x);
}

void execute_reduction(const BackendNode &operation, GraphMemory &memory) {
    const GraphTensor x = tensor_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_XDESC);
    const GraphTensor y = tensor_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_YDESC);
    const auto op = operation.node(CUDNN_ATTR_OPERATION_REDUCTION_DESC)->get<cudnnReduceTensorOp_t>(CUDNN_ATTR_REDUCTION_OPERATOR);
    View each = x.view, over = x.view;
    for (int d = 0; d < x.view.rank; ++d) (y.view.dim[d] == 1 ? each : over).dim[d] = 1;
    const void *from = memory.of(x);
    void *to = memory.of(y);
    visit_type(x.view.type, [&](auto in) {
        visit_type(y.view.type, [&](auto out) {
            using T = decltype(out);
            for_each_offset([&](int64_t yi, int64_t xi) {
                Reduction reduction(op, false);
                const auto *values = static_cast<const decltype(in) *>(from) + xi;
                for_each_offset([&](int64_t at) { reduction.add(static_cast<double>(values[at])); }, over);
                static_cast<T *>(to)[yi] = to_element<T>(reduction.result());
            }, y.view, each);
        });
    });
}

}  // namespace fpsim
