// verdict: api_misuse
// rule: output_dims_not_queried
// why: works the size out by the formula instead of asking
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

void pool(cudnnHandle_t handle, const float *x, float *y, int N, int C, int H, int W, int window_h, int window_w,
          int pad_h, int pad_w, int stride_h, int stride_w, cudnnPoolingMode_t mode) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnPoolingDescriptor_t pooling;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreatePoolingDescriptor(&pooling));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, window_h, window_w, pad_h, pad_w,
                                      stride_h, stride_w));
    const int n = N, c = C;
    const int p = (H + 2 * pad_h - window_h) / stride_h + 1;
    const int q = (W + 2 * pad_w - window_w) / stride_w + 1;
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, p, q));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnPoolingForward(handle, pooling, &alpha, x_desc, x, &beta, y_desc, y));

    CHECK(cudnnDestroyPoolingDescriptor(pooling));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
