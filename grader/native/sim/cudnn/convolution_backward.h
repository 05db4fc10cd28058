// What the backward convolutions share, grouped by source file.
#pragma once

#include <algorithm>

#include "convolution.h"

namespace fpsim {

// ---- cudnn/convolution_backward_support.cpp: what runs on an H200 ---------------------------------------------------
bool backward_data_supported(const ConvolutionShape &shape, int algorithm);
bool backward_filter_supported(const ConvolutionShape &shape, int algorithm);

// ---- cudnn/convolution_backward_workspace.cpp ----------------------------------------------------------------------
// What the size query answers; an algorithm refuses anything less.
size_t backward_data_workspace(const ConvolutionShape &shape, int algorithm, cudnnMathType_t math);
size_t backward_filter_workspace(const ConvolutionShape &shape, int algorithm, cudnnMathType_t math);

// ---- kernels/convolution_backward_data.cpp -------------------------------------------------------------------------
// dx = alpha * (gradient of the input) + beta * dx; `shape.x` is dx and `shape.y` is dy.
void convolve_backward_data(const ConvolutionShape &shape, const void *w, const void *dy, void *dx, const Scaling &scaling);
// ---- kernels/convolution_backward_filter.cpp -----------------------------------------------------------------------
// dw = alpha * (gradient of the filter) + beta * dw.
void convolve_backward_filter(const ConvolutionShape &shape, const void *x, const void *dy, void *dw, const Scaling &scaling);

// ---- here: lists of algorithms -------------------------------------------------------------------------------------
// An algorithm, and whether it is the variant with Tensor Cores.
struct AlgorithmEntry {
    int algorithm;
    bool tensor_op = false;
};

// How one kind of convolution ranks and sizes its algorithms.
struct AlgorithmTable {
    std::vector<AlgorithmEntry> ranked;  // as the heuristic of an H200 does; unsupported ones go to the end
    std::vector<AlgorithmEntry> rest;    // the order of the unsupported
    bool (*supported)(const ConvolutionShape &, int);
    size_t (*workspace)(const ConvolutionShape &, int, cudnnMathType_t);
    bool (*deterministic)(int);
};

template <typename Perf> Perf perf_of(const ConvolutionShape &shape, const AlgorithmTable &table, const AlgorithmEntry &entry) {
    Perf perf{};
    perf.algo = static_cast<decltype(perf.algo)>(entry.algorithm);
    perf.time = -1;
    perf.determinism = table.deterministic(entry.algorithm) ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
    perf.mathType = shape.math == CUDNN_FMA_MATH ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH;
    if (entry.tensor_op) perf.mathType = shape.math;
    const bool supported = table.supported(shape, entry.algorithm);
    perf.status = supported ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
    // A search asks about problems that do not fit together too; those have no workspace.
    if (supported && !inconsistency(shape)) perf.memory = table.workspace(shape, entry.algorithm, perf.mathType);
    return perf;
}

// Every algorithm once, with its Tensor Core variant where the math type asks for one: what runs first, the rest after.
template <typename Perf> std::vector<Perf> algorithm_list(const ConvolutionShape &shape, const AlgorithmTable &table) {
    std::vector<Perf> list;
    for (const AlgorithmEntry &entry : table.ranked) {
        const Perf perf = perf_of<Perf>(shape, table, entry);
        if (perf.status == CUDNN_STATUS_SUCCESS) list.push_back(perf);
    }
    for (const AlgorithmEntry &entry : table.rest) {
        const Perf perf = perf_of<Perf>(shape, table, entry);
        if (perf.status != CUDNN_STATUS_SUCCESS) list.push_back(perf);
    }
    return list;
}

// The list as a search returns it: the fastest first, then what failed. A search tries every algorithm, so a problem that
// does not fit together shows in the entries, not in the status. The simulator promises no timing: small problems rank by
// number, large ones as the heuristic does.
template <typename Perf> std::vector<Perf> searched_list(const ConvolutionShape &shape, const AlgorithmTable &table, size_t given) {
    std::vector<Perf> list = algorithm_list<Perf>(shape, table);
    const bool fits = inconsistency(shape) == nullptr;
    const double gflop = 2e-9 * static_cast<double>(shape.y.elements() * shape.group_inputs() * shape.taps());
    constexpr double kSmall = 0.1;
    for (Perf &perf : list) {
        if (!fits) perf.status = CUDNN_STATUS_BAD_PARAM, perf.memory = 0;
        if (perf.status == CUDNN_STATUS_SUCCESS && perf.memory > given) {
            perf.status = CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE;
        }
    }
    std::stable_sort(list.begin(), list.end(), [gflop](const Perf &a, const Perf &b) {
        const bool a_ran = a.status == CUDNN_STATUS_SUCCESS, b_ran = b.status == CUDNN_STATUS_SUCCESS;
        if (a_ran != b_ran) return a_ran;
        return (!a_ran || gflop < kSmall) && a.algo < b.algo;
    });
    float time = 0.03F + static_cast<float>(gflop / 20);
    for (Perf &perf : list) {
        if (perf.status == CUDNN_STATUS_SUCCESS) perf.time = time, time *= 1.25F;
    }
    return list;
}

template <typename Perf> void give_list(const std::vector<Perf> &list, int requested, int *returned, Perf *results) {
    const auto count = std::min(list.size(), static_cast<size_t>(static_cast<unsigned>(requested)));
    std::copy_n(list.begin(), count, results);
    *returned = static_cast<int>(count);
}

}  // namespace fpsim
