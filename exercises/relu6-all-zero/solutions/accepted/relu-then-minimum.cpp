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
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnActivationForward(handle, relu, &alpha, desc, x, &beta, desc, y));

    // y = min(y, 6), with one 6 that is repeated along y.
    float *six = nullptr;
    cudaMalloc(&six, sizeof(float));
    const float ceiling = 6.0f;
    cudaMemcpy(six, &ceiling, sizeof(float), cudaMemcpyHostToDevice);
    cudnnTensorDescriptor_t six_desc;
    cudnnOpTensorDescriptor_t minimum;
    CHECK(cudnnCreateTensorDescriptor(&six_desc));
    CHECK(cudnnCreateOpTensorDescriptor(&minimum));
    CHECK(cudnnSetTensor4dDescriptor(six_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
    CHECK(cudnnSetOpTensorDescriptor(minimum, CUDNN_OP_TENSOR_MIN, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    CHECK(cudnnOpTensor(handle, minimum, &alpha, desc, y, &alpha, six_desc, six, &beta, desc, y));
    CHECK(cudnnDestroyOpTensorDescriptor(minimum));
    CHECK(cudnnDestroyTensorDescriptor(six_desc));
    cudaFree(six);

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
