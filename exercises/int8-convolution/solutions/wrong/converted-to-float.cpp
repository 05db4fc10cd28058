// verdict: api_misuse
// rule: data_type_not_used
// why: converts int8 to float and computes in float, which gives the same numbers here but is no int8 convolution
#include <cstdint>
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

namespace {

float *widened(const int8_t *data, size_t count) {
    std::vector<int8_t> narrow(count);
    if (cudaMemcpy(narrow.data(), data, count, cudaMemcpyDeviceToHost) != cudaSuccess)
        throw std::runtime_error("cudaMemcpy");
    const std::vector<float> wide(narrow.begin(), narrow.end());
    float *memory = nullptr;
    if (cudaMalloc(&memory, count * sizeof(float)) != cudaSuccess) throw std::runtime_error("no memory");
    if (cudaMemcpy(memory, wide.data(), count * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess)
        throw std::runtime_error("cudaMemcpy");
    return memory;
}

}  // namespace

void convolve(cudnnHandle_t handle, const int8_t *x, const int8_t *w, float *y, int N, int C, int H, int W, int K, int R,
              int S, int pad, float scale) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n, k, p, q));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    float *const wide_x = widened(x, static_cast<size_t>(N) * C * H * W);
    float *const wide_w = widened(w, static_cast<size_t>(K) * C * R * S);
    const float alpha = scale, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, wide_x, w_desc, wide_w, conv, algo, workspace, bytes,
                                  &beta, y_desc, y));
    cudaFree(wide_w);
    cudaFree(wide_x);
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
