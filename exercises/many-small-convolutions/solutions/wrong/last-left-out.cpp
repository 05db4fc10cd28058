// verdict: wrong_answer
// case: three
// why: leaves the last image out
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

void convolve_each(cudnnHandle_t handle, const float *x, const float *w, float *y, int M, int C, int H, int W, int K) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    const float alpha = 1.0f, beta = 0.0f;
    const size_t x_step = static_cast<size_t>(C) * H * W, w_step = static_cast<size_t>(K) * C * 9;
    const size_t y_step = static_cast<size_t>(K) * H * W;
    for (int m = 0; m + 1 < M; ++m)
        CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x + m * x_step, w_desc, w + m * w_step, conv,
                                      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, y_desc,
                                      y + m * y_step));

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
