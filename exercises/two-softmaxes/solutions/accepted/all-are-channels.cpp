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

void two_softmaxes(cudnnHandle_t handle, const float *x, float *per_image, float *per_position, int N, int C, int H,
                   int W) {
    cudnnTensorDescriptor_t whole, pixels;
    CHECK(cudnnCreateTensorDescriptor(&whole));
    CHECK(cudnnCreateTensorDescriptor(&pixels));
    // An image whose numbers all count as channels of one position: the softmax over channels is that over the image.
    CHECK(cudnnSetTensor4dDescriptor(whole, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C * H * W, 1, 1));
    CHECK(cudnnSetTensor4dDescriptor(pixels, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));

    const float alpha = 1.0f, beta = 0.0f;
    const cudnnTensorDescriptor_t descs[2] = {whole, pixels};
    float *const outputs[2] = {per_image, per_position};
    for (int i = 0; i < 2; ++i)
        CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &alpha, descs[i], x,
                                  &beta, descs[i], outputs[i]));

    CHECK(cudnnDestroyTensorDescriptor(pixels));
    CHECK(cudnnDestroyTensorDescriptor(whole));
}
