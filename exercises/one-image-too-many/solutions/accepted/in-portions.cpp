#include <algorithm>
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

// Batch normalization at inference over any number of images.
void normalise(cudnnHandle_t handle, const float *x, const float *scale, const float *bias, const float *mean,
               const float *variance, float *y, int N, int C, int H, int W) {
    const int most = 65535;  // images that one call takes
    const size_t image = static_cast<size_t>(C) * H * W;
    cudnnTensorDescriptor_t desc, channels;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateTensorDescriptor(&channels));
    CHECK(cudnnSetTensor4dDescriptor(channels, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, C, 1, 1));

    const float alpha = 1.0f, beta = 0.0f;
    for (int done = 0; done < N; done += most) {
        const int images = std::min(most, N - done);
        const size_t offset = done * image;
        CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, images, C, H, W));
        CHECK(cudnnBatchNormalizationForwardInference(handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, desc, x + offset, desc,
                                                      y + offset, channels, scale, bias, mean, variance, 1e-5));
    }

    CHECK(cudnnDestroyTensorDescriptor(channels));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
