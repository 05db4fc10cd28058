#include <stdexcept>
#include <string>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

void pad_channels(cudnnHandle_t handle, const __half *x, __half *padded, int N, int C, int H, int W) {
    const int wide = (C + 7) / 8 * 8;
    if (cudaMemset(padded, 0, sizeof(__half) * N * H * W * wide) != cudaSuccess) throw std::runtime_error("cudaMemset");

    cudnnTensorDescriptor_t from, to;
    CHECK(cudnnCreateTensorDescriptor(&from));
    CHECK(cudnnCreateTensorDescriptor(&to));
    CHECK(cudnnSetTensor4dDescriptor(from, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptorEx(to, CUDNN_DATA_HALF, N, C, H, W, H * W * wide, 1, W * wide, wide));
    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnTransformTensor(handle, &one, from, x, &zero, to, padded));
    CHECK(cudnnDestroyTensorDescriptor(to));
    CHECK(cudnnDestroyTensorDescriptor(from));
}
