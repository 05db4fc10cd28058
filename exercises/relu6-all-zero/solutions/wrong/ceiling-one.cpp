// verdict: wrong_answer
// why: takes the coefficient for a slope and gives 1
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

// ReLU6: y = min(max(x, 0), 6), for count numbers.
void relu6(cudnnHandle_t handle, const float *x, float *y, int count) {
    cudnnTensorDescriptor_t desc;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, count));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_NOT_PROPAGATE_NAN, 1.0));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnActivationForward(handle, relu, &alpha, desc, x, &beta, desc, y));

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
