// verdict: wrong_answer
// case: two-channels
// why: squares it and forgets to invert
#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// Normalises x (N×C×H×W) with the statistics that a training step saved: the mean, and 1 / sqrt(variance + epsilon).
void normalise(cudnnHandle_t handle, const float *x, const float *scale, const float *bias, const float *saved_mean,
               const float *saved_inverse, float *y, int N, int C, int H, int W) {
    const double epsilon = 1e-5;
    std::vector<float> statistic(C);
    cudaMemcpy(statistic.data(), saved_inverse, C * sizeof(float), cudaMemcpyDeviceToHost);
    for (float &value : statistic) value *= value;
    float *variance = nullptr;
    cudaMalloc(&variance, C * sizeof(float));
    cudaMemcpy(variance, statistic.data(), C * sizeof(float), cudaMemcpyHostToDevice);

    cudnnTensorDescriptor_t desc, channels;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnCreateTensorDescriptor(&channels));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(channels, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, C, 1, 1));

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnBatchNormalizationForwardInference(handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, desc, x, desc, y,
                                                  channels, scale, bias, saved_mean, variance, epsilon));

    CHECK(cudnnDestroyTensorDescriptor(channels));
    CHECK(cudnnDestroyTensorDescriptor(desc));
    cudaFree(variance);
}
