// The choice of a forward algorithm: workspace size, heuristic and search.
#include <algorithm>

#include "convolution.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
    FP_CALL(handle, count);
    FP_ALIVE(handle);
    FP_REQUIRE(count != nullptr);
    *count = 10;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc, cudnnConvolutionFwdAlgo_t algo,
    size_t *sizeInBytes) {
    FP_CALL(handle, xDesc, wDesc, convDesc, yDesc, algo, sizeInBytes);
    FP_ALIVE(handle, xDesc, wDesc, convDesc, yDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *wDesc, *yDesc);
    FP_REQUIRE(is_consistent(shape));
    FP_SUPPORTED(forward_supported(shape, algo));
    *sizeInBytes = forward_workspace(shape, algo, shape.math);
    return call.ok();
}
