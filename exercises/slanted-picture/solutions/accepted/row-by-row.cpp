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

// ReLU of a picture whose rows are `pitch` numbers apart (W of them are pixels) into y, whose rows lie close together.
void relu_rows(cudnnHandle_t handle, const float *x, float *y, int H, int W, int pitch) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, W));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, W));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));

    const float alpha = 1.0f, beta = 0.0f;
    for (int h = 0; h < H; ++h)
        CHECK(cudnnActivationForward(handle, relu, &alpha, x_desc, x + h * pitch, &beta, y_desc, y + h * W));

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
