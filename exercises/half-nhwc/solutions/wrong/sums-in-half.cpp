// verdict: wrong_answer
// why: sums in half, as the data are half
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

void convolve(cudnnHandle_t handle, const __half *x, const __half *w, __half *y, int N, int C, int H, int W, int K, int R,
              int S, int pad, int stride) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_HALF, CUDNN_TENSOR_NHWC, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_HALF));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, n, k, p, q));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, w, conv, algo, workspace, bytes, &beta, y_desc, y));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
