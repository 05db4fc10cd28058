// cudnnActivationForward: y = alpha * f(x) + beta * y.
#include "operations.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                                const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                                const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, activationDesc, alpha, xDesc, x, beta, yDesc, y);
    FP_ALIVE(handle, activationDesc, xDesc, yDesc);
    FP_REQUIRE(alpha != nullptr && x != nullptr && beta != nullptr && y != nullptr);
    const View from = view_of(*xDesc), to = view_of(*yDesc);
    FP_REQUIRE(from.rank > 0 && from.same_dims(to) && from.type == to.type);
    FP_REQUIRE(x != y || from.same_strides(to));
    FP_REQUIRE(activationDesc->mode != CUDNN_ACTIVATION_IDENTITY);  // only in fused operations
    FP_SUPPORTED(is_elementwise_type(from.type));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, from.type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, from);
    void *target = kernel.write("y", y, to, scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(from.type, [&](auto element) {
        using T = decltype(element);
        using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
        const T *in = static_cast<const T *>(source);
        T *out = static_cast<T *>(target);
        parallel_offsets([&](int64_t yi, int64_t xi) {
            scaling.store(out[yi], activate<C>(*activationDesc, static_cast<C>(in[xi])));
        }, to, from);
    });
    return call.ok();
}
