// cudnnConvolutionBackwardBias: db = alpha * (sum of dy over all but the channels) + beta * db.
#include "operations.h"

using namespace fpsim;

namespace {

bool is_channel_vector(const View &bias, const View &dy) {
    if (bias.rank != dy.rank) return false;
    for (int d = 0; d < bias.rank; ++d) {
        if (bias.dim[d] != (d == 1 ? dy.dim[1] : 1)) return false;
    }
    return true;
}

template <typename T> void sum(const View &dy, const View &bias, const T *from, T *to, const Scaling &scaling) {
    View plane = dy;
    plane.dim[1] = 1;
    parallel_for(dy.dim[1], std::max<int64_t>(1, kElementGrain / plane.elements()), [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
            double total = 0;
            const T *channel = from + c * dy.stride[1];
            for_each_offset([&](int64_t at) { total += static_cast<double>(channel[at]); }, plane);
            scaling.store(to[c * bias.stride[1]], total);
        }
    });
}

}  // namespace

extern "C" cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha,
                                                      const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                                      const void *beta, const cudnnTensorDescriptor_t dbDesc,
                                                      void *db) {
    FP_CALL(handle, alpha, dyDesc, dy, beta, dbDesc, db);
    FP_ALIVE(handle, dyDesc, dbDesc);
    FP_REQUIRE(alpha != nullptr && dy != nullptr && beta != nullptr && db != nullptr);
    const View up = view_of(*dyDesc), bias = view_of(*dbDesc);
    FP_SUPPORTED(up.type == CUDNN_DATA_FLOAT || up.type == CUDNN_DATA_DOUBLE || up.type == CUDNN_DATA_HALF);
    FP_SUPPORTED(up.rank >= 4);
    FP_REQUIRE(up.type == bias.type);
    FP_REQUIRE(is_channel_vector(bias, up));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, up.type);
    Kernel kernel(call);
    const void *source = kernel.read("dy", dy, up);
    void *target = kernel.write("db", db, bias, scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(up.type, [&](auto element) {
        using T = decltype(element);
        sum(up, bias, static_cast<const T *>(source), static_cast<T *>(target), scaling);
    });
    return call.ok();
}
