// cudnnScaleTensor: y = alpha * y.
#include "operations.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void *y,
                                          const void *alpha) {
    FP_CALL(handle, yDesc, y, alpha);
    FP_ALIVE(handle, yDesc);
    FP_REQUIRE(y != nullptr && alpha != nullptr);
    const View view = view_of(*yDesc);
    FP_REQUIRE(view.rank >= 4);
    FP_SUPPORTED(view.rank <= 5 && is_elementwise_type(view.type));
    FP_LAUNCHABLE();
    const double factor = read_scalar(alpha, view.type);
    Kernel kernel(call);
    // A factor of 0 sets zero without reading, so that NaN does not survive it.
    void *memory = factor == 0 ? kernel.write("y", y, view) : kernel.update("y", y, view);
    if (!kernel.ready()) return call.ok();
    visit_type(view.type, [&](auto element) {
        using T = decltype(element);
        using C = Compute<T>;
        T *data = static_cast<T *>(memory);
        parallel_offsets([&](int64_t at) {
            data[at] = to_element<T>(factor == 0 ? C{0} : static_cast<C>(factor) * static_cast<C>(data[at]));
        }, view);
    });
    return call.ok();
}
