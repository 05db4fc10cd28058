// verdict: wrong_answer
// case: three-by-three
// pattern: flipped_filter
// why: uses CUDNN_CONVOLUTION, which flips the filter
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

void gradients(cudnnHandle_t handle, const float *x, const float *w, const float *dy, float *dx, float *dw, float *db,
               int N, int C, int H, int W, int K, int R, int S, int pad, int stride) {
    cudnnTensorDescriptor_t x_desc, y_desc, bias_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateTensorDescriptor(&bias_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, CUDNN_CONVOLUTION,
                                          CUDNN_DATA_FLOAT));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));
    CHECK(cudnnSetTensor4dDescriptor(bias_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, 1, 1));

    const float one = 1.0f, zero = 0.0f;
    size_t bytes = 0;
    const cudnnConvolutionBwdDataAlgo_t data_algo = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
    CHECK(cudnnGetConvolutionBackwardDataWorkspaceSize(handle, w_desc, y_desc, conv, x_desc, data_algo, &bytes));
    void *workspace = reserve(bytes);
    CHECK(cudnnConvolutionBackwardData(handle, &one, w_desc, w, y_desc, dy, conv, data_algo, workspace, bytes, &zero,
                                       x_desc, dx));
    cudaFree(workspace);

    const cudnnConvolutionBwdFilterAlgo_t filter_algo = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
    CHECK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x_desc, y_desc, conv, w_desc, filter_algo, &bytes));
    workspace = reserve(bytes);
    CHECK(cudnnConvolutionBackwardFilter(handle, &one, x_desc, x, y_desc, dy, conv, filter_algo, workspace, bytes,
                                         &zero, w_desc, dw));
    cudaFree(workspace);

    CHECK(cudnnConvolutionBackwardBias(handle, &one, y_desc, dy, &zero, bias_desc, db));

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(bias_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
