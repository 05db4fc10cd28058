// verdict: wrong_answer
// pattern: label_only
// why: calls NCHW data NHWC and moves no value
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

namespace {

void *allocate(size_t bytes) {
    void *memory = nullptr;
    if (bytes > 0 && cudaMalloc(&memory, bytes) != cudaSuccess) throw std::runtime_error("no memory");
    return memory;
}

}  // namespace

void convolve(cudnnHandle_t handle, const __half *x, const __half *w, __half *y, int N, int C, int H, int W, int K, int R,
              int S, int pad) {
    cudnnTensorDescriptor_t given, x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&given));
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(given, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_HALF, CUDNN_TENSOR_NHWC, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionMathType(conv, CUDNN_TENSOR_OP_MATH));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, n, k, p, q));

    const float one = 1.0f, zero = 0.0f;
    size_t x_bytes = 0, bytes = 0;
    CHECK(cudnnGetTensorSizeInBytes(x_desc, &x_bytes));
    void *x_last = allocate(x_bytes);
    CHECK(cudnnTransformTensor(handle, &one, given, x, &zero, x_desc, x_last));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = allocate(bytes);
    CHECK(cudnnConvolutionForward(handle, &one, x_desc, x_last, w_desc, w, conv, algo, workspace, bytes, &zero, y_desc,
                                  y));
    cudaFree(workspace);
    cudaFree(x_last);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
    CHECK(cudnnDestroyTensorDescriptor(given));
}
