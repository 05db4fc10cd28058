// What the pooling functions share, grouped by source file.
#pragma once

#include "operations.h"

namespace fpsim {

// ---- cudnn/pooling_descriptor.cpp ----------------------------------------------------------------------------------
// Output size of spatial dimension `d` for an input of `size`; 0 and less when the window does not fit.
int64_t pooled_size(const cudnnPoolingStruct &pooling, int d, int64_t size);

// ---- here ----------------------------------------------------------------------------------------------------------
// A tensor as planes of up to three spatial dimensions (depth, height, width; missing ones have size 1), one for each
// index of `each`.
struct Planes {
    View each;
    std::array<int64_t, 3> size{1, 1, 1};
    std::array<int64_t, 3> stride{0, 0, 0};
};

struct PoolingShape {
    Planes x, y;
    std::array<int64_t, 3> window{1, 1, 1}, pad{0, 0, 0}, step{1, 1, 1};
    cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
    bool propagate_nan = false;
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
};

// ---- cudnn/pooling_shape.cpp ---------------------------------------------------------------------------------------
PoolingShape pooling_shape(const cudnnPoolingStruct &pooling, const cudnnTensorStruct &x, const cudnnTensorStruct &y);
// float, double, half, bfloat16, int8 and int8 in vectors of 4 channels.
bool is_pooling_type(const cudnnTensorStruct &tensor);

// ---- kernels/pooling.cpp -------------------------------------------------------------------------------------------
void pool_forward(const PoolingShape &shape, const void *x, void *y, const Scaling &scaling);
struct PoolingGradient {
    const void *dy, *x;
    void *dx;
};
void pool_backward(const PoolingShape &shape, const PoolingGradient &memory, const Scaling &scaling);

}  // namespace fpsim
