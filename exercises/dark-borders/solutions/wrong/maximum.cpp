// verdict: wrong_answer
// case: five-by-four
// why: padding does not darken a maximum, which is no average
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

// 3×3 average with stride 1 over x (N×C×H×W). At the border only what lies inside the image is averaged.
void smooth(cudnnHandle_t handle, const float *x, float *y, int N, int C, int H, int W) {
    cudnnTensorDescriptor_t desc;
    cudnnPoolingDescriptor_t pooling;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreatePoolingDescriptor(&pooling));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN,
                                      3, 3, 1, 1, 1, 1));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnPoolingForward(handle, pooling, &alpha, desc, x, &beta, desc, y));

    CHECK(cudnnDestroyPoolingDescriptor(pooling));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
