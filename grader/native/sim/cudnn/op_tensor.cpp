// cudnnOpTensor: C = op(alpha1 * A, alpha2 * B) + beta * C, with B broadcast.
#include "operations.h"

using namespace fpsim;

namespace {

bool is_op(cudnnOpTensorOp_t op) { return op >= CUDNN_OP_TENSOR_ADD && op <= CUDNN_OP_TENSOR_NOT; }

bool is_op_compute(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
           type == CUDNN_DATA_BFLOAT16;
}

// Without propagation a NaN loses against a number.
template <typename T> T extreme(T a, T b, bool propagate, bool largest) {
    if (std::isnan(a) || std::isnan(b)) return propagate ? std::numeric_limits<T>::quiet_NaN() : std::isnan(a) ? b : a;
    return largest ? std::max(a, b) : std::min(a, b);
}

template <typename T> T apply(const cudnnOpTensorStruct &desc, T a, T b) {
    const bool propagate = desc.nan == CUDNN_PROPAGATE_NAN;
    switch (desc.op) {
        case CUDNN_OP_TENSOR_MUL: return a * b;
        case CUDNN_OP_TENSOR_MIN: return extreme(a, b, propagate, false);
        case CUDNN_OP_TENSOR_MAX: return extreme(a, b, propagate, true);
        case CUDNN_OP_TENSOR_SQRT: return std::sqrt(a);
        case CUDNN_OP_TENSOR_NOT: return 1 - a;
        default: return a + b;
    }
}

struct Operands {
    View a, b, c;
    const void *A, *B;
    void *C;
    double alpha1, alpha2;
    Scaling result;  // alpha is 1
};

template <typename T, typename R> void compute(const cudnnOpTensorStruct &desc, const Operands &o) {
    using V = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const T *a = static_cast<const T *>(o.A), *b = static_cast<const T *>(o.B);
    R *c = static_cast<R *>(o.C);
    const V first = static_cast<V>(o.alpha1), second = static_cast<V>(o.alpha2);
    parallel_offsets([&](int64_t ci, int64_t ai, int64_t bi) {
        o.result.store(c[ci], apply<V>(desc, first * static_cast<V>(a[ai]), second * static_cast<V>(b[bi])));
    }, o.c, o.a, o.b);
}

bool types_supported(const cudnnOpTensorStruct &desc, const Operands &o) {
    if (!is_elementwise_type(o.a.type) || !is_elementwise_type(o.c.type)) return false;
    const bool doubles = o.a.type == CUDNN_DATA_DOUBLE;
    if (doubles != (o.c.type == CUDNN_DATA_DOUBLE)) return false;
    return desc.compute == (doubles ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *opTensorDesc) {
    FP_CALL(opTensorDesc);
    return call.create(opTensorDesc);
}

extern "C" cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc) {
    FP_CALL(opTensorDesc);
    return call.destroy(opTensorDesc);
}

extern "C" cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                                    cudnnOpTensorOp_t opTensorOp, cudnnDataType_t opTensorCompType,
                                                    cudnnNanPropagation_t opTensorNanOpt) {
    FP_CALL(opTensorDesc, opTensorOp, opTensorCompType, opTensorNanOpt);
    FP_ALIVE(opTensorDesc);
    FP_REQUIRE(is_op(opTensorOp) && is_op_compute(opTensorCompType) && is_propagation(opTensorNanOpt));
    opTensorDesc->is_set = true;
    opTensorDesc->op = opTensorOp;
    opTensorDesc->compute = opTensorCompType;
    opTensorDesc->nan = opTensorNanOpt;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                                    cudnnOpTensorOp_t *opTensorOp, cudnnDataType_t *opTensorCompType,
                                                    cudnnNanPropagation_t *opTensorNanOpt) {
    FP_CALL(opTensorDesc, opTensorOp, opTensorCompType, opTensorNanOpt);
    FP_ALIVE(opTensorDesc);
    if (opTensorOp) *opTensorOp = opTensorDesc->op;
    if (opTensorCompType) *opTensorCompType = opTensorDesc->compute;
    if (opTensorNanOpt) *opTensorNanOpt = opTensorDesc->nan;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc,
                                       const void *alpha1, const cudnnTensorDescriptor_t aDesc, const void *A,
                                       const void *alpha2, const cudnnTensorDescriptor_t bDesc, const void *B,
                                       const void *beta, const cudnnTensorDescriptor_t cDesc, void *C) {
    FP_CALL(handle, opTensorDesc, alpha1, aDesc, A, alpha2, bDesc, B, beta, cDesc, C);
    FP_ALIVE(handle, opTensorDesc, aDesc, bDesc, cDesc);
    FP_REQUIRE(alpha1 != nullptr && A != nullptr && alpha2 != nullptr && B != nullptr);
    FP_REQUIRE(beta != nullptr && C != nullptr);
    FP_REQUIRE(opTensorDesc->is_set);
    Operands o{view_of(*aDesc), view_of(*bDesc), view_of(*cDesc), A, B, C, 0, 0, {}};
    FP_REQUIRE(o.a.type == o.b.type);
    FP_REQUIRE(o.a.rank == o.c.rank && o.b.rank == o.c.rank && o.c.rank >= 4);
    FP_REQUIRE(o.a.same_dims(o.c) && broadcasts_to(o.b, o.c));
    FP_REQUIRE(B != C || A == C);
    FP_SUPPORTED(o.c.rank <= 5 && types_supported(*opTensorDesc, o));
    FP_LAUNCHABLE();
    o.alpha1 = read_scalar(alpha1, o.c.type);
    o.alpha2 = read_scalar(alpha2, o.c.type);
    o.result = {1, read_scalar(beta, o.c.type)};
    Kernel kernel(call);
    o.A = kernel.read("A", A, o.a);
    o.B = kernel.read("B", B, o.b);
    o.C = kernel.write("C", C, o.c, o.result);
    if (!kernel.ready()) return call.ok();
    visit_type(o.a.type, [&](auto in) {
        visit_type(o.c.type, [&](auto out) { compute<decltype(in), decltype(out)>(*opTensorDesc, o); });
    });
    return call.ok();
}
