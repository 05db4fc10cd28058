// The gradient of a convolution's input: algorithms, workspace, cudnnConvolutionBackwardData. ALGO_0 is reported as not
// deterministic, as in the real library; here every algorithm gives the same bits each time.
#include "convolution_backward.h"

using namespace fpsim;

namespace {

using Perf = cudnnConvolutionBwdDataAlgoPerf_t;
constexpr int kScatter = CUDNN_CONVOLUTION_BWD_DATA_ALGO_0;
constexpr int kImplicit = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
constexpr int kFft = CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT;
constexpr int kTiling = CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING;
constexpr int kWinograd = CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD;
constexpr int kNonfused = CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED;

std::vector<AlgorithmEntry> ranked(const ConvolutionShape &s) {
    const bool cores = forward_has_tensor_op(s, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    if (cores && s.family == TypeFamily::single) {
        return {{kImplicit}, {kImplicit, true}, {kScatter}, {kTiling}, {kNonfused, true}, {kFft}, {kNonfused}};
    }
    if (cores && s.filter_last) return {{kImplicit, true}, {kImplicit}, {kScatter}};
    if (cores) return {{kImplicit}, {kImplicit, true}, {kNonfused}, {kNonfused, true}, {kScatter}, {kTiling}, {kFft}};
    if (s.family == TypeFamily::doubles || s.spatial == 3) return {{kScatter}, {kImplicit}, {kTiling}};
    if (s.family == TypeFamily::pseudo_half) return {{kImplicit}, {kNonfused}, {kScatter}, {kTiling}, {kFft}};
    if (s.family == TypeFamily::bfloat) return {{kNonfused}, {kImplicit}, {kScatter}};
    return {{kImplicit}, {kScatter}, {kTiling}, {kFft}, {kNonfused}};
}

AlgorithmTable table_of(const ConvolutionShape &s) {
    AlgorithmTable table{ranked(s),
                         {{kImplicit}, {kScatter}, {kTiling}, {kFft}, {kNonfused}, {kWinograd}},
                         backward_data_supported, backward_data_workspace, [](int algorithm) { return algorithm != kScatter; }};
    const bool cores = forward_has_tensor_op(s, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    if (cores) table.rest.push_back({kNonfused, true});
    return table;
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
    FP_CALL(handle, count);
    FP_ALIVE(handle);
    FP_REQUIRE(count != nullptr);
    *count = CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT + 2;  // two algorithms have a Tensor Core variant
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    cudnnConvolutionBwdDataAlgo_t algo, size_t *sizeInBytes) {
    FP_CALL(handle, wDesc, dyDesc, convDesc, dxDesc, algo, sizeInBytes);
    FP_ALIVE(handle, wDesc, dyDesc, convDesc, dxDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *dxDesc, *wDesc, *dyDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(backward_data_supported(shape, algo));
    *sizeInBytes = backward_data_workspace(shape, algo, shape.math);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t filterDesc, const cudnnTensorDescriptor_t diffDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t gradDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t *perfResults) {
    FP_CALL(handle, filterDesc, diffDesc, convDesc, gradDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, filterDesc, diffDesc, convDesc, gradDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *gradDesc, *filterDesc, *diffDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    give_list(algorithm_list<Perf>(shape, table_of(shape)), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t *perfResults) {
    FP_CALL(handle, wDesc, dyDesc, convDesc, dxDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, wDesc, dyDesc, convDesc, dxDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_REQUIRE(dxDesc->rank > 0 && wDesc->rank > 0 && dyDesc->rank > 0);
    FP_LAUNCHABLE();
    const ConvolutionShape shape = shape_of(*convDesc, *dxDesc, *wDesc, *dyDesc);
    give_list(searched_list<Perf>(shape, table_of(shape), SIZE_MAX), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

// Runs on the caller's memory: dx is overwritten, and algorithms that need more workspace than given cannot be tried.
extern "C" cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t dyDesc,
    const void *dy, const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc, void *dx,
    const int requestedAlgoCount, int *returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t *perfResults,
    void *workSpace, size_t workSpaceSizeInBytes) {
    FP_CALL(handle, wDesc, w, dyDesc, dy, convDesc, dxDesc, dx, requestedAlgoCount, returnedAlgoCount, perfResults,
            workSpace, workSpaceSizeInBytes);
    FP_ALIVE(handle, wDesc, dyDesc, convDesc, dxDesc);
    FP_REQUIRE(w != nullptr && dy != nullptr && dx != nullptr);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_LAUNCHABLE();
    const ConvolutionShape shape = shape_of(*convDesc, *dxDesc, *wDesc, *dyDesc);
    const size_t given = workSpace ? workSpaceSizeInBytes : 0;
    const std::vector<Perf> list = searched_list<Perf>(shape, table_of(shape), given);
    if (list.front().status == CUDNN_STATUS_SUCCESS) {
        Kernel kernel(call);
        const void *filter = kernel.read("w", w, shape.w), *incoming = kernel.read("dy", dy, shape.y);
        void *target = kernel.write("dx", dx, shape.x);
        if (kernel.ready()) convolve_backward_data(shape, filter, incoming, target, {1, 0});
    }
    give_list(list, requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t wDesc, const void *w,
    const cudnnTensorDescriptor_t dyDesc, const void *dy, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionBwdDataAlgo_t algo, void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
    const cudnnTensorDescriptor_t dxDesc, void *dx) {
    FP_CALL(handle, alpha, wDesc, w, dyDesc, dy, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, dxDesc, dx);
    FP_ALIVE(handle, wDesc, dyDesc, convDesc, dxDesc);
    FP_REQUIRE(alpha != nullptr && w != nullptr && dy != nullptr && beta != nullptr && dx != nullptr);
    ConvolutionShape shape = shape_of(*convDesc, *dxDesc, *wDesc, *dyDesc);
    shape.half_steps = shape.family == TypeFamily::true_half && algo <= CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(backward_data_supported(shape, algo));
    const size_t need = backward_data_workspace(shape, algo, shape.math);
    FP_REQUIRE(need == 0 || (workSpace != nullptr && workSpaceSizeInBytes >= need));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, shape.x.type);
    Kernel kernel(call);
    const void *filter = kernel.read("w", w, shape.w), *incoming = kernel.read("dy", dy, shape.y);
    void *target = kernel.write("dx", dx, shape.x, scaling);
    kernel.scratch("workSpace", workSpace, need);
    if (!kernel.ready()) return call.ok();
    return call.compute([&] { convolve_backward_data(shape, filter, incoming, target, scaling); });
}
