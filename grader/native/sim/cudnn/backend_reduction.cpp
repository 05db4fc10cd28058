// Reductions in operation graphs.
#include "backend.h"
#include "reduction.h"

namespace fpsim {
namespace {

GraphTensor tensor_of(const BackendNode &operation, cudnnBackendAttributeName_t name) { return graph_tensor(*operation.node(name)); }

// The dimensions of a tensor in elements, vectors counted in full; none of a tensor that is not there.
std::vector<int64_t> dims_of(const BackendNode &operation, cudnnBackendAttributeName_t name) {
    if (!operation.has(name)) return {};
    const BackendNode &tensor = *operation.node(name);
    auto dims = tensor.list(CUDNN_ATTR_TENSOR_DIMENSIONS);
    const auto place = tensor.get<int64_t>(CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, -1);
    if (place < 0 || place >= std::ssize(dims)) return dims;
    auto &vectors = dims[static_cast<size_t>(place)];
    const auto count = static_cast<uint64_t>(tensor.get<int64_t>(CUDNN_ATTR_TENSOR_VECTOR_COUNT, 1));
    vectors = static_cast<int64_t>(static_cast<uint64_t>(vectors) * count);
    return dims;
}

// The real library divides by a dimension of the result, and dies where it is 0.
bool divides(int64_t result, int64_t input) { return result != 0 && (result == -1 || input % result == 0); }

}  // namespace

Failure reduction_failure(const BackendNode &operation) {
    const auto x = dims_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_XDESC), y = dims_of(operation, CUDNN_ATTR_OPERATION_REDUCTION_YDESC);
    const bool fits = x.size() == y.size() && std::equal(y.begin(), y.end(), x.begin(), divides);
    return fits ? Failure{} : bad("a dimension of the result does not divide that of the input");
}

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
