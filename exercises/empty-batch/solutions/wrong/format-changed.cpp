// verdict: runtime_error
// case: none-used
// why: changes the format, which has nothing to do with it
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

// ReLU in place on the first `used` of the N images in y (N×C×H×W). The rest stays as it is.
void relu_first(cudnnHandle_t handle, float *y, int used, int C, int H, int W) {
    cudnnTensorDescriptor_t desc;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, used, C, H, W));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnActivationForward(handle, relu, &alpha, desc, y, &beta, desc, y));

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
