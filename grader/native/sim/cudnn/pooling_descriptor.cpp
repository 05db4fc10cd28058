// Pooling descriptors and output dimensions.
#include "pooling.h"

namespace fpsim {

// In 32 bits, which wrap, as in the real library.
int64_t pooled_size(const cudnnPoolingStruct &pooling, int d, int64_t size) {
    const auto padded = static_cast<unsigned>(size) + 2U * static_cast<unsigned>(pooling.pad[d]);
    const auto room = static_cast<int>(padded - static_cast<unsigned>(pooling.window[d]));
    return room < 0 || pooling.stride[d] <= 0 ? 0 : 1 + room / pooling.stride[d];
}

}  // namespace fpsim

using namespace fpsim;

namespace {

constexpr int kMostSpatialDims = CUDNN_DIM_MAX - 2;

// Stores dimension by dimension up to the first that is wrong, as the real library does. Padding is not checked there.
cudnnStatus_t set(Call &call, cudnnPoolingStruct &pooling, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan, int rank,
                  const int *window, const int *pad, const int *stride) {
    FP_SUPPORTED(rank <= kMostSpatialDims);
    FP_REQUIRE(mode >= CUDNN_POOLING_MAX && mode <= CUDNN_POOLING_MAX_DETERMINISTIC);
    FP_REQUIRE(is_propagation(nan));
    FP_REQUIRE(rank > 0);
    pooling.mode = mode;
    pooling.nan = nan;
    pooling.rank = rank;
    for (int d = 0; d < rank; ++d) {
        FP_REQUIRE(window != nullptr && window[d] > 0);
        FP_REQUIRE(pad != nullptr);
        pooling.window[d] = window[d];
        pooling.pad[d] = pad[d];
        FP_REQUIRE(stride != nullptr && stride[d] > 0);
        pooling.stride[d] = stride[d];
    }
    return call.ok();
}

cudnnStatus_t output_dims(Call &call, const cudnnPoolingStruct &pooling, const cudnnTensorStruct &x, int *out) {
    FP_REQUIRE(pooling.rank > 0 && x.rank == pooling.rank + 2);
    out[0] = x.dim[0];
    out[1] = x.dim[1];
    FP_REQUIRE(x.vector_channels == 1 || x.type == CUDNN_DATA_INT8x4 || x.type == CUDNN_DATA_INT8x32);
    out[1] *= x.vector_channels;
    for (int d = 0; d < pooling.rank; ++d) {
        const int64_t size = pooled_size(pooling, d, x.dim[d + 2]);
        FP_REQUIRE(size > 0);
        out[d + 2] = static_cast<int>(size);
    }
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *poolingDesc) {
    FP_CALL(poolingDesc);
    return call.create(poolingDesc);
}

extern "C" cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t poolingDesc) {
    FP_CALL(poolingDesc);
    return call.destroy(poolingDesc);
}

extern "C" cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc, cudnnPoolingMode_t mode,
                                                     cudnnNanPropagation_t maxpoolingNanOpt, int windowHeight,
                                                     int windowWidth, int verticalPadding, int horizontalPadding,
                                                     int verticalStride, int horizontalStride) {
    FP_CALL(poolingDesc, mode, maxpoolingNanOpt, windowHeight, windowWidth, verticalPadding, horizontalPadding,
            verticalStride, horizontalStride);
    FP_ALIVE(poolingDesc);
    const int window[2] = {windowHeight, windowWidth}, pad[2] = {verticalPadding, horizontalPadding};
    const int stride[2] = {verticalStride, horizontalStride};
    return set(call, *poolingDesc, mode, maxpoolingNanOpt, 2, window, pad, stride);
}

extern "C" cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                                     const cudnnPoolingMode_t mode,
                                                     const cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                                     const int windowDimA[], const int paddingA[],
                                                     const int strideA[]) {
    FP_CALL(poolingDesc, mode, maxpoolingNanOpt, nbDims, windowDimA, paddingA, strideA);
    FP_ALIVE(poolingDesc);
    return set(call, *poolingDesc, mode, maxpoolingNanOpt, nbDims, windowDimA, paddingA, strideA);
}

extern "C" cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                                     cudnnPoolingMode_t *mode, cudnnNanPropagation_t *maxpoolingNanOpt,
                                                     int *windowHeight, int *windowWidth, int *verticalPadding,
                                                     int *horizontalPadding, int *verticalStride,
                                                     int *horizontalStride) {
    FP_CALL(poolingDesc, mode, maxpoolingNanOpt, windowHeight, windowWidth, verticalPadding, horizontalPadding,
            verticalStride, horizontalStride);
    FP_ALIVE(poolingDesc);
    const std::pair<int *, int> values[] = {
        {windowHeight, poolingDesc->window[0]},    {windowWidth, poolingDesc->window[1]},
        {verticalPadding, poolingDesc->pad[0]},    {horizontalPadding, poolingDesc->pad[1]},
        {verticalStride, poolingDesc->stride[0]},  {horizontalStride, poolingDesc->stride[1]},
    };
    for (const auto &[target, value] : values) {
        if (target) *target = value;
    }
    if (mode) *mode = poolingDesc->mode;
    if (maxpoolingNanOpt) *maxpoolingNanOpt = poolingDesc->nan;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc, int nbDimsRequested,
                                                     cudnnPoolingMode_t *mode, cudnnNanPropagation_t *maxpoolingNanOpt,
                                                     int *nbDims, int windowDimA[], int paddingA[], int strideA[]) {
    FP_CALL(poolingDesc, nbDimsRequested, mode, maxpoolingNanOpt, nbDims, windowDimA, paddingA, strideA);
    FP_ALIVE(poolingDesc);
    FP_SUPPORTED(nbDimsRequested <= kMostSpatialDims);
    if (nbDims) *nbDims = poolingDesc->rank;
    if (mode) *mode = poolingDesc->mode;
    if (maxpoolingNanOpt) *maxpoolingNanOpt = poolingDesc->nan;
    for (int d = 0; d < nbDimsRequested; ++d) {
        if (windowDimA) windowDimA[d] = poolingDesc->window[d];
        if (paddingA) paddingA[d] = poolingDesc->pad[d];
        if (strideA) strideA[d] = poolingDesc->stride[d];
    }
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                           const cudnnTensorDescriptor_t inputTensorDesc, int nbDims,
                                                           int outputTensorDimA[]) {
    FP_CALL(poolingDesc, inputTensorDesc, nbDims, outputTensorDimA);
    FP_ALIVE(poolingDesc, inputTensorDesc);
    FP_REQUIRE(outputTensorDimA != nullptr);
    FP_REQUIRE(nbDims == inputTensorDesc->rank && nbDims == poolingDesc->rank + 2);
    return output_dims(call, *poolingDesc, *inputTensorDesc, outputTensorDimA);
}

extern "C" cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                           const cudnnTensorDescriptor_t inputTensorDesc, int *n,
                                                           int *c, int *h, int *w) {
    FP_CALL(poolingDesc, inputTensorDesc, n, c, h, w);
    int *targets[4] = {n, c, h, w};
    for (int *target : targets) {
        if (target) *target = 0;
    }
    FP_ALIVE(poolingDesc, inputTensorDesc);
    FP_REQUIRE(poolingDesc->rank == 2);
    int out[CUDNN_DIM_MAX] = {};
    const cudnnStatus_t status = output_dims(call, *poolingDesc, *inputTensorDesc, out);
    for (int i = 0; i < 4; ++i) {
        if (targets[i]) *targets[i] = out[i];
    }
    return status;
}
