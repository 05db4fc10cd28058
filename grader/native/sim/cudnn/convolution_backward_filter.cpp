// The gradient of a convolution's filter: algorithms, workspace, cudnnConvolutionBackwardFilter. ALGO_0 and ALGO_3 are
// reported as not deterministic, as in the real library; here every algorithm gives the same bits each time.
#include "convolution_backward.h"

using namespace fpsim;

namespace {

using Perf = cudnnConvolutionBwdFilterAlgoPerf_t;
constexpr int kAtomic = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0;
constexpr int kImplicit = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
constexpr int kFft = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT;
constexpr int kSpaced = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3;
constexpr int kWinograd = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD;
constexpr int kNonfused = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED;
constexpr int kTiling = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING;

std::vector<AlgorithmEntry> ranked(const ConvolutionShape &s) {
    const bool cores = forward_has_tensor_op(s, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    if (cores && s.filter_last) return {{kImplicit, true}, {kImplicit}, {kAtomic}};
    if (cores) return {{kImplicit}, {kImplicit, true}, {kAtomic}, {kSpaced}, {kNonfused, true}, {kNonfused}, {kFft}};
    return {{kImplicit}, {kAtomic}, {kSpaced}, {kNonfused}, {kFft}};
}

AlgorithmTable table_of(const ConvolutionShape &s) {
    AlgorithmTable table{ranked(s),
                         {{kImplicit}, {kAtomic}, {kSpaced}, {kTiling}, {kFft}, {kNonfused}, {kWinograd}},
                         backward_filter_supported, backward_filter_workspace,
                         [](int algorithm) { return algorithm != kAtomic && algorithm != kSpaced; }};
    const bool cores = forward_has_tensor_op(s, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    if (cores) table.rest.push_back({kNonfused, true});
    return table;
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
    FP_CALL(handle, count);
    FP_ALIVE(handle);
    FP_REQUIRE(count != nullptr);
    *count = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT + 2;  // two algorithms have a Tensor Core variant
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t gradDesc,
    cudnnConvolutionBwdFilterAlgo_t algo, size_t *sizeInBytes) {
    FP_CALL(handle, xDesc, dyDesc, convDesc, gradDesc, algo, sizeInBytes);
    FP_ALIVE(handle, xDesc, dyDesc, convDesc, gradDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *gradDesc, *dyDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(backward_filter_supported(shape, algo));
    *sizeInBytes = backward_filter_workspace(shape, algo, shape.math);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t srcDesc, const cudnnTensorDescriptor_t diffDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t gradDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults) {
    FP_CALL(handle, srcDesc, diffDesc, convDesc, gradDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, srcDesc, diffDesc, convDesc, gradDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *srcDesc, *gradDesc, *diffDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    give_list(algorithm_list<Perf>(shape, table_of(shape)), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults) {
    FP_CALL(handle, xDesc, dyDesc, convDesc, dwDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, xDesc, dyDesc, convDesc, dwDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_REQUIRE(xDesc->rank > 0 && dwDesc->rank > 0 && dyDesc->rank > 0);
    FP_LAUNCHABLE();
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *dwDesc, *dyDesc);
    give_list(searched_list<Perf>(shape, table_of(shape), SIZE_MAX), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

// Runs on the caller's memory: dw is overwritten, and algorithms that need more workspace than given cannot be tried.
extern "C" cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void *x, const cudnnTensorDescriptor_t dyDesc,
    const void *y, const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc, void *dw,
    const int requestedAlgoCount, int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults,
    void *workSpace, size_t workSpaceSizeInBytes) {
    FP_CALL(handle, xDesc, x, dyDesc, y, convDesc, dwDesc, dw, requestedAlgoCount, returnedAlgoCount, perfResults,
            workSpace, workSpaceSizeInBytes);
    FP_ALIVE(handle, xDesc, dyDesc, convDesc, dwDesc);
    FP_REQUIRE(x != nullptr && y != nullptr && dw != nullptr);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_LAUNCHABLE();
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *dwDesc, *dyDesc);
    const size_t given = workSpace ? workSpaceSizeInBytes : 0;
    const std::vector<Perf> list = searched_list<Perf>(shape, table_of(shape), given);
    if (list.front().status == CUDNN_STATUS_SUCCESS) {
        Kernel kernel(call);
        const void *input = kernel.read("x", x, shape.x), *incoming = kernel.read("y", y, shape.y);
        void *target = kernel.write("dw", dw, shape.w);
        if (kernel.ready()) convolve_backward_filter(shape, input, incoming, target, {1, 0});
    }
    give_list(list, requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionBwdFilterAlgo_t algo, void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
    const cudnnFilterDescriptor_t dwDesc, void *dw) {
    FP_CALL(handle, alpha, xDesc, x, dyDesc, dy, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, dwDesc, dw);
    FP_ALIVE(handle, xDesc, dyDesc, convDesc, dwDesc);
    FP_REQUIRE(alpha != nullptr && x != nullptr && dy != nullptr && beta != nullptr && dw != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *dwDesc, *dyDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(backward_filter_supported(shape, algo));
    const size_t need = backward_filter_workspace(shape, algo, shape.math);
    FP_REQUIRE(need == 0 || (workSpace != nullptr && workSpaceSizeInBytes >= need));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, shape.w.type);
    Kernel kernel(call);
    const void *input = kernel.read("x", x, shape.x), *incoming = kernel.read("dy", dy, shape.y);
    void *target = kernel.write("dw", dw, shape.w, scaling);
    kernel.scratch("workSpace", workSpace, need);
    if (!kernel.ready()) return call.ok();
    return call.compute([&] { convolve_backward_filter(shape, input, incoming, target, scaling); });
}
