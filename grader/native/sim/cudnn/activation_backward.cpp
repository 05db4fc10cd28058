// cudnnActivationBackward: dx = alpha * f'(x) * dy + beta * dx.
#include "operations.h"

using namespace fpsim;

namespace {

template <typename T> T slope(const cudnnActivationStruct &desc, T x, T y) {
    const T coefficient = static_cast<T>(desc.coefficient);
    switch (desc.mode) {
        case CUDNN_ACTIVATION_SIGMOID: return y * (1 - y);
        case CUDNN_ACTIVATION_TANH: return 1 - y * y;
        case CUDNN_ACTIVATION_CLIPPED_RELU: return x > 0 && x <= coefficient ? T{1} : T{0};
        case CUDNN_ACTIVATION_ELU: return y < 0 ? y + coefficient : T{1};
        case CUDNN_ACTIVATION_SWISH: {
            const T beta = static_cast<T>(desc.swish_beta), s = sigmoid(beta * x);
            return s + beta * x * s * (1 - s);
        }
        default: return x > 0 ? T{1} : T{0};
    }
}

// Whether the gradient is computed from y; only then is y read.
bool reads_y(cudnnActivationMode_t mode) {
    return mode == CUDNN_ACTIVATION_SIGMOID || mode == CUDNN_ACTIVATION_TANH || mode == CUDNN_ACTIVATION_ELU;
}

}  // namespace

// yDesc is never looked at: y has the layout of dy (measured on an H200).
extern "C" cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                                 const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                                 const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                                 const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                                 const cudnnTensorDescriptor_t dxDesc, void *dx) {
    FP_CALL(handle, activationDesc, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
    FP_ALIVE(handle, activationDesc, dyDesc, xDesc, dxDesc);
    FP_REQUIRE(alpha != nullptr && dy != nullptr && x != nullptr && beta != nullptr && dx != nullptr);
    FP_REQUIRE(activationDesc->mode != CUDNN_ACTIVATION_IDENTITY);
    const View grad = view_of(*dyDesc), from = view_of(*xDesc), to = view_of(*dxDesc);
    const bool from_y = reads_y(activationDesc->mode);
    FP_REQUIRE(!from_y || y != nullptr);
    FP_SUPPORTED(grad.same_dims(from) && grad.same_dims(to) && grad.same_strides(from) && grad.same_strides(to));
    FP_SUPPORTED(grad.type == from.type && grad.type == to.type && is_floating(grad.type));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, grad.type);
    Kernel kernel(call);
    const void *values = kernel.read("x", x, from), *outputs = from_y ? kernel.read("y", y, grad) : values;
    const void *incoming = kernel.read("dy", dy, grad);
    void *target = kernel.write("dx", dx, to, scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(grad.type, [&](auto element) {
        using T = decltype(element);
        using C = Compute<T>;
        const T *in = static_cast<const T *>(values), *out = static_cast<const T *>(outputs);
        const T *up = static_cast<const T *>(incoming);
        parallel_offsets([&](int64_t at) {
            const C factor = slope<C>(*activationDesc, static_cast<C>(in[at]), static_cast<C>(out[at]));
            scaling.store(static_cast<T *>(target)[at], factor * static_cast<C>(up[at]));
        }, grad);
    });
    return call.ok();
}
