// Reduction of tensors: descriptors, sizes, cudnnReduceTensor: C = alpha * reduce(A) + beta * C over the dims where C has 1.
#include "reduction.h"

using namespace fpsim;

namespace {

using Desc = cudnnReduceTensorStruct;

bool is_op(cudnnReduceTensorOp_t op) { return op >= CUDNN_REDUCE_TENSOR_ADD && op <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS; }

bool is_reduce_compute(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF;
}

bool finds_index(cudnnReduceTensorOp_t op) {
    return op == CUDNN_REDUCE_TENSOR_MIN || op == CUDNN_REDUCE_TENSOR_MAX || op == CUDNN_REDUCE_TENSOR_AMAX;
}

bool has_indices(const Desc &desc) { return desc.indices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES; }

constexpr size_t kIndexBytes = 4;  // whatever width the descriptor asks for (measured on an H200)

// The real library counts elements in 32 bits and lets them wrap, also those of what a refused setter left.
int counted(const cudnnTensorStruct &tensor) {
    uint32_t elements = 1;  // also of a tensor that was never set
    for (int d = 0; d < tensor.rank; ++d) elements *= static_cast<uint32_t>(tensor.dim[d]);
    return static_cast<int>(elements);
}

size_t times(size_t bytes, int elements) { return bytes * static_cast<size_t>(static_cast<int64_t>(elements)); }

size_t indices_size(const Desc &desc, const cudnnTensorStruct &c) {
    return has_indices(desc) ? times(kIndexBytes, counted(c)) : 0;
}

// Where everything is reduced: pieces of 512 elements, or of the next multiple of 512 above the root of their number.
int pieces_of(int elements) {
    constexpr int kStep = 512;
    if (elements <= 0) return 0;
    const int piece = kStep * (static_cast<int>(std::sqrt(static_cast<float>(elements))) / kStep + 1);
    return (elements - 1) / piece + 1;
}

// A copy of A in the compute type, and with indices as many of them (a piece's each where everything is reduced).
size_t workspace_size(const Desc &desc, const cudnnTensorStruct &a, const cudnnTensorStruct &c) {
    const int elements = counted(a);
    const size_t values = times(desc.compute == CUDNN_DATA_DOUBLE ? 8 : 4, elements);
    if (!has_indices(desc)) return values;
    return values + times(kIndexBytes, counted(c) == 1 ? pieces_of(elements) : elements);
}

struct Operands {
    View a, c;
    const void *A;
    void *C;
    uint32_t *indices;  // may be null
    Scaling scaling;
};

template <typename T, typename R> void reduce(const Desc &desc, const Operands &o) {
    View each = o.a, over = o.a;
    for (int d = 0; d < o.a.rank; ++d) (o.c.dim[d] == 1 ? each : over).dim[d] = 1;
    const int64_t grain = std::max<int64_t>(1, kElementGrain / std::max<int64_t>(over.elements(), 1));
    parallel_for(each.elements(), grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const T *from = static_cast<const T *>(o.A) + each.offset_of(i);
            Reduction reduction(desc.op, desc.nan == CUDNN_PROPAGATE_NAN);
            for_each_offset([&](int64_t at) { reduction.add(static_cast<double>(from[at])); }, over);
            o.scaling.store(static_cast<R *>(o.C)[o.c.offset_of(i)], reduction.result());
            if (o.indices) o.indices[i] = reduction.index();
        }
    });
}

bool types_supported(const Desc &desc, const View &a, const View &c) {
    const auto known = [](cudnnDataType_t type) { return is_elementwise_type(type) && type != CUDNN_DATA_BFLOAT16; };
    const bool doubles = a.type == CUDNN_DATA_DOUBLE;
    return known(a.type) && known(c.type) && desc.compute == (doubles ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *reduceTensorDesc) {
    FP_CALL(reduceTensorDesc);
    return call.create(reduceTensorDesc);
}

extern "C" cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc) {
    FP_CALL(reduceTensorDesc);
    return call.destroy(reduceTensorDesc);
}

extern "C" cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                                        cudnnReduceTensorOp_t reduceTensorOp,
                                                        cudnnDataType_t reduceTensorCompType,
                                                        cudnnNanPropagation_t reduceTensorNanOpt,
                                                        cudnnReduceTensorIndices_t reduceTensorIndices,
                                                        cudnnIndicesType_t reduceTensorIndicesType) {
    FP_CALL(reduceTensorDesc, reduceTensorOp, reduceTensorCompType, reduceTensorNanOpt, reduceTensorIndices,
            reduceTensorIndicesType);
    FP_ALIVE(reduceTensorDesc);
    FP_REQUIRE(is_op(reduceTensorOp) && is_reduce_compute(reduceTensorCompType) && is_propagation(reduceTensorNanOpt));
    FP_REQUIRE(reduceTensorIndices == CUDNN_REDUCE_TENSOR_NO_INDICES ||
               reduceTensorIndices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES);
    FP_REQUIRE(reduceTensorIndicesType >= CUDNN_32BIT_INDICES && reduceTensorIndicesType <= CUDNN_8BIT_INDICES);
    reduceTensorDesc->op = reduceTensorOp;
    reduceTensorDesc->compute = reduceTensorCompType;
    reduceTensorDesc->nan = reduceTensorNanOpt;
    reduceTensorDesc->indices = reduceTensorIndices;
    reduceTensorDesc->width = reduceTensorIndicesType;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                                        cudnnReduceTensorOp_t *reduceTensorOp,
                                                        cudnnDataType_t *reduceTensorCompType,
                                                        cudnnNanPropagation_t *reduceTensorNanOpt,
                                                        cudnnReduceTensorIndices_t *reduceTensorIndices,
                                                        cudnnIndicesType_t *reduceTensorIndicesType) {
    FP_CALL(reduceTensorDesc, reduceTensorOp, reduceTensorCompType, reduceTensorNanOpt, reduceTensorIndices,
            reduceTensorIndicesType);
    FP_ALIVE(reduceTensorDesc);
    if (reduceTensorOp) *reduceTensorOp = reduceTensorDesc->op;
    if (reduceTensorCompType) *reduceTensorCompType = reduceTensorDesc->compute;
    if (reduceTensorNanOpt) *reduceTensorNanOpt = reduceTensorDesc->nan;
    if (reduceTensorIndices) *reduceTensorIndices = reduceTensorDesc->indices;
    if (reduceTensorIndicesType) *reduceTensorIndicesType = reduceTensorDesc->width;
    return call.ok();
}

// Neither the handle nor A is looked at, and C only where indices are wanted, as in the real library.
extern "C" cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                                      const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                                      const cudnnTensorDescriptor_t aDesc,
                                                      const cudnnTensorDescriptor_t cDesc, size_t *sizeInBytes) {
    FP_CALL(handle, reduceTensorDesc, aDesc, cDesc, sizeInBytes);
    FP_ALIVE(reduceTensorDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    if (has_indices(*reduceTensorDesc)) FP_ALIVE(cDesc);
    *sizeInBytes = has_indices(*reduceTensorDesc) ? indices_size(*reduceTensorDesc, *cDesc) : 0;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                                        const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                                        const cudnnTensorDescriptor_t aDesc,
                                                        const cudnnTensorDescriptor_t cDesc, size_t *sizeInBytes) {
    FP_CALL(handle, reduceTensorDesc, aDesc, cDesc, sizeInBytes);
    FP_ALIVE(reduceTensorDesc, aDesc, cDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    *sizeInBytes = workspace_size(*reduceTensorDesc, *aDesc, *cDesc);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           void *indices, size_t indicesSizeInBytes, void *workspace,
                                           size_t workspaceSizeInBytes, const void *alpha,
                                           const cudnnTensorDescriptor_t aDesc, const void *A, const void *beta,
                                           const cudnnTensorDescriptor_t cDesc, void *C) {
    FP_CALL(handle, reduceTensorDesc, indices, indicesSizeInBytes, workspace, workspaceSizeInBytes, alpha, aDesc, A,
            beta, cDesc, C);
    FP_ALIVE(handle, reduceTensorDesc, aDesc, cDesc);
    FP_REQUIRE(alpha != nullptr && A != nullptr && beta != nullptr && C != nullptr);
    const Desc &desc = *reduceTensorDesc;
    Operands o{view_of(*aDesc), view_of(*cDesc), A, C, nullptr, {}};
    FP_REQUIRE(broadcasts_to(o.c, o.a) && !o.c.same_dims(o.a));
    FP_REQUIRE((o.a.type == CUDNN_DATA_DOUBLE) == (o.c.type == CUDNN_DATA_DOUBLE));
    FP_SUPPORTED(types_supported(desc, o.a, o.c));
    const size_t index_bytes = indices_size(desc, *cDesc), needed = workspace_size(desc, *aDesc, *cDesc);
    FP_REQUIRE(index_bytes == 0 || (indices != nullptr && indicesSizeInBytes >= index_bytes));
    FP_REQUIRE(workspaceSizeInBytes >= needed);
    FP_LAUNCHABLE();
    o.scaling = read_scaling(alpha, beta, o.c.type);
    Kernel kernel(call);
    o.A = kernel.read("A", A, o.a);
    o.C = kernel.write("C", C, o.c, o.scaling);
    const bool indexed = index_bytes != 0 && finds_index(desc.op);
    if (indexed) o.indices = static_cast<uint32_t *>(kernel.write_bytes("indices", indices, index_bytes));
    kernel.scratch("workspace", workspace, needed);
    if (!kernel.ready()) return call.ok();
    visit_type(o.a.type, [&](auto in) {
        visit_type(o.c.type, [&](auto out) { reduce<decltype(in), decltype(out)>(desc, o); });
    });
    return call.ok();
}
