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

void filter_gradient(cudnnHandle_t handle, const float *x, const float *dy, float *dw, int N, int C, int H, int W, int K,
                     int R, int S, int pad, int stride) {
    cudnnTensorDescriptor_t x_desc, dy_desc;
    cudnnFilterDescriptor_t dw_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&dy_desc));
    CHECK(cudnnCreateFilterDescriptor(&dw_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(dw_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                          CUDNN_DATA_FLOAT));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, dw_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(dy_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));

    cudnnConvolutionBwdFilterAlgoPerf_t list[10];
    int count = 0;
    CHECK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x_desc, dy_desc, conv, dw_desc, 10, &count, list));
    int chosen = -1;
    for (int i = 0; i < count && chosen < 0; ++i)
        if (list[i].status == CUDNN_STATUS_SUCCESS && list[i].determinism == CUDNN_DETERMINISTIC) chosen = i;
    if (chosen < 0) throw std::runtime_error("no deterministic algorithm can run");
    const cudnnConvolutionBwdFilterAlgo_t algo = list[chosen].algo;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x_desc, dy_desc, conv, dw_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionBackwardFilter(handle, &alpha, x_desc, x, dy_desc, dy, conv, algo, workspace, bytes, &beta,
                                         dw_desc, dw));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(dw_desc));
    CHECK(cudnnDestroyTensorDescriptor(dy_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
