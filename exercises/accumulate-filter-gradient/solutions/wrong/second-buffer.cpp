// verdict: api_misuse
// rule: gradient_not_accumulated
// why: computes the second half into a buffer of its own and adds the two
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

// GPU memory for a workspace; none for 0 bytes.
void *reserve(size_t bytes) {
    void *memory = nullptr;
    if (bytes > 0 && cudaMalloc(&memory, bytes) != cudaSuccess) throw std::runtime_error("no memory for the workspace");
    return memory;
}

// dw = gradient of n images + beta * dw
void add_half(cudnnHandle_t handle, const float *x, const float *dy, int n, float beta, float *dw, int C, int H, int W,
              int K) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, K, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    const cudnnConvolutionBwdFilterAlgo_t algo = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x_desc, y_desc, conv, w_desc, algo, &bytes));
    void *workspace = reserve(bytes);
    const float alpha = 1.0f;
    CHECK(cudnnConvolutionBackwardFilter(handle, &alpha, x_desc, x, y_desc, dy, conv, algo, workspace, bytes, &beta,
                                         w_desc, dw));
    cudaFree(workspace);
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}

void accumulate(cudnnHandle_t handle, const float *x1, const float *dy1, const float *x2, const float *dy2, float *dw,
                int N1, int N2, int C, int H, int W, int K) {
    add_half(handle, x1, dy1, N1, 0.0f, dw, C, H, W, K);
    const size_t bytes = sizeof(float) * K * C * 9;
    float *const other = static_cast<float *>(reserve(bytes));
    add_half(handle, x2, dy2, N2, 0.0f, other, C, H, W, K);
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, K, C, 3, 3));
    const float one = 1.0f;
    CHECK(cudnnAddTensor(handle, &one, desc, other, &one, desc, dw));
    CHECK(cudnnDestroyTensorDescriptor(desc));
    cudaFree(other);
}
