// verdict: api_misuse
// rule: leaks_memory
// why: never frees the filter on the GPU
#include <cstdio>
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

// *out = factor * *in, all on the GPU.
void multiply(cudnnHandle_t handle, float factor, const float *in, float *out) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 1, 1));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    float *w = nullptr;
    cudaMalloc(&w, sizeof(float));
    cudaMemcpy(w, &factor, sizeof(float), cudaMemcpyHostToDevice);
    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, in, w_desc, w, conv,
                                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, y_desc, out));

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}

float read(const float *on_gpu) {
    float value = 0.0f;
    cudaMemcpy(&value, on_gpu, sizeof(float), cudaMemcpyDeviceToHost);
    return value;
}

int main() {
    cudnnHandle_t handle;
    CHECK(cudnnCreate(&handle));
    float *a = nullptr, *b = nullptr;
    cudaMalloc(&a, sizeof(float));
    cudaMalloc(&b, sizeof(float));
    const float seven = 7.0f;
    cudaMemcpy(a, &seven, sizeof(float), cudaMemcpyHostToDevice);

    multiply(handle, 2.0f, a, b);
    std::printf("%g\n", read(b));
    multiply(handle, 3.0f, b, a);
    std::printf("%g\n", read(a));

    cudaFree(b);
    cudaFree(a);
    CHECK(cudnnDestroy(handle));
}
