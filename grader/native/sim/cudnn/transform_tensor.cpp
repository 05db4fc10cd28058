// cudnnTransformTensor: y = alpha * x + beta * y, from any layout and type to any other.
#include "operations.h"

namespace fpsim {

// The descriptor of a vectorised tensor counts vectors: its dims and strides are in units of `vector_channels`.
View split_channels(const cudnnTensorStruct &tensor, int channels) {
    const bool vectors = tensor.vector_channels > 1;
    View split = view_of(tensor);
    split.type = CUDNN_DATA_INT8;
    for (int d = 0; d < split.rank; ++d) split.stride[d] *= tensor.vector_channels;
    split.dim[split.rank] = channels;
    split.stride[split.rank] = vectors ? 1 : split.stride[1];
    if (!vectors) split.dim[1] /= channels, split.stride[1] *= channels;
    ++split.rank;
    return split;
}

}  // namespace fpsim

using namespace fpsim;

namespace {

struct Transform {
    View from, to;
    bool supported;
};

bool can_split(const cudnnTensorStruct &tensor, int channels) {
    if (tensor.rank >= CUDNN_DIM_MAX) return false;
    if (tensor.vector_channels > 1) return tensor.vector_channels == channels;
    return tensor.type == CUDNN_DATA_INT8 && tensor.dim[1] % channels == 0;
}

// Int8 in vectors of 4 or 32 channels: both sides are seen with the channels of a vector as a dimension of their own.
Transform transform_of(const cudnnTensorStruct &x, const cudnnTensorStruct &y) {
    const int channels = std::max(x.vector_channels, y.vector_channels);
    if (channels > 1) {
        if (!can_split(x, channels) || !can_split(y, channels)) return {view_of(x), view_of(y), false};
        return {split_channels(x, channels), split_channels(y, channels), true};
    }
    return {view_of(x), view_of(y), is_elementwise_type(x.type) && is_elementwise_type(y.type)};
}

}  // namespace

// The scalars have the type that goes with x, also where y is double (measured on an H200).
extern "C" cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                              const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                              const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, alpha, xDesc, x, beta, yDesc, y);
    FP_ALIVE(handle, xDesc, yDesc);
    FP_REQUIRE(alpha != nullptr && x != nullptr && beta != nullptr && y != nullptr);
    const auto [from, to, supported] = transform_of(*xDesc, *yDesc);
    FP_REQUIRE(from.same_dims(to));
    FP_SUPPORTED(supported);
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, from.type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, from);
    void *target = kernel.write("y", y, to, scaling);
    if (!kernel.ready()) return call.ok();
    // One after the other: elements of y may overlap.
    const View &reads = from, &writes = to;
    visit_type(reads.type, [&](auto in) {
        visit_type(writes.type, [&](auto out) {
            using T = decltype(in);
            using R = decltype(out);
            for_each_offset([&](int64_t yi, int64_t xi) {
                scaling.store(static_cast<R *>(target)[yi], static_cast<Compute<T>>(static_cast<const T *>(source)[xi]));
            }, writes, reads);
        });
    });
    return call.ok();
}
