// verdict: api_misuse
// rule: one_mode_only
// why: turns the filter by hand and never touches the mode
#include <algorithm>
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

void both_modes(cudnnHandle_t handle, const float *x, const float *w, float *correlated, float *convolved,
                int N, int C, int H, int W, int K, int R, int S) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));

    const float alpha = 1.0f, beta = 0.0f;
    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    int n, k, p, q;

    CHECK(cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, w, conv, algo, nullptr, 0, &beta, y_desc,
                                  correlated));

    std::vector<float> host(static_cast<size_t>(K) * C * R * S);
    const size_t bytes = host.size() * sizeof(float);
    cudaMemcpy(host.data(), w, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < K * C; ++i) std::reverse(host.begin() + i * R * S, host.begin() + (i + 1) * R * S);
    float *turned = nullptr;
    if (cudaMalloc(&turned, bytes) != cudaSuccess) throw std::runtime_error("no memory");
    cudaMemcpy(turned, host.data(), bytes, cudaMemcpyHostToDevice);
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, turned, conv, algo, nullptr, 0, &beta, y_desc,
                                  convolved));
    cudaFree(turned);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
