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
    cudnnTensorDescriptor_t x_desc;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));

    // 1. Create a pooling descriptor and set window, padding, stride and mode.
    // 2. Ask for the output's size and describe the output.
    // 3. Call cudnnPoolingForward, then give everything back.

    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
