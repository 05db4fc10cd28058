#include <memory>
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

using Tensor = std::unique_ptr<cudnnTensorStruct, decltype(&cudnnDestroyTensorDescriptor)>;
using Activation = std::unique_ptr<cudnnActivationStruct, decltype(&cudnnDestroyActivationDescriptor)>;

Tensor tensor(int n, int c, int h, int w) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    Tensor owner(desc, cudnnDestroyTensorDescriptor);
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    return owner;
}

void bias_relu(cudnnHandle_t handle, float *y, const float *bias, int N, int K, int P, int Q) {
    const Tensor y_desc = tensor(N, K, P, Q), bias_desc = tensor(1, K, 1, 1);
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateActivationDescriptor(&relu));
    const Activation owner(relu, cudnnDestroyActivationDescriptor);
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0));

    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnAddTensor(handle, &one, bias_desc.get(), bias, &one, y_desc.get(), y));
    CHECK(cudnnActivationForward(handle, relu, &one, y_desc.get(), y, &zero, y_desc.get(), y));
}
