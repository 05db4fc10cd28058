// cudnnAddTensor: C = alpha * A + beta * C, with A broadcast.
#include "operations.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t aDesc,
                                        const void *A, const void *beta, const cudnnTensorDescriptor_t cDesc,
                                        void *C) {
    FP_CALL(handle, alpha, aDesc, A, beta, cDesc, C);
    FP_ALIVE(handle, aDesc, cDesc);
    FP_REQUIRE(alpha != nullptr && A != nullptr && beta != nullptr && C != nullptr);
    const View a = view_of(*aDesc), c = view_of(*cDesc);
    FP_REQUIRE(a.type == c.type);
    FP_REQUIRE(a.rank == c.rank && c.rank >= 4);
    FP_REQUIRE(broadcasts_to(a, c));
    FP_SUPPORTED(c.rank <= 5 && is_elementwise_type(c.type));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, c.type);
    Kernel kernel(call);
    const void *source = kernel.read("A", A, a);
    void *target = kernel.write("C", C, c, scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(c.type, [&](auto element) {
        using T = decltype(element);
        const T *from = static_cast<const T *>(source);
        T *to = static_cast<T *>(target);
        parallel_offsets([&](int64_t at, int64_t added) { scaling.store(to[at], static_cast<Compute<T>>(from[added])); }, c, a);
    });
    return call.ok();
}
