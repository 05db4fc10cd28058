// verdict: runtime_error
// case: more-filters
// why: takes another algorithm for descriptors that do not fit
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

// Gradient of a convolution with respect to its input: dx from dy and w. Stride 1, padding pad.
void input_gradient(cudnnHandle_t handle, const float *dy, const float *w, float *dx, int N, int C, int H, int W, int K,
                    int R, int pad) {
    const int P = H + 2 * pad - R + 1, Q = W + 2 * pad - R + 1;
    cudnnTensorDescriptor_t dy_desc, dx_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&dy_desc));
    CHECK(cudnnCreateTensorDescriptor(&dx_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(dy_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, K, P, Q));
    CHECK(cudnnSetTensor4dDescriptor(dx_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, C, K, R, R));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    const cudnnConvolutionBwdDataAlgo_t algo = CUDNN_CONVOLUTION_BWD_DATA_ALGO_0;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionBackwardDataWorkspaceSize(handle, w_desc, dy_desc, conv, dx_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");
    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionBackwardData(handle, &alpha, w_desc, w, dy_desc, dy, conv, algo, workspace, bytes, &beta,
                                       dx_desc, dx));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(dx_desc));
    CHECK(cudnnDestroyTensorDescriptor(dy_desc));
}
