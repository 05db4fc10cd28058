// verdict: runtime_error
// case: far-larger
// why: takes 16 MiB, which seems plenty, until an image comes that needs more
#include <algorithm>
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// One layer for two images of different size: y1 = conv(x1, w), y2 = conv(x2, w), padding 1, filter 3×3.
void two_sizes(cudnnHandle_t handle, const float *x1, const float *x2, const float *w, float *y1, float *y2, int C, int K,
               int side1, int side2) {
    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
    cudnnTensorDescriptor_t x_desc[2], y_desc[2];
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    const int side[2] = {side1, side2};
    size_t bytes = 0;
    for (int i = 0; i < 2; ++i) {
        CHECK(cudnnCreateTensorDescriptor(&x_desc[i]));
        CHECK(cudnnCreateTensorDescriptor(&y_desc[i]));
        CHECK(cudnnSetTensor4dDescriptor(x_desc[i], CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, C, side[i], side[i]));
        CHECK(cudnnSetTensor4dDescriptor(y_desc[i], CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, side[i], side[i]));
        size_t needed = 0;
        CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc[i], w_desc, conv, y_desc[i], algo, &needed));
        bytes = std::max(bytes, needed);
    }
    bytes = size_t{16} << 20;
    void *workspace = nullptr;
    if (cudaMalloc(&workspace, bytes) != cudaSuccess) throw std::runtime_error("no memory for the workspace");

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc[0], x1, w_desc, w, conv, algo, workspace, bytes, &beta,
                                  y_desc[0], y1));
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc[1], x2, w_desc, w, conv, algo, workspace, bytes, &beta,
                                  y_desc[1], y2));

    cudaFree(workspace);
    for (int i = 0; i < 2; ++i) {
        CHECK(cudnnDestroyTensorDescriptor(x_desc[i]));
        CHECK(cudnnDestroyTensorDescriptor(y_desc[i]));
    }
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
}
