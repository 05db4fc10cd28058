// cudnnConvolutionForward.
#include <algorithm>

#include "convolution.h"

namespace fpsim {

// Integer sums are exact in double; the floating types are summed in float, double in itself.
void run_forward(const ConvolutionShape &shape, const ForwardPointers &memory, const Scaling &scaling) {
    if (shape.half_steps) return convolve_halves(shape, memory.x, memory.w, memory.y, scaling);
    constexpr int64_t kSmall = 1 << 14;  // multiplications that cost less than packing
    const bool small = shape.y.elements() * shape.group_inputs() * shape.taps() < kSmall;
    if (small) return convolve_generic(shape, memory.x, memory.w, memory.y, scaling);
    const bool wide = shape.family == TypeFamily::doubles || shape.family == TypeFamily::integers;
    (wide ? convolve_gemm<double> : convolve_gemm<float>)(shape, memory.x, memory.w, memory.y, scaling);
}

namespace {

// Without Tensor Cores, which keep their sums in another order.
bool adds_in_half(const ConvolutionShape &shape, cudnnConvolutionFwdAlgo_t algorithm) {
    return shape.family == TypeFamily::true_half && algorithm <= CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM &&
           (shape.math == CUDNN_DEFAULT_MATH || shape.math == CUDNN_FMA_MATH);
}

constexpr uintptr_t kWorkspaceAlignment = 16;

bool is_misaligned(const void *workspace) { return reinterpret_cast<uintptr_t>(workspace) % kWorkspaceAlignment != 0; }

// The kernels of the transforming algorithms load whole vectors from their workspace.
bool loads_vectors(cudnnConvolutionFwdAlgo_t algorithm) { return algorithm >= CUDNN_CONVOLUTION_FWD_ALGO_FFT; }

cudnnStatus_t fault_on_alignment(Call &call, const void *workspace) {
    Note("misaligned_pointer_in_kernel").text("function", call.function()).text("argument", "workSpace").number(
        "address", reinterpret_cast<intptr_t>(workspace)).send();
    fp_sim_raise(cudaErrorMisalignedAddress);
    return call.not_supported("cudaGetLastError() != cudaSuccess");
}

}  // namespace
}  // namespace fpsim

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
    ConvolutionShape shape = shape_of(*convDesc, *xDesc, *wDesc, *yDesc);
    shape.half_steps = adds_in_half(shape, algo);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(forward_supported(shape, algo));
    const WorkspaceNeed need = forward_workspace(shape, algo, shape.math);
    FP_REQUIRE(need.minimum == 0 || (workSpace != nullptr && workSpaceSizeInBytes >= need.minimum));
    FP_LAUNCHABLE();
    if (need.minimum != 0 && loads_vectors(algo) && is_misaligned(workSpace)) return fault_on_alignment(call, workSpace);
    const Scaling scaling = read_scaling(alpha, beta, shape.y.type);
    Kernel kernel(call);
    const ForwardPointers memory{kernel.read("x", x, shape.x), kernel.read("w", w, shape.w),
                                 kernel.write("y", y, shape.y, scaling)};
    if (workSpace) kernel.scratch("workSpace", workSpace, std::min(need.asked, workSpaceSizeInBytes));
    if (!kernel.ready()) return call.ok();
    return call.compute([&] { run_forward(shape, memory, scaling); });
}
