// The choice of a forward algorithm: workspace size, heuristic list and search.
#include <algorithm>

#include "convolution.h"

using namespace fpsim;

namespace {

using Perf = cudnnConvolutionFwdAlgoPerf_t;
using Algo = cudnnConvolutionFwdAlgo_t;

constexpr Algo kImplicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
constexpr Algo kPrecomp = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
constexpr Algo kGemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
constexpr Algo kDirect = CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
constexpr Algo kFft = CUDNN_CONVOLUTION_FWD_ALGO_FFT;
constexpr Algo kTiling = CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING;
constexpr Algo kWinograd = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD;
constexpr Algo kNonfused = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;

struct Entry {
    Algo algorithm;
    bool tensor_op = false;
};

Perf perf_of(const ConvolutionShape &shape, const Entry &entry) {
    Perf perf{};
    perf.algo = entry.algorithm;
    perf.time = -1;
    perf.determinism = CUDNN_DETERMINISTIC;
    perf.mathType = shape.math == CUDNN_FMA_MATH ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH;
    if (entry.tensor_op) perf.mathType = shape.math;
    const bool supported = forward_supported(shape, entry.algorithm);
    perf.status = supported ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
    // A search asks about problems that do not fit together too; those have no workspace.
    if (supported && !inconsistency(shape)) perf.memory = forward_workspace(shape, entry.algorithm, perf.mathType).asked;
    return perf;
}

// The order in which the heuristic ranks the algorithms on an H200.
std::vector<Entry> ranked(const ConvolutionShape &shape) {
    const bool cores = forward_has_tensor_op(shape, kPrecomp);
    const bool last = shape.filter_last;
    std::vector<Entry> order;
    if (cores && (last || shape.family == TypeFamily::true_half)) {
        order = {{kPrecomp, true}, {kPrecomp}, {kImplicit}, {kGemm}};
    } else if (cores) {
        order = {{kPrecomp}, {kPrecomp, true}, {kImplicit}, {kGemm}};
    } else {
        order = {{kPrecomp}, {kImplicit}, {kGemm}};
    }
    if (cores && shape.family != TypeFamily::true_half) order.push_back({kNonfused, true});
    const bool whole_first = shape.family == TypeFamily::single && shape.taps() > 1;
    order.push_back({whole_first ? kFft : kTiling});
    order.push_back({whole_first ? kTiling : kFft});
    order.push_back({kNonfused});
    if (cores && shape.family == TypeFamily::true_half) order.push_back({kNonfused, true});
    return order;
}

// Every algorithm once, with its Tensor Core variant where the math type asks for one: what runs first, the rest after.
std::vector<Perf> heuristic_list(const ConvolutionShape &shape) {
    std::vector<Perf> list;
    for (const Entry &entry : ranked(shape)) {
        const Perf perf = perf_of(shape, entry);
        if (perf.status == CUDNN_STATUS_SUCCESS) list.push_back(perf);
    }
    std::vector<Entry> rest = {{kPrecomp}, {kImplicit}, {kGemm}, {kTiling}, {kFft}, {kNonfused}, {kWinograd}, {kDirect}};
    if (forward_has_tensor_op(shape, kNonfused)) rest.push_back({kNonfused, true});
    for (const Entry &entry : rest) {
        const Perf perf = perf_of(shape, entry);
        if (perf.status != CUDNN_STATUS_SUCCESS) list.push_back(perf);
    }
    return list;
}

// A model of the time in milliseconds: a start-up cost and a rate. The simulator promises no timing, and a modelled one
// gives every search the same order.
struct Cost {
    Algo algorithm;
    float start_ms;
    float gflop_per_ms;
};
constexpr Cost kCosts[] = {
    {kGemm, 0.028F, 9},   {kImplicit, 0.031F, 8},  {kPrecomp, 0.045F, 30},
    {kTiling, 0.065F, 18}, {kNonfused, 0.070F, 25}, {kFft, 0.100F, 15},
};

float modelled_time(const ConvolutionShape &shape, const Perf &perf) {
    const double gflop = 2e-9 * static_cast<double>(shape.y.elements() * shape.group_inputs() * shape.taps());
    for (const Cost &cost : kCosts) {
        if (cost.algorithm != perf.algo) continue;
        const bool cores = perf.mathType == CUDNN_TENSOR_OP_MATH;
        return cost.start_ms + static_cast<float>(gflop) / (cost.gflop_per_ms * (cores ? 8 : 1));
    }
    return -1;
}

// The list as a search returns it: the fastest first, what failed at the end.
std::vector<Perf> searched_list(const ConvolutionShape &shape) {
    std::vector<Perf> list = heuristic_list(shape);
    for (Perf &perf : list) {
        if (perf.status == CUDNN_STATUS_SUCCESS) perf.time = modelled_time(shape, perf);
    }
    return list;
}

void fastest_first(std::vector<Perf> &list) {
    std::stable_sort(list.begin(), list.end(), [](const Perf &a, const Perf &b) {
        const bool a_ran = a.status == CUDNN_STATUS_SUCCESS, b_ran = b.status == CUDNN_STATUS_SUCCESS;
        return a_ran != b_ran ? a_ran : a_ran && a.time < b.time;
    });
}

void give(const std::vector<Perf> &list, int requested, int *returned, Perf *results) {
    const auto count = std::min(list.size(), static_cast<size_t>(static_cast<unsigned>(requested)));
    std::copy_n(list.begin(), count, results);
    *returned = static_cast<int>(count);
}

// A search tries every algorithm, so a problem that does not fit together shows in the entries, not in the status.
std::vector<Perf> search(const ConvolutionShape &shape) {
    std::vector<Perf> list = searched_list(shape);
    if (inconsistency(shape)) {
        for (Perf &perf : list) perf.status = CUDNN_STATUS_BAD_PARAM, perf.time = -1, perf.memory = 0;
    }
    fastest_first(list);
    return list;
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
    FP_CALL(handle, count);
    FP_ALIVE(handle);
    FP_REQUIRE(count != nullptr);
    *count = CUDNN_CONVOLUTION_FWD_ALGO_COUNT + 2;  // two algorithms have a Tensor Core variant
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
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    FP_SUPPORTED(forward_supported(shape, algo));
    *sizeInBytes = forward_workspace(shape, algo, shape.math).asked;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t srcDesc, const cudnnFilterDescriptor_t filterDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t destDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults) {
    FP_CALL(handle, srcDesc, filterDesc, convDesc, destDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, srcDesc, filterDesc, convDesc, destDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr);
    const ConvolutionShape shape = shape_of(*convDesc, *srcDesc, *filterDesc, *destDesc);
    if (const char *reason = inconsistency(shape)) return call.bad_param(reason);
    give(heuristic_list(shape), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults) {
    FP_CALL(handle, xDesc, wDesc, convDesc, yDesc, requestedAlgoCount, returnedAlgoCount, perfResults);
    FP_ALIVE(handle, xDesc, wDesc, convDesc, yDesc);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_REQUIRE(xDesc->rank > 0 && wDesc->rank > 0 && yDesc->rank > 0);
    FP_LAUNCHABLE();
    give(search(shape_of(*convDesc, *xDesc, *wDesc, *yDesc)), requestedAlgoCount, returnedAlgoCount, perfResults);
    return call.ok();
}

// Runs on the caller's memory: y is overwritten, and algorithms that need more workspace than given cannot be tried.
extern "C" cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void *x, const cudnnFilterDescriptor_t wDesc,
    const void *w, const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc, void *y,
    const int requestedAlgoCount, int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults, void *workSpace,
    size_t workSpaceSizeInBytes) {
    FP_CALL(handle, xDesc, x, wDesc, w, convDesc, yDesc, y, requestedAlgoCount, returnedAlgoCount, perfResults,
            workSpace, workSpaceSizeInBytes);
    FP_ALIVE(handle, xDesc, wDesc, convDesc, yDesc);
    FP_REQUIRE(x != nullptr && w != nullptr && y != nullptr);
    FP_REQUIRE(returnedAlgoCount != nullptr && perfResults != nullptr && requestedAlgoCount > 0);
    FP_LAUNCHABLE();
    const ConvolutionShape shape = shape_of(*convDesc, *xDesc, *wDesc, *yDesc);
    std::vector<Perf> list = search(shape);
    const size_t given = workSpace ? workSpaceSizeInBytes : 0;
    bool any = false;
    for (Perf &perf : list) {
        if (perf.status != CUDNN_STATUS_SUCCESS) continue;
        const size_t minimum = forward_workspace(shape, perf.algo, perf.mathType).minimum;
        if (minimum > given) perf.status = CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE, perf.time = -1;
        any = any || perf.status == CUDNN_STATUS_SUCCESS;
    }
    fastest_first(list);
    give(list, requestedAlgoCount, returnedAlgoCount, perfResults);
    if (!any) return call.ok();
    Kernel kernel(call);
    const ForwardPointers memory{kernel.read("x", x, shape.x), kernel.read("w", w, shape.w),
                                 kernel.write("y", y, shape.y)};
    if (!kernel.ready()) return call.ok();
    return call.compute([&] { run_forward(shape, memory, {1, 0}); });
}
