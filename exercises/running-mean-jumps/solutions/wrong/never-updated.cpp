// verdict: wrong_answer
// case: nine-tenths
// why: a factor of 0 keeps the running values calm: they never change
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

// One training step of batch normalization. The running statistics keep the share `keep` of what they were.
void train_step(cudnnHandle_t handle, const float *x, const float *scale, const float *bias, float *running_mean,
                float *running_variance, float *y, int N, int C, int H, int W, double keep) {
    cudnnTensorDescriptor_t desc, channels;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateTensorDescriptor(&channels));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnDeriveBNTensorDescriptor(channels, desc, CUDNN_BATCHNORM_SPATIAL));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnBatchNormalizationForwardTraining(handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, desc, x, desc, y, channels,
                                                 scale, bias, 0.0, running_mean, running_variance, 1e-5, nullptr,
                                                 nullptr));

    CHECK(cudnnDestroyTensorDescriptor(channels));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
