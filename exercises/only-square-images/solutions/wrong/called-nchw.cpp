// verdict: wrong_answer
// case: square
// why: calls the data NCHW, while the channels lie innermost
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

// 2×2 max pooling of x (N×H×W×C in memory) to y (N×H/2×W/2×C in memory).
void pool(cudnnHandle_t handle, const float *x, float *y, int N, int C, int H, int W) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnPoolingDescriptor_t pooling;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreatePoolingDescriptor(&pooling));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H / 2, W / 2));
    CHECK(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnPoolingForward(handle, pooling, &alpha, x_desc, x, &beta, y_desc, y));

    CHECK(cudnnDestroyPoolingDescriptor(pooling));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
