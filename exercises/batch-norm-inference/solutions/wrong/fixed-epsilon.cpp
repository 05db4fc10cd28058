// verdict: wrong_answer
// why: uses an epsilon of its own
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

void normalise(cudnnHandle_t handle, const float *x, const float *scale, const float *bias, const float *mean,
               const float *variance, float *y, int N, int C, int H, int W, double epsilon) {
    cudnnTensorDescriptor_t desc, channels;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateTensorDescriptor(&channels));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnDeriveBNTensorDescriptor(channels, desc, CUDNN_BATCHNORM_SPATIAL));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnBatchNormalizationForwardInference(handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, desc, x, desc, y,
                                                  channels, scale, bias, mean, variance, 1e-5));

    CHECK(cudnnDestroyTensorDescriptor(channels));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
