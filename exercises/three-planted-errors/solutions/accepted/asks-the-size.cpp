#include <cstdio>
#include <cstdlib>
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

// Copies numbers to new memory on the GPU.
float *to_gpu(const float *numbers, size_t count) {
    float *gpu = nullptr;
    cudaMalloc(&gpu, count * sizeof(float));
    cudaMemcpy(gpu, numbers, count * sizeof(float), cudaMemcpyHostToDevice);
    return gpu;
}

int main(int argc, char **argv) {
    const float b = argc > 1 ? static_cast<float>(std::atof(argv[1])) : 1.0f;
    const float x_host[9] = {-4, -3, -2, -1, 0, 1, 2, 3, 4};
    const float w_host[12] = {1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, -1};  // three filters of 2×2
    const float bias_host[3] = {b, 0, 2 * b};
    float y_host[12] = {};
    float *x = to_gpu(x_host, 9), *w = to_gpu(w_host, 12), *bias = to_gpu(bias_host, 3), *y = to_gpu(y_host, 12);

    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x_desc, y_desc, bias_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreate(&handle));
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateTensorDescriptor(&bias_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnCreateActivationDescriptor(&relu));

    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 3, 3));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, 1, 2, 2));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));
    CHECK(cudnnSetTensor4dDescriptor(bias_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 3, 1, 1));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0));

    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &one, x_desc, x, w_desc, w, conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                  nullptr, 0, &zero, y_desc, y));
    CHECK(cudnnAddTensor(handle, &one, bias_desc, bias, &one, y_desc, y));
    CHECK(cudnnActivationForward(handle, relu, &one, y_desc, y, &zero, y_desc, y));
    cudaMemcpy(y_host, y, sizeof y_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12; ++i) std::printf("%g%c", y_host[i], i % 4 == 3 ? '\n' : ' ');

    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(bias_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
    CHECK(cudnnDestroy(handle));
    for (float *memory : {x, w, bias, y}) cudaFree(memory);
}
