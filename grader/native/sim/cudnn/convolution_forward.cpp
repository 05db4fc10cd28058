// cudnnConvolutionForward.
#include "convolution.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                                 const cudnnTensorDescriptor_t xDesc, const void *x,
                                                 const cudnnFilterDescriptor_t wDesc, const void *w,
                                                 const cudnnConvolutionDescriptor_t convDesc,
                                                 cudnnConvolutionFwdAlgo_t algo, void *workSpace,
                                                 size_t workSpaceSizeInBytes, const void *beta,
                                                 const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, alpha, xDesc, x, wDesc, w, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, yDesc, y);
    FP_ALIVE(handle, xDesc, wDesc, convDesc, yDesc);
    FP_REQUIRE(alpha != nullptr && beta != nullptr);
    FP_REQUIRE(x != nullptr && w != nullptr && y != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *wDesc, *yDesc);
    FP_SUPPORTED(is_consistent(shape));
    FP_SUPPORTED(forward_supported(shape, algo));
    const size_t needed = forward_workspace(shape, algo, shape.math);
    FP_REQUIRE(workSpaceSizeInBytes >= needed && (workSpace != nullptr || needed == 0));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, shape.y.type);
    Kernel kernel(call);
    const void *input = kernel.read("x", x, shape.x);
    const void *filter = kernel.read("w", w, shape.w);
    void *output = kernel.write("y", y, shape.y, scaling);
    kernel.scratch("workSpace", workSpace, needed);
    if (kernel.ready()) convolve_generic(shape, input, filter, output, scaling);
    return call.ok();
}
