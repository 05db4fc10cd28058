// verdict: wrong_answer
// pattern: bfloat16_as_half
// why: describes bfloat16 as half: both have 16 bits, but divide them otherwise
#include <stdexcept>
#include <string>
#include <cuda_bf16.h>
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

struct Layer {
    int N, C, H, W, K, R, S, pad;
};

// One convolution; data, sums and scalars in the given types.
void convolve(cudnnHandle_t handle, const Layer &l, cudnnDataType_t data, cudnnDataType_t compute, const void *alpha,
              const void *beta, const void *x, const void *w, void *y) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, data, l.N, l.C, l.H, l.W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, data, CUDNN_TENSOR_NCHW, l.K, l.C, l.R, l.S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, l.pad, l.pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, compute));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, data, n, k, p, q));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");
    CHECK(cudnnConvolutionForward(handle, alpha, x_desc, x, w_desc, w, conv, algo, workspace, bytes, beta, y_desc, y));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}

}  // namespace

void four_types(cudnnHandle_t handle, const double *x64, const double *w64, double *y64, const float *x32,
                const float *w32, float *y32, const __half *x16, const __half *w16, __half *y16,
                const __nv_bfloat16 *xb, const __nv_bfloat16 *wb, __nv_bfloat16 *yb, int N, int C, int H, int W, int K,
                int R, int S, int pad) {
    const Layer layer{N, C, H, W, K, R, S, pad};
    const double one64 = 1.0, zero64 = 0.0;
    const float one = 1.0f, zero = 0.0f;
    convolve(handle, layer, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE, &one64, &zero64, x64, w64, y64);
    convolve(handle, layer, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, &one, &zero, x32, w32, y32);
    convolve(handle, layer, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT, &one, &zero, x16, w16, y16);
    convolve(handle, layer, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT, &one, &zero, xb, wb, yb);
}
