// verdict: wrong_answer
// case: largest-last
// why: feeds x to every layer instead of the output of the one before
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

void three_layers(cudnnHandle_t handle, const float *x, const float *w1, const float *w2, const float *w3, float *y1,
                  float *y2, float *y3, int N, int C, int H, int W, cudnnConvolutionFwdAlgo_t algo1,
                  cudnnConvolutionFwdAlgo_t algo2, cudnnConvolutionFwdAlgo_t algo3) {
    cudnnTensorDescriptor_t image;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&image));
    CHECK(cudnnCreateFilterDescriptor(&filter));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, C, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    size_t largest = 0;
    for (const auto algo : {algo1, algo2, algo3}) {
        size_t bytes = 0;
        CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, image, filter, conv, image, algo, &bytes));
        largest = std::max(largest, bytes);
    }
    void *workspace = nullptr;
    if (largest > 0 && cudaMalloc(&workspace, largest) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, image, x, filter, w1, conv, algo1, workspace, largest, &beta, image, y1));
    CHECK(cudnnConvolutionForward(handle, &alpha, image, x, filter, w2, conv, algo2, workspace, largest, &beta, image, y2));
    CHECK(cudnnConvolutionForward(handle, &alpha, image, x, filter, w3, conv, algo3, workspace, largest, &beta, image, y3));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(filter));
    CHECK(cudnnDestroyTensorDescriptor(image));
}
