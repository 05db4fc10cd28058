// cudnnSetTensor: every element becomes one value. As alpha, the value is a double for double tensors and a float for
// all others, also for half and int8 (measured on an H200).
#include "operations.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void *y,
                                        const void *valuePtr) {
    FP_CALL(handle, yDesc, y, valuePtr);
    FP_ALIVE(handle, yDesc);
    FP_REQUIRE(y != nullptr && valuePtr != nullptr);
    const View view = view_of(*yDesc);
    FP_SUPPORTED(view.rank == 4 || view.rank == 5);
    FP_SUPPORTED(is_elementwise_type(view.type));
    FP_LAUNCHABLE();
    const double value = read_scalar(valuePtr, view.type);
    Kernel kernel(call);
    void *memory = kernel.write("y", y, view);
    if (!kernel.ready()) return call.ok();
    visit_type(view.type, [&](auto element) {
        using T = decltype(element);
        const T stored = to_element<T>(value);
        parallel_offsets([&](int64_t at) { static_cast<T *>(memory)[at] = stored; }, view);
    });
    return call.ok();
}
