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

void activate(cudnnHandle_t handle, const float *x, float *y, int N, int C, int H, int W, cudnnActivationMode_t mode,
              double coefficient) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));

    // 1. Create an activation descriptor, set mode and coefficient.
    // 2. SWISH reads its beta from elsewhere, and cudnnActivationForward refuses IDENTITY.
    // 3. y = f(x), then give everything back.

    CHECK(cudnnDestroyTensorDescriptor(desc));
}
