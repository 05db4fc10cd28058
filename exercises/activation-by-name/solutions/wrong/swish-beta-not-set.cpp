// verdict: wrong_answer
// case: swish
// why: gives the coefficient to cudnnSetActivationDescriptor, where SWISH does not read it
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
    cudnnActivationDescriptor_t activation;
    CHECK(cudnnCreateActivationDescriptor(&activation));
    CHECK(cudnnSetActivationDescriptor(activation, mode, CUDNN_PROPAGATE_NAN, coefficient));

    const float alpha = 1.0f, beta = 0.0f;
    if (mode == CUDNN_ACTIVATION_IDENTITY)
        CHECK(cudnnTransformTensor(handle, &alpha, desc, x, &beta, desc, y));
    else
        CHECK(cudnnActivationForward(handle, activation, &alpha, desc, x, &beta, desc, y));

    CHECK(cudnnDestroyActivationDescriptor(activation));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
