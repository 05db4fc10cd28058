// What the convolution functions share, grouped by source file.
#pragma once

#include "sim.h"

namespace fpsim {

// ---- cudnn/convolution_shape.cpp -----------------------------------------------------------------------------------
// The combinations of element and compute types that convolutions have kernels for.
enum class TypeFamily { none, single, pseudo_half, true_half, bfloat, doubles, integers };

// One convolution problem, read from its descriptors.
struct ConvolutionShape {
    View x, w, y;  // N,C,spatial · K,C/groups,spatial · N,K,spatial
    int spatial = 0;
    std::array<int, CUDNN_DIM_MAX> pad{}, stride{}, dilation{};
    int64_t groups = 1;
    bool filter_last = false;  // the filter's format is NHWC: K, spatial, C in memory
    bool flipped = false;  // CUDNN_CONVOLUTION turns the filter by 180 degrees
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    TypeFamily family = TypeFamily::none;
    bool half_steps = false;  // every product is added in half, as convolve_halves does

    int64_t group_inputs() const { return w.dim[1]; }
    int64_t group_outputs() const { return w.dim[0] / groups; }
    int64_t padded(int d) const { return x.dim[d + 2] + 2 * int64_t{pad[d]}; }
    int64_t taps() const;  // elements of one window: R*S
    bool has_stride() const;
    bool has_dilation() const;
};
ConvolutionShape shape_of(const cudnnConvolutionStruct &convolution, const cudnnTensorStruct &x,
                          const cudnnFilterStruct &w, const cudnnTensorStruct &y);
// Why the ranks, channels and dimensions do not belong together; null when they do.
const char *inconsistent_dims(const ConvolutionShape &shape);
// The same, or elements of x or y that share an address.
const char *inconsistency(const ConvolutionShape &shape);

// ---- cudnn/convolution_forward_support.cpp: what runs on an H200 ---------------------------------------------------
bool forward_supported(const ConvolutionShape &shape, int algorithm);
// Whether the algorithm has a second entry, with Tensor Cores, in the lists of algorithms.
bool forward_has_tensor_op(const ConvolutionShape &shape, int algorithm);

// ---- cudnn/convolution_forward_workspace.cpp -----------------------------------------------------------------------
struct WorkspaceNeed {
    size_t asked = 0;    // what the size query answers
    size_t minimum = 0;  // what the algorithm cannot do without
};
WorkspaceNeed forward_workspace(const ConvolutionShape &shape, int algorithm, cudnnMathType_t math);

// ---- cudnn/convolution_forward.cpp ---------------------------------------------------------------------------------
struct ForwardPointers {
    const void *x, *w;
    void *y;
};
void run_forward(const ConvolutionShape &shape, const ForwardPointers &memory, const Scaling &scaling);

// ---- kernels/convolution_gemm.cpp ----------------------------------------------------------------------------------
// y = alpha * conv(x, w) + beta * y as a blocked matrix product that sums in T (float or double).
template <typename T>
void convolve_gemm(const ConvolutionShape &shape, const void *x, const void *w, void *y, const Scaling &scaling);

// ---- kernels/convolution_generic.cpp -------------------------------------------------------------------------------
// The same by its definition, without any set-up: for small problems.
void convolve_generic(const ConvolutionShape &shape, const void *x, const void *w, void *y, const Scaling &scaling);

// ---- kernels/convolution_halves.cpp --------------------------------------------------------------------------------
// The same of halves, with sums that are halves.
void convolve_halves(const ConvolutionShape &shape, const void *x, const void *w, void *y, const Scaling &scaling);

}  // namespace fpsim
