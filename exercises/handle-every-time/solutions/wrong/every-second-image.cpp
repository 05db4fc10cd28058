// verdict: api_misuse
// rule: handle_per_call
// why: keeps a handle for two images instead of one
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

// ReLU in place, image by image: y holds N images of `size` numbers.
void relu_images(float *y, int N, int size) {
    cudnnTensorDescriptor_t desc;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, size));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));

    const float alpha = 1.0f, beta = 0.0f;
    cudnnHandle_t handle = nullptr;
    for (int i = 0; i < N; ++i) {
        if (i % 2 == 0) CHECK(cudnnCreate(&handle));
        float *image = y + static_cast<size_t>(i) * size;
        CHECK(cudnnActivationForward(handle, relu, &alpha, desc, image, &beta, desc, image));
        if (i % 2 == 1 || i == N - 1) CHECK(cudnnDestroy(handle));
    }

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
