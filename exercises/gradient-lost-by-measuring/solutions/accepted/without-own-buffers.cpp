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

// Adds the gradient of the filter to what dw holds already: dw += gradient. Stride 1, padding pad.
void add_gradient(cudnnHandle_t handle, const float *x, const float *dy, float *dw, int N, int C, int H, int W, int K,
                  int R, int pad) {
    cudnnTensorDescriptor_t x_desc, dy_desc;
    cudnnFilterDescriptor_t dw_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&dy_desc));
    CHECK(cudnnCreateFilterDescriptor(&dw_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(dy_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, K, H + 2 * pad - R + 1,
                                     W + 2 * pad - R + 1));
    CHECK(cudnnSetFilter4dDescriptor(dw_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, R));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    cudnnConvolutionBwdFilterAlgoPerf_t list[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT];
    int count = 0, i = 0;
    CHECK(cudnnFindConvolutionBackwardFilterAlgorithm(handle, x_desc, dy_desc, conv, dw_desc,
                                                      CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, &count, list));
    while (i < count && (list[i].status != CUDNN_STATUS_SUCCESS || list[i].memory > 0)) ++i;
    if (i == count) throw std::runtime_error("no algorithm without workspace");
    const cudnnConvolutionBwdFilterAlgoPerf_t best = list[i];
    const float alpha = 1.0f, beta = 1.0f;
    CHECK(cudnnConvolutionBackwardFilter(handle, &alpha, x_desc, x, dy_desc, dy, conv, best.algo, nullptr, 0, &beta,
                                         dw_desc, dw));

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(dw_desc));
    CHECK(cudnnDestroyTensorDescriptor(dy_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
