// cudnnPoolingForward and cudnnPoolingBackward.
#include "pooling.h"

using namespace fpsim;

namespace {

// The spatial dims of y are not compared with the output dims, as in the real library: windows beyond the input are
// empty. N and C must agree.
cudnnStatus_t check(Call &call, const cudnnPoolingStruct &pooling, const cudnnTensorStruct &x, const cudnnTensorStruct &y) {
    FP_REQUIRE(x.type == y.type);
    FP_REQUIRE(pooling.rank > 0 && x.rank == pooling.rank + 2 && y.rank == x.rank);
    FP_REQUIRE(x.dim[0] == y.dim[0] && x.dim[1] == y.dim[1] && x.vector_channels == y.vector_channels);
    FP_SUPPORTED(pooling.rank == 2 || pooling.rank == 3);
    FP_SUPPORTED(is_pooling_type(x));
    FP_LAUNCHABLE();
    return call.ok();
}

View bytes_view(const cudnnTensorStruct &tensor) {
    return tensor.vector_channels > 1 ? split_channels(tensor, tensor.vector_channels) : view_of(tensor);
}

bool same(const View &a, const View &b) { return a.type == b.type && a.same_dims(b) && a.same_strides(b); }

}  // namespace

extern "C" cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                                             const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                             const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, poolingDesc, alpha, xDesc, x, beta, yDesc, y);
    FP_ALIVE(handle, poolingDesc, xDesc, yDesc);
    FP_REQUIRE(alpha != nullptr && x != nullptr && beta != nullptr && y != nullptr);
    const cudnnStatus_t status = check(call, *poolingDesc, *xDesc, *yDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const Scaling scaling = read_scaling(alpha, beta, xDesc->type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, bytes_view(*xDesc));
    void *target = kernel.write("y", y, bytes_view(*yDesc), scaling);
    if (kernel.ready()) pool_forward(pooling_shape(*poolingDesc, *xDesc, *yDesc), source, target, scaling);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                                              const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                              const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                              const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                              const cudnnTensorDescriptor_t dxDesc, void *dx) {
    FP_CALL(handle, poolingDesc, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
    FP_ALIVE(handle, poolingDesc, yDesc, dyDesc, xDesc, dxDesc);
    FP_REQUIRE(alpha != nullptr && y != nullptr && dy != nullptr && x != nullptr && beta != nullptr && dx != nullptr);
    FP_REQUIRE(same(view_of(*yDesc), view_of(*dyDesc)) && same(view_of(*xDesc), view_of(*dxDesc)));
    const cudnnStatus_t status = check(call, *poolingDesc, *xDesc, *yDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_SUPPORTED(is_floating(xDesc->type));
    const Scaling scaling = read_scaling(alpha, beta, xDesc->type);
    const View outputs = view_of(*yDesc), inputs = view_of(*xDesc);
    Kernel kernel(call);
    kernel.read("y", y, outputs);
    PoolingGradient memory{kernel.read("dy", dy, outputs), kernel.read("x", x, inputs), nullptr};
    memory.dx = kernel.write("dx", dx, inputs, scaling);
    if (kernel.ready()) pool_backward(pooling_shape(*poolingDesc, *xDesc, *yDesc), memory, scaling);
    return call.ok();
}
