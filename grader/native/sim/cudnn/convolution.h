// What the convolution functions share, grouped by source file.
#pragma once

#include "sim.h"

namespace fpsim {

// ---- cudnn/convolution_shape.cpp -----------------------------------------------------------------------------------
// One convolution problem, read from its descriptors.
struct ConvolutionShape {
    View x, w, y;  // N,C,spatial · K,C/groups,spatial · N,K,spatial
    int spatial = 0;
    std::array<int, CUDNN_DIM_MAX> pad{}, stride{}, dilation{};
    int groups = 1;
    bool flipped = false;  // CUDNN_CONVOLUTION turns the filter by 180 degrees
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};
ConvolutionShape shape_of(const cudnnConvolutionStruct &convolution, const cudnnTensorStruct &x,
                          const cudnnFilterStruct &w, const cudnnTensorStruct &y);
// Whether ranks, channels and output dimensions belong together.
bool is_consistent(const ConvolutionShape &shape);

// ---- cudnn/convolution_forward_support.cpp: what runs on an H200 ---------------------------------------------------
bool forward_supported(const ConvolutionShape &shape, int algorithm);

// ---- cudnn/convolution_forward_workspace.cpp -----------------------------------------------------------------------
size_t forward_workspace(const ConvolutionShape &shape, int algorithm, cudnnMathType_t math);

// ---- kernels/convolution_generic.cpp -----------------------------------------------------------------------------
// y = alpha * conv(x, w) + beta * y, for any types, strides and number of spatial dimensions.
void convolve_generic(const ConvolutionShape &shape, const void *x, const void *w, void *y, const Scaling &scaling);

}  // namespace fpsim
