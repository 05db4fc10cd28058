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

void residual_layer(cudnnHandle_t handle, const float *x, const float *w, const float *bias, const float *z, float *y,
                    int N, int C, int H, int W, int K, int R, int S, int pad) {
    cudnnTensorDescriptor_t x_desc, y_desc, bias_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateTensorDescriptor(&bias_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetTensor4dDescriptor(bias_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, 1, 1));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    const float one = 1.0f;
    CHECK(cudnnConvolutionBiasActivationForward(handle, &one, x_desc, x, w_desc, w, conv, algo, workspace, bytes, &one,
                                                y_desc, z, bias_desc, bias, relu, y_desc, y));

    cudaFree(workspace);
    CHECK(cudnnDestroyActivationDescriptor(relu));
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(bias_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
